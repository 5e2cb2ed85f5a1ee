/** Answers that are slow, lost or cut, and every error that the service knows. */
import type { IDataObject } from 'n8n-workflow';
import type { Stage } from '../../tools/stage';
import { itemsOf, type Execution } from '../e2e/n8n';
import { errorCodes } from '../errorCodes';
import { chain, errorText, runDraft, start, type Link } from '../e2e/workflows';
import {
	batch,
	continued,
	download,
	forItems,
	retried,
	save,
	session,
	video,
	waiting,
} from './creates';
import { countJobs, jobColumns, jobRow } from './jobs';
import type { FaultContext, Row, Scenario } from './scenario';

export const title = 'Responses';
export const columns = jobColumns;

type Fault = Parameters<Stage['simulator']['control']['fail']>[0];

const videos = '/v3/videos';
const batches = '/v3/videos/batches';
const sessions = '/v3/video-agents';

/** Runs these nodes for so many items. */
const run = async (stage: Stage, links: Link[], count: number): Promise<Execution> =>
	await runDraft(stage, forItems(count, ...links), 200_000);

interface Case {
	id: string;
	what: string;
	faults: Fault[];
	links: Link[];
	/** Videos, where nothing is said. */
	kind?: 'session';
	items: number;
	/** Part of the short form. */
	short?: true;
	/** Where the short form has fewer. */
	itemsInShort?: number;
	/** Expected errors in addition to the counts; undefined if every item must succeed. */
	judge?: (execution: Execution) => Array<string | false>;
}

const wentWell =
	(name: string, count: number) =>
	(execution: Execution): Array<string | false> => {
		const items = itemsOf(execution, name);
		const wrong = items.find(({ json }) => json.error)?.json.error;
		return [
			execution.status !== 'success' && `${execution.status}: ${errorText(execution)}`,
			items.length !== count && `${items.length} items came out`,
			wrong !== undefined && `an item says: ${String(wrong)}`,
		];
	};

const lost = (path: string, cut: Fault['cut'], times: number): Fault => ({
	...{ method: 'POST', path, cut, times },
});

/** A third of all responses fails, in different ways. */
const third: Fault[] = [
	{ probability: 0.06, status: 429, code: 'rate_limit_exceeded', retryAfter: 1 },
	{ probability: 0.05, status: 503, code: 'service_unavailable' },
	{ probability: 0.03, status: 500, code: 'internal_error' },
	{ probability: 0.03, status: 502, body: '<html>Bad gateway</html>' },
	{ probability: 0.05, cut: 'before' },
	{ probability: 0.05, cut: 'after' },
	{ probability: 0.05, cut: 'midway' },
];

/** Lost creates without a key end in an error that says so; no other error may be among them. */
const onlyDoubts = (execution: Execution): Array<string | false> => {
	const errors = itemsOf(execution, 'Create').flatMap(({ json }) =>
		json.error ? [json as { error: string; details: IDataObject }] : [],
	);
	const sure = errors.filter(({ details }) => details.uncertain !== true);
	return [sure.length > 0 && `${sure.length} items say what is not so: ${sure[0]?.error}`];
};

