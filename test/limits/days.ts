/** Days of a workflow that runs every hour, with outages, restarts of n8n, and tokens that expire. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';
import { createRandom } from '../../simulator/faults';
import { packageName, withCredential, type Stage } from '../../tools/stage';
import { recommendedSettings } from '../bench/deliveries';
import { median } from '../bench/rounds';
import type { Reference, WorkflowDraft } from '../e2e/n8n';
import { accountType, connectAccount, saveAccount } from '../e2e/oauth';
import { byId, chain, type Link } from '../e2e/workflows';
import { avatar } from '../faults/creates';
import { skipTime, type Holdings, type SkippedTime } from './skipTime';
import type { LimitContext, LimitFile } from './section';

/** Number of days. DAYS=7 sets another one. */
const days = 30;

/** Videos that each execution creates, and seconds that the service makes them in. */
const videosPerHour = 3;
const jobSeconds = 900;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * How much more memory the last third of the days may need than the first. Resident memory contains
 * what the allocator keeps for later, so it varies more than the heap.
 */
const memoryGrowth = { heap: 1.1, rss: 1.25 };

/** How many records of events each trigger may keep in n8n's store. */
const maxRecords = { Events: 2_000, Poll: 4_000 };

const workflowNames = ['Hourly', 'Events', 'Poll'] as const;
type Name = (typeof workflowNames)[number];

/** Create videos, wait for them, and download from each two hours later, when its URLs have expired. */
function hourly(account: Reference): WorkflowDraft {
	const signedIn = { credentials: { [accountType]: account } };
	const oAuth2 = { authentication: 'oAuth2' };
	const links: Link[] = [
		{
			name: 'Hour',
			type: 'n8n-nodes-base.scheduleTrigger',
			parameters: { rule: { interval: [{ field: 'hours', triggerAtMinute: 0 }] } },
			more: { typeVersion: 1.2 },
		},
		{
			name: 'List',
			type: 'n8n-nodes-base.set',
			parameters: {
				mode: 'raw',
				jsonOutput: `={{ { items: [${Array.from({ length: videosPerHour }, (_, row) => `{ row: ${row}, at: $json.timestamp }`).join(', ')}] } }}`,
				options: {},
			},
			more: { typeVersion: 3.4 },
		},
		{
			name: 'Items',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'items', options: {} },
		},
		{
			name: 'Create',
			type: 'video',
			parameters: avatar({
				...oAuth2,
				script: '=Hello {{ $json.row }}, this is a long enough text.',
				waitForCompletion: true,
				options: {
					title: '={{ $json.at }} {{ $json.row }}',
					payOncePer: 'request',
				},
			}),
			more: signedIn,
		},
		{
			name: 'Rest',
			type: 'n8n-nodes-base.wait',
			parameters: { amount: 2, unit: 'hours' },
			more: { typeVersion: 1.1, webhookId: crypto.randomUUID() },
		},
		{
			name: 'Download',
			type: 'video',
			parameters: {
				...oAuth2,
				operation: 'download',
				video_id: byId('={{ $json.video_id }}'),
				files: ['thumbnail'],
				binaryPropertyName: 'data',
			},
			more: signedIn,
		},
		{ name: 'Done', type: 'n8n-nodes-base.noOp' },
	];
	const draft = chain('Hourly', links);
	// Without it, n8n's Retry of a killed execution has nothing to continue from.
	return { ...draft, settings: { ...draft.settings, saveExecutionProgress: true } };
}

const trigger = (name: Name, link: Partial<Link> & { type: string }): WorkflowDraft =>
	chain(name, [
		{ name: 'Event', ...link },
		{ name: 'Done', type: 'n8n-nodes-base.noOp' },
	]);

