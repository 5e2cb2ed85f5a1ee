/** Retry On Fail, n8n's Retry button and AI agents, with values that change from try to try. */
import assert from 'node:assert/strict';
import type { IDataObject, INode } from 'n8n-workflow';
import type { Stage } from '../../tools/stage';
import { errorOf, itemsOf, type Execution } from '../e2e/n8n';
import { errorText, runDraft, type Link } from '../e2e/workflows';
import { runAgent } from './agent';
import {
	continued as continuing,
	forItems,
	now,
	retried,
	session as anySession,
	video as anyVideo,
	waiting,
} from './creates';
import { countJobs, jobColumns, jobRow } from './jobs';
import type { FaultContext, Row, Scenario } from './scenario';

export const title = 'Retries';
export const columns = jobColumns;

const continued: Partial<INode> = { ...retried, ...continuing };

const video: typeof anyVideo = (more, node = retried) => anyVideo(more, node);

const session: typeof anySession = (more, node = retried) =>
	anySession({ prompt: `=A welcome to {{ $json.i }} at ${now}`, ...more }, node);

const titled = { title: `=Video of ${now}` };

/** Runs one node for so many items. */
const run = async (stage: Stage, link: Link, count: number): Promise<Execution> =>
	await runDraft(stage, forItems(count, link));

interface Case {
	id: string;
	what: string;
	link: Link;
	/** Videos, where nothing is said. */
	kind?: 'session';
	items: number;
	/** Jobs that there must be, those included that replace failed ones. */
	asked: number;
	arrange?: (stage: Stage) => void;
	/** The log of n8n names some of them: what was replaced is in no item. */
	byLog?: true;
	/** What is wrong with what came of it. */
	judge?: (execution: Execution, stage: Stage) => Array<string | false>;
}

const reject =
	(path: string, after = 0, times = 1) =>
	({ simulator: { control } }: Stage) => {
		if (after > 0) control.fail({ method: 'POST', path, delayMs: 1, times: after });
		control.fail({ method: 'POST', path, status: 402, code: 'insufficient_credit', times });
	};

const failRender =
	(code: string, message = 'The face was lost') =>
	({ simulator: { control } }: Stage) =>
		control.failNext('video', { code, message });

const succeeded =
	(count: number) =>
	(execution: Execution): Array<string | false> => {
		const items = itemsOf(execution, 'Create');
		return [
			execution.status !== 'success' &&
				`it ended with ${execution.status}: ${errorText(execution)}`,
			items.length !== count && `${items.length} items came out`,
			items.some(({ json }) => json.error) && 'an item is an error',
		];
	};

const oneByOne = { advanced: { requestsAtOnce: 1 } };