const cases: Case[] = [
	{
		id: 'A1',
		what: 'A workflow creates 20 videos, waits for them, and downloads them. Every response takes a second.',
		faults: [{ path: /^\/v3\//, delayMs: 1_000 }],
		links: [video(waiting), download],
		items: 20,
		judge: wentWell('Download', 20),
	},
	{
		id: 'A2',
		what: 'While 10 videos are being created, three connections break before the service receives the requests.',
		faults: [lost(videos, 'before', 3)],
		links: [video()],
		items: 10,
		short: true,
	},
	{
		id: 'A3',
		what: 'While 10 videos are being created, three connections break after the service has created the video.',
		faults: [lost(videos, 'after', 3)],
		links: [video()],
		items: 10,
		short: true,
	},
	{
		id: 'A4',
		what: 'While 10 videos are being created, three responses are truncated.',
		faults: [lost(videos, 'midway', 3)],
		links: [video()],
		items: 10,
		short: true,
	},
	{
		id: 'A5',
		what: 'A batch of 100 videos is created, but the response is truncated.',
		faults: [lost(batches, 'midway', 1)],
		links: [batch()],
		items: 100,
		short: true,
	},
	{
		id: 'A6',
		what: 'While the node waits for 5 videos, ten status responses are truncated.',
		faults: [{ method: 'GET', path: /^\/v3\/videos/, cut: 'midway', times: 10 }],
		links: [video(waiting)],
		items: 5,
	},
	{
		id: 'A7',
		what: "The response to a create request for a video is lost ten times. The error says that the video may exist, and a run with the request's key finds the video without a second payment.",
		faults: [lost(videos, 'after', 10)],
		links: [video()],
		items: 1,
		judge: () => [],
	},
	{
		id: 'A8',
		what: 'With Retry On Fail on, the response to a create request for an agent session (no idempotency key) is lost. The session is not created again, and the error says that the session may exist.',
		faults: [lost(sessions, 'after', 1)],
		links: [session({}, retried)],
		kind: 'session',
		items: 1,
		short: true,
		judge: (execution) => [
			!errorText(execution).includes('session may have been created') &&
				`it says: ${errorText(execution)}`,
		],
	},
	{
		id: 'A9',
		what: 'A workflow creates 100 videos and waits for them while about a third of all requests fail. The service responds with 429, 500, 502 or 503, or the connection breaks before or after the service processes the request, or during the response.',
		faults: third,
		links: [video({ ...waiting, advanced: { pollInterval: 1, requestsAtOnce: 20 } })],
		items: 100,
		short: true,
		itemsInShort: 30,
	},
	{
		id: 'A10',
		what: 'A workflow creates 200 videos in batches while about a third of all requests fail.',
		faults: third,
		links: [batch({ advanced: { requestsAtOnce: 5 } })],
		items: 200,
	},
];

/** Runs again with the key of an error as Custom Key, as a user would. */
async function askedByKey(stage: Stage, execution: Execution): Promise<string> {
	const key = /: (n8n-[0-9a-f]+)/.exec(errorText(execution))?.[1];
	if (key === undefined) return '';
	const again = video({ options: { payOncePer: 'ownKey', idempotencyKey: key } });
	const { id, data } = await run(stage, [again], 1);
	return `${id} ${JSON.stringify(data.resultData.runData)}`;
}

async function brokenAnswers(context: FaultContext): Promise<Row[]> {
	const rows: Row[] = [];
	for (const { id, what: whole, faults, links, kind = 'video', short, judge, ...one } of cases) {
		if (context.short && !short) continue;
		const items = context.short ? (one.itemsInShort ?? one.items) : one.items;
		const what = items === one.items ? whole : whole.replace(String(one.items), String(items));
		const stage = await context.shared();
		for (const fault of faults) stage.simulator.control.fail(fault);
		const execution = await run(stage, links, items);
		stage.simulator.control.clearFaults();
		const byKey = id === 'A7' ? await askedByKey(stage, execution) : '';
		const told = kind === 'session' && errorText(execution) !== '';
		const jobs = await countJobs(stage, kind, [execution.id], byKey);
		const lists = (judge ?? wentWell('Create', items))(execution);
		// The error of a session without a key has no ID.
		rows.push(jobRow(id, what, items, told ? { ...jobs, lost: [] } : jobs, lists));
	}
	return rows;
}

/** Sessions have no key: each lost response is reported, and no create is repeated. */
async function brokenSessions(context: FaultContext): Promise<Row[]> {
	const stage = await context.shared();
	for (const fault of third) stage.simulator.control.fail({ ...fault, method: 'POST' });
	const items = 60;
	const form = session({ advanced: { requestsAtOnce: 10 } }, continued);
	const execution = await run(stage, [form], items);
	stage.simulator.control.clearFaults();
	const jobs = await countJobs(stage, 'session', [execution.id]);
	const doubts = itemsOf(execution, 'Create').filter(({ json }) => json.error).length;
	const untold = Math.max(jobs.lost.length - doubts, 0);
	const made = items - doubts + jobs.lost.length;
	return [
		jobRow(
			'A11',
			`A workflow creates ${items} agent sessions (no idempotency key) while about a third of all requests fail. The errors of ${doubts} items say that the session may exist, and how to check; ${jobs.lost.length} of these sessions do exist.`,
			made,
			{ ...jobs, lost: jobs.lost.slice(0, untold) },
			onlyDoubts(execution),
		),
	];
}

/** Every code as the first response to a create: transient errors are retried, all others reported. */
async function everyError(context: FaultContext): Promise<Row[]> {
	const all = errorCodes.filter(({ status }) => status !== undefined);
	const some = context.short ? all.filter((_, i) => i % 8 === 0) : all;
	const stage = await context.shared();
	const { n8n, simulator } = stage;
	const id = await save(stage, chain('Errors', [start, video({}, continued)]));
	const passing: string[] = [];
	const wrong: string[] = [];
	const executions: string[] = [];
	for (const { status, code } of some) {
		const again = status === 429 ? { retryAfter: code === 'quota_exceeded' ? 3600 : 1 } : {};
		simulator.control.fail({ method: 'POST', path: videos, status, code, times: 1, ...again });
		const execution = await n8n.run(id);
		executions.push(execution.id);
		const [item] = itemsOf(execution, 'Create');
		const details = item?.json.details as IDataObject | undefined;
		if (item?.json.error === undefined) passing.push(code);
		else if (details?.code !== code || details.status !== status) {
			wrong.push(`${code} is told as ${String(details?.code)}`);
		}
		if (/undefined|\[object|TypeError/.test(JSON.stringify(item?.json ?? ''))) {
			wrong.push(`${code} is not told in words`);
		}
	}
	const jobs = await countJobs(stage, 'video', executions);
	return [
		jobRow(
			'A12',
			`Each of the service's ${some.length} error codes is returned once, as the first response to a create request. After the following codes, the node retries the request, and the video is created: ${passing.join(', ')}. For every other code, the node reports the error with advice, and nothing is created.`,
			passing.length,
			jobs,
			[all.length < 70 && `only ${all.length} codes were found in the description`, ...wrong],
		),
	];
}

export const scenario: readonly Scenario[] = [
	{ name: 'slow, lost and cut answers', short: true, run: brokenAnswers },
	{ name: 'a third of the answers to creates without a key', short: false, run: brokenSessions },
	{ name: 'every error code', short: true, run: everyError },
];