/** Creates and publishes the three workflows, and returns their IDs. */
async function publish(stage: Stage): Promise<Record<Name, string>> {
	const { n8n, credential } = stage;
	const account = await saveAccount(stage, 'Account', {
		clientId: 'demo-public',
		clientSecret: '',
	});
	await connectAccount(stage, account);
	const drafts = {
		Hourly: hourly(account),
		Events: trigger('Events', {
			type: 'trigger',
			parameters: { events: ['avatar_video.success'] },
		}),
		Poll: trigger('Poll', {
			type: `${packageName}.videoGenPollingTrigger`,
			parameters: {
				authentication: 'oAuth2',
				source: 'videos',
				pollTimes: { item: [{ mode: 'everyX', value: 5, unit: 'minutes' }] },
			},
			more: { credentials: { [accountType]: account } },
		}),
	};
	const ids = { Hourly: '', Events: '', Poll: '' };
	for (const name of workflowNames) {
		({ id: ids[name] } = await n8n.createWorkflow(withCredential(drafts[name], credential)));
		await n8n.activate(ids[name]);
	}
	return ids;
}

/** Reads n8n's database, presses Retry, and counts what came out. */
function watch({ n8n }: Stage, ids: Record<Name, string>) {
	const query = <T>(sql: string, ...values: string[]): T[] => {
		const db = new DatabaseSync(join(n8n.userFolder, '.n8n', 'database.sqlite'), {
			readOnly: true,
		});
		try {
			return db.prepare(sql).all(...values) as T[];
		} finally {
			db.close();
		}
	};
	const counted = new Set<number>();
	const retried = new Set<number>();
	const problems: string[] = [];
	let silent = 0;
	/** How often each video was output, by workflow. */
	const outputs = {
		Hourly: new Map<string, number>(),
		Events: new Map<string, number>(),
		Poll: new Map<string, number>(),
	};
	return {
		outputs,
		retried,
		problems,
		/** How many executions have output nothing. */
		silent: () => silent,
		/** Counts the executions that have ended. n8n deletes them after two weeks. */
		count() {
			for (const name of workflowNames) {
				const ended = query<{ id: number; data: string }>(
					`SELECT id, data FROM execution_entity JOIN execution_data ON id = executionId
					 WHERE workflowId = ? AND status = 'success' AND id > ?`,
					ids[name],
					String(Math.max(0, ...counted) - 2_000),
				);
				for (const { id, data } of ended) {
					if (counted.has(id)) continue;
					counted.add(id);
					const run = parse(data) as IRunExecutionData;
					const items = run.resultData.runData.Done?.flatMap((one) => one.data?.main?.[0] ?? []);
					if (!items) silent++;
					for (const { json, binary } of items ?? []) {
						const video = String(json.video_id);
						outputs[name].set(video, (outputs[name].get(video) ?? 0) + 1);
						if (name === 'Hourly' && !binary?.data) problems.push(`${video} has no file`);
					}
				}
			}
		},
		/** Presses Retry on what an outage or a kill has ended. A failed poll has found nothing yet. */
		retry() {
			for (const name of workflowNames) {
				const failed = query<{ id: number }>(
					`SELECT id FROM execution_entity
					 WHERE workflowId = ? AND (status = 'crashed' OR status = 'error' AND ? <> 'Poll')`,
					ids[name],
					name,
				);
				for (const { id } of failed) {
					if (retried.has(id)) continue;
					retried.add(id);
					const body = { loadWorkflow: false };
					void n8n.api('POST', `/executions/${id}/retry`, body).catch((error: unknown) => {
						problems.push(`${name} ${id}: ${String(error)}`);
					});
				}
			}
		},
		sizes() {
			const sum = (sql: string) => query<{ value: number | null }>(sql)[0]?.value ?? 0;
			return {
				staticData: sum('SELECT SUM(LENGTH(staticData)) AS value FROM workflow_entity'),
				recordRows: sum('SELECT COUNT(*) AS value FROM processed_data'),
				recordBytes: sum('SELECT SUM(LENGTH(value)) AS value FROM processed_data'),
				executions: sum('SELECT COUNT(*) AS value FROM execution_entity'),
			};
		},
		records: (name: Name) => {
			const sql = 'SELECT value FROM processed_data WHERE workflowId = ?';
			const [row] = query<{ value: string }>(sql, ids[name]);
			return (JSON.parse(row?.value ?? '{"data":[]}') as { data: string[] }).data.length;
		},
	};
}

