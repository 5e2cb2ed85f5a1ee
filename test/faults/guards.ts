/** Checks before anything is sent, keys of one's own, rows of batches, and the stop button. */
import type { IDataObject } from 'n8n-workflow';
import type { Stage } from '../../tools/stage';
import { itemsOf, type Execution } from '../e2e/n8n';
import { errorText, runDraft, until } from '../e2e/workflows';
import {
	batch as anyBatch,
	forItems,
	now,
	retried,
	save,
	video as anyVideo,
	waiting,
} from './creates';
import { countJobs, foundByKeys, jobColumns, jobRow } from './jobs';
import type { FaultContext, Row, Scenario } from './scenario';

export const title = 'Checks, own keys, batches and the Stop button';
export const columns = jobColumns;

const timed = { script: `=Hello {{ $json.i }}, it is ${now} and all is well.` };

const video: typeof anyVideo = (more, node) => anyVideo({ ...timed, ...more }, node);
const batch: typeof anyBatch = (more, node) => anyBatch({ ...timed, ...more }, node);

const posts = ({ simulator }: Stage) =>
	simulator.control.requests({ method: 'POST', path: /^\/v3\/videos/ });

const failed = ({ status }: Execution) => status !== 'success' && `it ended with ${status}`;

async function checks(context: FaultContext): Promise<Row[]> {
	const stage = await context.shared();
	const script = "={{ $json.i === 7 ? 'x'.repeat(5001) : 'Hello, this is a long enough text.' }}";
	const id = await save(stage, forItems(10, video({ script })));
	const execution = await stage.n8n.run(id);
	const text = errorText(execution);
	return [
		jobRow(
			'C1',
			'The script of the eighth of 10 videos is too long. Nothing is sent, and the error names the field, the limit, the value, and the item.',
			0,
			await countJobs(stage, 'video', [execution.id]),
			[
				posts(stage).length > 0 && 'something was sent',
				...['Script', '5,000', '5,001', 'row 8'].map(
					(word) => !text.includes(word) && `the error lacks "${word}": ${text}`,
				),
			],
		),
	];
}

/** A run, and the same workflow run again, with a time of day in the script. */
async function ownKeys(context: FaultContext): Promise<Row[]> {
	const rows: Row[] = [];
	for (const [rowId, what, link, count, keys] of [
		[
			'C2',
			'A workflow runs twice with 5 videos. Each video has an order number as its Custom Key, and the current time in its script.',
			video({ options: { payOncePer: 'ownKey', idempotencyKey: '=order-{{ $json.i }}' } }),
			5,
			['order-0', 'order-1', 'order-2', 'order-3', 'order-4'],
		],
		[
			'C3',
			'A workflow with Create Batch runs twice with 150 rows and one Custom Key, "sheet". Each row is sent alone with its own key, and none is paid for twice.',
			anyBatch({ options: { payOncePer: 'ownKey', idempotencyKey: 'sheet' } }),
			150,
			undefined,
		],
	] as const) {
		const stage = await context.shared();
		const id = await save(stage, forItems(count, link));
		const runs = [await stage.n8n.run(id), await stage.n8n.run(id)];
		const sent = new Set(posts(stage).map(({ headers }) => headers['idempotency-key']));
		const jobs = await countJobs(
			stage,
			'video',
			runs.map((one) => one.id),
		);
		rows.push(
			jobRow(rowId, what, count, jobs, [
				...runs.map(failed),
				keys
					? [...sent].sort().join() !== keys.join() && `the keys were ${[...sent].join(', ')}`
					: sent.size !== count && `${sent.size} different keys were sent`,
			]),
		);
	}
	return rows;
}

/** Rows of a batch that fail, with Retry On Fail. */
async function batchRows(context: FaultContext): Promise<Row[]> {
	const stage = await context.shared();
	for (let i = 0; i < 2; i++) {
		stage.simulator.control.failNext('video', { code: 'render_failed', message: 'Lost a face' });
	}
	const execution = await runDraft(stage, forItems(20, batch(waiting, retried)));
	const items = itemsOf(execution, 'Create');
	return [
		jobRow(
			'C4',
			'Two of 20 rows in a batch fail with a temporary error. The script of each row contains the current time. Retry On Fail creates only these two rows again. The Requested column counts 20 rows and 2 replacements.',
			22,
			await countJobs(stage, 'video'),
			[
				failed(execution),
				items.some(({ json }) => json.status !== 'completed') && 'a row is not completed',
				new Set(items.map(({ json }) => json.video_id)).size !== 20 && 'rows share a video',
			],
		),
	];
}

/** The stop button while creates are on their way; with OAuth, n8n cuts these. */
async function stopped(context: FaultContext): Promise<Row[]> {
	const rows: Row[] = [];
	for (const [rowId, authentication, words] of [
		['C5', 'apiKey', 'an API key, requests in flight finish.'],
		[
			'C6',
			'oAuth2',
			'OAuth, requests in flight are aborted, and their keys can be used to find the videos that were created.',
		],
	] as const) {
		const stage = await context.shared();
		const { n8n, simulator } = stage;
		const { control, baseUrl } = simulator;
		control.holdJobs(true);
		control.fail({ method: 'POST', path: '/v3/videos', lateMs: 1_500 });
		try {
			const token = { access_token: simulator.accessToken, token_type: 'bearer' };
			const signedIn = await n8n.createCredential('videoGenOAuth2Api', `Signed in for ${rowId}`, {
				...{ baseUrl, authUrl: `${baseUrl}/oauth/authorize` },
				...{ accessTokenUrl: `${baseUrl}/oauth/token`, oauthTokenData: token },
			});
			const link = video(
				{ authentication, waitForCompletion: true },
				authentication === 'oAuth2' ? { credentials: { videoGenOAuth2Api: signedIn } } : {},
			);
			const execution = await n8n.start(await save(stage, forItems(10, link)));
			const jobs = () => control.jobs('video') as IDataObject[];
			// More than the first, which goes alone.
			const least = 2 + Math.floor(context.random() * 5);
			await until('some videos', () => jobs().length >= least);
			await n8n.stopExecution(execution);
			const { status } = await n8n.waitForExecution({ id: execution }, { until: ['canceled'] });
			// Requests in flight have their responses by then.
			await new Promise((resolve) => setTimeout(resolve, 3_000));
			const before = jobs().length;
			await new Promise((resolve) => setTimeout(resolve, 1_000));
			control.clearFaults();
			const byKeys = await foundByKeys(stage, '/v3/videos');
			const count = await countJobs(stage, 'video', undefined, byKeys);
			rows.push(
				jobRow(
					rowId,
					`The Stop button is pressed after ${least} of 10 videos have been created, and the execution is listed as ${status}. No more requests are sent. With ${words}`,
					count.made,
					count,
					[
						jobs().length > before && 'something was made after the stop',
						!n8n.logs().includes('Stopped. These jobs exist') &&
							'the log does not tell of the stop',
					],
				),
			);
		} finally {
			control.clearFaults();
			control.holdJobs(false);
		}
	}
	return rows;
}

export const scenario: readonly Scenario[] = [
	{ name: 'checks before anything is sent', short: true, run: checks },
	{ name: 'keys of one’s own', short: true, run: ownKeys },
	{ name: 'rows of a batch that fail', short: true, run: batchRows },
	{ name: 'the stop button', short: false, run: stopped },
];