const cases: Case[] = [
	{
		id: 'R1',
		what: 'The titles of 5 videos contain the current time. The fourth create request is rejected once (402), with Retry On Fail turned on.',
		link: video({ options: titled, ...oneByOne }),
		items: 5,
		asked: 5,
		arrange: reject('/v3/videos', 3),
		judge: succeeded(5),
	},
	{
		id: 'R2',
		what: 'The prompts of 5 agent sessions (no idempotency key) contain the current time. With Retry On Fail, the fourth create request is rejected once.',
		link: session(oneByOne),
		kind: 'session',
		items: 5,
		asked: 5,
		arrange: reject('/v3/video-agents', 3),
		judge: succeeded(5),
	},
	{
		id: 'R3',
		what: 'The scripts of 5 videos contain the current time. One render fails with a temporary error, and Retry On Fail creates the video again. The log names the failed video. The Requested column counts 5 videos and 1 replacement.',
		link: video({ ...waiting, script: `=Hello {{ $json.i }}, it is ${now} and all is well.` }),
		items: 5,
		asked: 6,
		arrange: failRender('render_failed'),
		byLog: true,
		judge: succeeded(5),
	},
	{
		id: 'R4',
		what: 'One of 5 videos violates the content policy. Retry On Fail does not create the video again.',
		link: video({ ...waiting, script: `=Hello {{ $json.i }}, it is ${now} and all is well.` }),
		items: 5,
		asked: 5,
		arrange: failRender('content_policy_violation', 'Not allowed'),
		judge: (execution) => [!errorText(execution).includes('Not allowed') && 'the error is lost'],
	},
	{
		id: 'R5',
		what: 'The titles of 5 videos contain the current time. Continue On Fail and Retry On Fail are on, and the first item is rejected once.',
		link: video({ options: titled, ...oneByOne }, continued),
		items: 5,
		asked: 5,
		arrange: ({ simulator: { control } }) =>
			control.fail({ method: 'POST', path: '/v3/videos', status: 400, times: 1 }),
		judge: succeeded(5),
	},
	{
		id: 'R6',
		what: 'A workflow creates 150 videos in batches, with Continue On Fail and Retry On Fail. The first item is invalid on the first attempt only.',
		link: video(
			{
				operation: 'createBatch',
				itemIs: 'avatar',
				// The first try begins at once, the second 5 seconds later.
				script: `={{ $json.i === 0 && Date.now() < LATER ? '' : 'Hello, this is a long enough text.' }}`,
			},
			{ ...continued, waitBetweenTries: 5_000 },
		),
		items: 150,
		asked: 150,
		judge: (execution, { simulator }) => [
			...succeeded(150)(execution),
			simulator.control.jobs('batch').length !== 3 && 'the first item was right in the first try',
		],
	},
	{
		id: 'R7',
		what: 'After 8 of 10 videos are created, all requests are rejected on every attempt. The error names the 8 videos.',
		link: video({ options: titled, ...oneByOne }),
		items: 10,
		asked: 8,
		arrange: reject('/v3/videos', 8, 100),
		judge: (execution) => {
			const { started, job } = (errorOf(execution) as unknown as { context: IDataObject }).context
				.details as { started?: unknown[]; job?: unknown };
			const count = (started?.length ?? 0) + (job ? 1 : 0);
			return [count !== 8 && `the error names ${count}`];
		},
	},
	{
		id: 'R8',
		what: 'After 8 of 10 agent sessions (no idempotency key) are created, all requests are rejected on every attempt. The error names the 8 sessions.',
		link: session(oneByOne),
		kind: 'session',
		items: 10,
		asked: 8,
		arrange: reject('/v3/video-agents', 8, 100),
	},
	{
		id: 'R9',
		what: 'The titles of 5 videos contain the current time, and Pay Once Per is set to Unique Request. The fourth create request is rejected once, with Retry On Fail turned on.',
		link: video({ options: { ...titled, payOncePer: 'request' }, ...oneByOne }),
		items: 5,
		asked: 5,
		arrange: reject('/v3/videos', 3),
		judge: succeeded(5),
	},
	{
		id: 'R10',
		what: 'A run with 10,000 videos has Max Jobs per Run set to 200. The run is rejected before anything is sent.',
		link: video({ options: { mostJobs: 200 } }, {}),
		items: 10_000,
		asked: 0,
		judge: (execution) => [
			!errorText(execution).includes('would create 10,000 videos; the limit is 200') &&
				`it says: ${errorText(execution).slice(0, 200)}`,
		],
	},
	{
		id: 'R11',
		what: "A run with 5 videos has Min Account Balance set to more than the account's balance. Nothing is created.",
		link: video({ advanced: { stopBelowBalance: 1_000_000 } }),
		items: 5,
		asked: 0,
		judge: (execution) => [
			!errorText(execution).includes('less than the minimum of 1,000,000') &&
				'the error does not say why',
		],
	},
];

const inShort = ['R1', 'R2', 'R3', 'R5', 'R7', 'R9'];

