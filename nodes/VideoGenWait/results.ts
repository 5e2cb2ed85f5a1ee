/** What the items become when all their jobs have ended, or the time is over. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { asNodeError, operationError, type NodeError } from '../core/errors/words';
import { downloadFiles, fileOfJob } from '../core/files/results';
import type { Client } from '../core/http/client';
import { jobRef, stateOf, type StartedJob } from '../core/jobs/job';
import type { Ending } from '../core/jobs/wait';
import { isObject, objectsOf, textOf } from '../core/json';
import { endingError, located } from '../core/run/outcome';
import { readRow } from '../core/run/rows';
import { settleAll } from '../core/run/settle';
import { nameOf, type Named } from './named';

/** How a job has ended, or why it could not be read. */
export type Found = Ending | { outcome: 'unreadable'; error: unknown };

/** An item that came in, with its number and the job that it names. */
export interface Asked {
	item: number;
	input: INodeExecutionData;
	named: Named | NodeError;
}

/** What the form says about files. */
interface FileWishes {
	chosen: readonly string[];
	field: string;
}

const otherWay =
	'or wait for it again: with On Error set to "Continue (using error output)", connect the error output to the input of this node';

/** The item, of which an earlier error is no part any more. */
function withoutError(json: IDataObject): IDataObject {
	if (textOf(json.error) === undefined) return json;
	const { error, details, ...rest } = json;
	return rest;
}

/** The job of an item, as errors name it. */
export const startedOf = ({ item, named }: Asked): { item: number; jobs: StartedJob[] } => ({
	item,
	jobs: named instanceof Error ? [] : [{ job: named.kind.job, id: named.id }],
});

/** The finished resource of an item. */
async function resultOf(
	client: Client,
	{ item, input, named }: Asked & { named: Named },
	ending: Found,
): Promise<{ json: IDataObject; job: StartedJob['job']; reading: IDataObject }> {
	const { kind, id, row } = named;
	if (ending.outcome === 'unreadable') throw asNodeError(client.node, ending.error);
	if (ending.outcome === 'failed' || ending.outcome === 'timeout') {
		throw endingError(client.node, ending, otherWay);
	}
	const { data } = ending;
	const own = withoutError(input.json);
	if (row !== undefined && kind.rows) {
		const entry = objectsOf(data.items).find((one) => one.item_index === row) ?? {
			item_index: row,
		};
		const made = await readRow(client, { job: kind.job, id }, kind.rows, { item, entry });
		return { json: { ...own, ...made.json }, job: kind.rows, reading: made.json };
	}
	const { job } = kind;
	const json = { ...own, [job.id]: id, ...data, job: jobRef({ job, id }) };
	const inner = job.then && data[job.then.name];
	return { json, job: job.then?.job ?? job, reading: isObject(inner) ? inner : data };
}

/** The item with the files that are wanted, of those that its kind of job makes. */
async function finishedItem(
	n8n: IExecuteFunctions,
	client: Client,
	asked: Asked & { named: Named },
	ending: Found,
	{ chosen, field }: FileWishes,
): Promise<INodeExecutionData> {
	const { input, item, named } = asked;
	const { json, job, reading } = await resultOf(client, asked, ending);
	const pairedItem = { item };
	const files = (named.kind.files ?? []).filter(({ value }) => chosen.includes(value));
	const id = textOf(json[job.id]);
	// What rests, or is a whole batch, has no film of its own.
	const hasFiles = files.length > 0 && id !== undefined && stateOf(job, reading) === 'completed';
	if (!hasFiles || (named.kind.rows && named.row === undefined)) {
		return { json, pairedItem, ...(input.binary ? { binary: input.binary } : {}) };
	}
	const read = async () =>
		await client.data({ line: job.read, path: { [job.id]: id }, query: job.query });
	const { binary } = await downloadFiles(
		n8n,
		client,
		{ kind: job.kind, id, read, reading },
		files,
		(fresh, file) => fileOfJob(job, fresh, file, id),
		{ field },
	);
	return { json, pairedItem, binary: { ...input.binary, ...binary } };
}

/** The items in the order in which they came in, each with what became of its job. */
export async function finishedItems(
	n8n: IExecuteFunctions,
	client: Client,
	asked: readonly Asked[],
	endings: ReadonlyMap<string, Found>,
	wishes: FileWishes,
): Promise<INodeExecutionData[]> {
	const goesOn = n8n.continueOnFail();
	return await settleAll(
		asked,
		goesOn,
		async ({ named, ...rest }) => {
			if (named instanceof Error) throw named;
			const ending = endings.get(nameOf(named));
			if (!ending) throw operationError(client.node, `The ${nameOf(named)} was not looked at`);
			return await finishedItem(n8n, client, { ...rest, named }, ending, wishes);
		},
		(error, one) =>
			located(
				asNodeError(client.node, error),
				{ item: one.item, items: asked.length },
				startedOf(one).jobs,
				goesOn ? [] : asked.filter(({ item }) => item !== one.item).map(startedOf),
			),
	);
}