/** The service is out of order, in one of three ways. */
function breakService({ simulator: { control } }: Stage, index: number) {
	if (index % 3 === 2) return control.fail({ cut: 'before' });
	// Videos are created, but no response says so.
	if (index % 3 === 0) control.fail({ method: 'POST', path: '/v3/videos', cut: 'after' });
	control.fail({ status: 503, code: 'service_unavailable' });
}

type Watch = ReturnType<typeof watch>;
type Day = Holdings & ReturnType<Watch['sizes']>;

interface Run extends LimitContext {
	stage: Stage;
	time: SkippedTime;
	seen: Watch;
	random(): number;
}

/** Lets one day pass: a restart at night, an outage in the morning, and a measurement at 23:50. */
async function passDay({ stage, time, seen, random }: Run, start: number, index: number) {
	const { n8n, simulator } = stage;
	const until = async (moment: number) => await time.passUntil(simulator, moment);
	const restart = async (moment: number) => {
		const isKill = index % 2 === 0;
		// While the videos of the hour are being created.
		await until(moment - 1_000);
		await new Promise((resolve) => setTimeout(resolve, 1_000 + 1_500 * random()));
		await n8n.kill(isKill ? 'SIGKILL' : 'SIGTERM');
		await time.passWithoutN8n(simulator, time.now() + (5 + 85 * random()) * minute);
		await n8n.restart();
		// n8n may list an execution as crashed that has only just continued.
		await until(time.now() + 10 * minute);
		seen.retry();
	};
	const outage = start + Math.floor(6 + 5 * random()) * hour + 30 * minute;
	const isRestartInOutage = index % 3 === 1;
	if (!isRestartInOutage) await restart(start + Math.floor(2 + 3 * random()) * hour);
	await until(outage);
	breakService(stage, index);
	if (isRestartInOutage) await restart(outage + 30 * minute);
	await until(outage + (1 + 2 * random()) * hour);
	simulator.control.clearFaults();
	await until(time.now() + 10 * minute);
	seen.retry();
	await until(start + 23 * hour + 50 * minute);
	seen.retry();
	seen.count();
	return { ...(await time.measure()), ...seen.sizes() };
}

/** Returns what is wrong: each video should be output exactly once by each workflow. */
function findFaults({ stage, seen }: Run): string[] {
	const videos = stage.simulator.control.jobs('video') as Array<{ id: string; title: string }>;
	const made = videos.filter(({ title }) => / \d$/.test(title));
	const titles = new Set(made.map(({ title }) => title));
	const wrong = [...seen.problems.filter((one) => one.endsWith('no file'))];
	if (titles.size < made.length) wrong.push(`${made.length - titles.size} videos were paid twice`);
	for (const name of workflowNames) {
		const times = made.map(({ id }) => seen.outputs[name].get(id) ?? 0);
		const lost = times.filter((count) => count === 0).length;
		const twice = times.filter((count) => count > 1).length;
		if (lost > 0) wrong.push(`${name}: ${lost} lost`);
		if (twice > 0) wrong.push(`${name}: ${twice} output twice`);
	}
	return wrong;
}

const MB = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

/** The median of the first third of the days, and that of the last. */
function thirds(all: readonly Day[], key: keyof Day): [number, number] {
	const size = Math.max(1, Math.floor(all.length / 3));
	const of = (part: readonly Day[]) => median(part.map((one) => one[key]));
	return [of(all.slice(0, size)), of(all.slice(-size))];
}

