/** One look of a wait: gives out what is finished, or puts the execution aside until the next look. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../core/clock';
import { operationError, type NodeError } from '../core/errors/words';
import { createClient, type Client } from '../core/http/client';
import { lookOnce, waitFor, type Unended } from '../core/jobs/wait';
import { located } from '../core/run/outcome';
import { askedOf, valuesOf } from './asked';
import { isLoopWired } from './loop';
import { byName, type Named } from './named';
import { finishedItems, startedOf, type Asked, type Found } from './results';
import {
	endWait,
	keepWait,
	markOf,
	pauseAfter,
	shortestSuspension,
	waitIn,
	type Wait,
} from './schedule';

type Unreadable = Extract<Found, { outcome: 'unreadable' }>;

/** Does something for all jobs at the same time; what went wrong with one is its own ending. */
async function forAll<T>(
	jobs: ReadonlyMap<string, Named>,
	act: (job: Named) => Promise<T>,
): Promise<Map<string, T | Unreadable>> {
	const found = new Map<string, T | Unreadable>();
	await Promise.all(
		[...jobs].map(async ([name, job]) => {
			try {
				found.set(name, await act(job));
			} catch (error) {
				found.set(name, { outcome: 'unreadable', error });
			}
		}),
	);
	return found;
}

const hasEnded = (found: Found | Unended): found is Found =>
	found.outcome !== 'pending' && found.outcome !== 'unread';

/** How all jobs have ended, by one look; nothing while one of them has not. */
async function lookAtAll(
	client: Client,
	jobs: ReadonlyMap<string, Named>,
	looks: number,
): Promise<Map<string, Found> | undefined> {
	const found = await forAll(jobs, async ({ kind, id }) =>
		lookOnce(client, { job: kind.job, id }, looks),
	);
	const ended = new Map<string, Found>();
	for (const [name, one] of found) if (hasEnded(one)) ended.set(name, one);
	return ended.size === found.size ? ended : undefined;
}

/** How all jobs end within a time that is too short for a suspension (milliseconds). */
async function waitHere(
	client: Client,
	jobs: ReadonlyMap<string, Named>,
	left: number,
	{ since }: Wait,
): Promise<Map<string, Found>> {
	return await forAll(jobs, async ({ kind, id }): Promise<Found> => {
		const policy = { timeout: Math.max(left / 1000, 1), atOnce: true };
		const ending = await waitFor(client, { job: kind.job, id }, policy);
		if (ending.outcome !== 'timeout') return ending;
		return { ...ending, waited: (clock.now() - since) / 1000 };
	});
}

/** The error of a node that would never look again. */
function unwiredError(n8n: IExecuteFunctions, asked: readonly Asked[]): NodeError {
	const error = operationError(
		n8n.getNode(),
		'The output "Still Running" is not connected back to the input of this node',
		'Draw a line from Still Running to the input of this node, and one from Finished to what comes next. Without it, n8n would end the execution at the first look, with nothing.',
		{ code: 'no_loop' },
	);
	const [first, ...others] = asked.map(startedOf);
	return located(error, { item: 0, items: asked.length }, first?.jobs, others);
}

/** The items as they are seen while the execution is put aside. A copy: n8n empties what it is given. */
const unfinished = (items: readonly INodeExecutionData[], until: Date): INodeExecutionData[] =>
	items.map((item, i) => ({
		...item,
		json: {
			...item.json,
			still_running: `Not finished yet. The node looks again at ${until.toISOString()}, or when the service calls.`,
		},
		pairedItem: { item: i },
	}));

/** Executes the node. */
export async function wait(n8n: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = n8n.getInputData();
	const values = items.map((_, i) => valuesOf(n8n, i));
	const asked = askedOf(n8n, values);
	const wrong = asked.find(({ named }) => named instanceof Error)?.named;
	if (wrong instanceof Error && !n8n.continueOnFail()) throw wrong;

	// What stands for all items is taken from the first that is right.
	const form: IDataObject = values.find((one): one is IDataObject => !(one instanceof Error)) ?? {};
	const jobs = byName(asked.flatMap(({ named }) => (named instanceof Error ? [] : [named])));
	const context = n8n.getContext('node');
	const mark = markOf([...jobs.keys()]);
	const started = waitIn(context, mark, clock.now());
	const client = await createClient(n8n, { signal: n8n.getExecutionCancelSignal() });
	const left = () => started.since + Number(form.waitTimeout ?? 1440) * 60_000 - clock.now();

	const endings =
		left() < shortestSuspension
			? await waitHere(client, jobs, left(), started)
			: await lookAtAll(client, jobs, started.looks);
	if (endings === undefined) {
		if (!isLoopWired(n8n)) throw unwiredError(n8n, asked);
		keepWait(context, mark, { ...started, looks: started.looks + 1 });
		const pause = Math.min(pauseAfter(clock.now() - started.since), Math.max(left(), 1000));
		const until = new Date(clock.now() + pause);
		await n8n.putExecutionToWait(until);
		return [unfinished(items, until), []];
	}
	endWait(context);
	const wishes = {
		chosen: Array.isArray(form.download) ? form.download.map(String) : [],
		field: String(form.binaryPropertyName ?? 'data'),
	};
	return [[], await finishedItems(n8n, client, asked, endings, wishes)];
}