/** Fills in the time until which the first try of `R6` is wrong. */
const timed = (link: Link): Link =>
	JSON.parse(JSON.stringify(link).replace('LATER', String(Date.now() + 4_500))) as Link;

async function valuesThatChange(context: FaultContext): Promise<Row[]> {
	const rows: Row[] = [];
	for (const one of cases) {
		if (context.short && !inShort.includes(one.id)) continue;
		const stage = await context.shared();
		one.arrange?.(stage);
		const execution = await run(stage, timed(one.link), one.items);
		const jobs = await countJobs(
			stage,
			one.kind ?? 'video',
			one.byLog ? undefined : [execution.id],
		);
		rows.push(jobRow(one.id, one.what, one.asked, jobs, one.judge?.(execution, stage)));
	}
	return rows;
}

/** n8n's Retry button, after six of ten. */
async function retryButton(context: FaultContext): Promise<Row[]> {
	const rows: Row[] = [];
	for (const [id, payOncePer, asked, words] of [
		['R12', 'execution', 10, 'Execution'],
		['R13', 'request', 10, 'Unique Request'],
	] as const) {
		const stage = await context.shared();
		reject('/v3/videos', 6)(stage);
		const link = video({ options: { payOncePer }, ...oneByOne }, {});
		const failed = await run(stage, link, 10);
		assert.equal(failed.status, 'error');
		const { n8n } = stage;
		await n8n.api('POST', `/executions/${failed.id}/retry`, { loadWorkflow: false });
		const again = await n8n.waitForExecution({
			workflowId: failed.workflowId,
			afterId: failed.id,
		});
		const jobs = await countJobs(stage, 'video', [failed.id, again.id]);
		rows.push(
			jobRow(
				id,
				`Six of 10 videos are created before a create request is rejected. With Pay Once Per set to ${words}, n8n's Retry button creates the four missing videos.`,
				asked,
				jobs,
				succeeded(10)(again),
			),
		);
	}
	return rows;
}

/** An agent calls a node as its tool: other words, the same words, at the same time, and tried again. */
async function agents(context: FaultContext): Promise<Row[]> {
	const words = "={{ $fromAI('words', 'what to say', 'string') }}";
	const hello = { words: 'Hello there, this is a long enough text.' };
	const other = { words: 'Good bye then, this is a long enough text.' };
	const third = { words: 'How are you, this is a long enough text.' };
	const rows: Row[] = [];
	const kinds = [
		{ kind: 'video', path: '/v3/videos', tool: 'videoGenVideo', ...video({ script: words }) },
		{
			kind: 'session',
			path: '/v3/video-agents',
			tool: 'videoGenAgent',
			...session({ prompt: words }),
		},
	];
	let number = 14;
	for (const typeVersion of [3, 2.2]) {
		for (const { kind, path, tool, parameters = {} } of kinds) {
			const stage = await context.shared();
			stage.simulator.control.fail({ method: 'POST', path, status: 402, times: 1 });
			const execution = await runAgent(
				stage,
				typeVersion,
				{ type: tool, parameters, more: retried },
				[[hello], [hello], [other], [hello, third, third]],
			);
			const wrong =
				execution.status !== 'success' && `${execution.status}: ${errorText(execution)}`;
			rows.push(
				jobRow(
					`R${number++}`,
					`An AI Agent (version ${typeVersion}) calls a tool that creates a ${kind}: twice with the same text, and once with different text. The agent then makes three calls at once: one with the first text, and two with a new text. The very first call is rejected once, and n8n retries it.`,
					3,
					await countJobs(stage, kind, [execution.id]),
					[wrong],
				),
			);
		}
	}
	return rows;
}

export const scenario: readonly Scenario[] = [
	{ name: 'values that change from try to try', short: true, run: valuesThatChange },
	{ name: 'the Retry button of n8n', short: false, run: retryButton },
	{ name: 'AI agents that call a node as their tool', short: true, run: agents },
];