function reportGrowth({ report, seen }: Run, all: readonly Day[]): void {
	const [rss, heap, files, sockets, state, rows, bytes] = (
		['rss', 'heapUsed', 'files', 'sockets', 'staticData', 'recordRows', 'recordBytes'] as const
	).map((key) => thirds(all, key));
	const change = (
		[first, last]: [number, number] = [NaN, NaN],
		show: (value: number) => string = String,
	) => `${show(first)} → ${show(last)}`;
	const grows = ([first, last]: [number, number] = [NaN, NaN], factor = 1, more = 0) =>
		!(last <= first * factor + more);
	report({
		what: 'The same: n8n’s memory at 23:50, first third of the days → last third',
		figure: `heap ${change(heap, MB)}, resident ${change(rss, MB)}, after a collection`,
		beyond: 'Memory does not grow with the days, but with the number of concurrent executions.',
		wrong: [
			...(grows(heap, memoryGrowth.heap) ? ['the heap grows'] : []),
			...(grows(rss, memoryGrowth.rss) ? ['the resident memory grows'] : []),
		],
	});
	report({
		what: 'The same: open files of n8n, and how many of them are sockets',
		figure: `${change(files)}, sockets ${change(sockets)}`,
		beyond: 'The days add none.',
		wrong: grows(files, 1, 5) ? ['the number of open files grows'] : [],
	});
	const records = (['Events', 'Poll'] as const).map((name) => [name, seen.records(name)] as const);
	report({
		what: 'The same: static data of the workflows, and rows of the deduplication store',
		figure: `${change(state)} bytes, and ${change(rows)} rows of ${change(bytes)} bytes. At the end, the triggers store ${records.map(([name, count]) => `${count.toLocaleString('en')} (at most ${maxRecords[name].toLocaleString('en')})`).join(' and ')} records, and n8n stores ${all.at(-1)?.executions.toLocaleString('en')} executions.`,
		beyond: 'A trigger keeps one row. When the row is full, new records replace the oldest.',
		wrong: [
			...(grows(state, 1.2, 500) ? ['the static data grows'] : []),
			...(grows(rows) ? ['rows are added'] : []),
			...records.flatMap(([name, count]) =>
				count > maxRecords[name] ? [`${name}: ${count}`] : [],
			),
		],
	});
}

async function run(context: LimitContext): Promise<void> {
	const { startOwn, newFolder, report, log } = context;
	const count = Number(process.env.DAYS ?? days);
	const time = await skipTime(newFolder('time'));
	const stage = await startOwn({
		env: { ...recommendedSettings, ...time.env },
		simulator: { jobSeconds },
	});
	const { n8n, simulator } = stage;
	const { control } = simulator;
	const ids = await publish(stage);
	const seen = watch(stage, ids);
	const self: Run = { ...context, stage, time, seen, random: createRandom(1) };
	const start = Math.ceil(time.now() / hour) * hour;
	const all: Day[] = [];
	for (let index = 0; index < count; index++) {
		const began = Date.now();
		const measured = await passDay(self, start + index * day, index);
		all.push(measured);
		const seconds = ((Date.now() - began) / 1000).toFixed(0);
		log(`  day ${index + 1} in ${seconds} s: ${JSON.stringify(measured)}`);
	}
	// What has begun comes to its end.
	await n8n.deactivate(ids.Hourly);
	for (let rest = 0; rest < 3; rest++) {
		await time.passUntil(simulator, time.now() + 4 * hour);
		seen.retry();
	}
	seen.count();
	const videos = control.jobs('video').length;
	const renewals = control
		.requests({ path: '/oauth/token' })
		.filter(({ status }) => status === 200);
	for (const problem of seen.problems) log(`  ${problem}`);
	report({
		what: `In ${count} simulated days, a workflow creates ${videosPerHour} videos every hour and downloads them two hours later, and both triggers receive the videos. Each day has an outage of 1 to 3 hours and a restart of n8n. Every second restart follows a SIGKILL.`,
		figure: `All ${videos.toLocaleString('en')} finished videos and their events are output once, and none is paid for twice. Retry continued ${seen.retried.size} executions, ${seen.silent()} executions of repeated deliveries output nothing, and tokens were renewed ${renewals.length} times.`,
		beyond:
			'Executions that fail in an outage or are killed need Retry, with Pay Once Per set to Unique Request. See [What is guaranteed](../guarantees.md).',
		wrong: findFaults(self),
	});
	reportGrowth(self, all);
	time.close();
}

export const limits: LimitFile = {
	title: 'Time',
	how: 'n8n and the simulator share one clock. The clock runs at real speed while a request or a query is in flight, and otherwise skips to the next timer, so timeouts still work as intended. n8n’s recurring timers run up to a minute late. Each hour, n8n runs a workflow in which Create waits for its videos, a Wait node pauses for two hours, and Download signs in with OAuth. Tokens and file URLs expire after an hour.',
	run,
};
