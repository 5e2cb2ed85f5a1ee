/** n8n in queue mode, all of whose processes and servers are killed again and again under load. */
import { parse } from 'flatted';
import type { INodeParameters, IRunExecutionData } from 'n8n-workflow';
import { createRandom } from '../../simulator/faults';
import { packageName } from '../../tools/stage';
import { recommendedSettings } from '../bench/deliveries';
import { chain, itemsNode, until, type Link } from '../e2e/workflows';
import { numbered, video } from '../faults/creates';
import { eventIn, eventOf, inParallel, last, noOp, publishTrigger } from '../faults/deliveries';
import { foundByKeys, logText } from '../faults/jobs';
import { type Cluster, startCluster } from '../queue/cluster';
import { calledLink, publish } from '../queue/production';
import { disturb, partsOf, pause } from '../queue/disturb';
import { missingServers } from '../queue/servers';
import type { LimitContext, LimitFile } from './section';

const size = { workers: 4, webhooks: 2, minutes: 10, secondsPerKill: 18 };

/** Items of each execution that creates videos, and the seconds that a video takes. */
const perCall = 2;
const jobSeconds = 8;

interface Run {
	id: string;
	workflow: string;
	status: string;
	/** The number of the call, or the event, that it is about; empty if n8n has dropped its data. */
	subject: string;
	/** Whether the workflow reached its end. */
	isDone: boolean;
	/** The videos that it output. */
	outputs: string[];
	/** The first part of its error. */
	error: string;
	text: string;
}

function readRuns({ postgres }: Cluster): Run[] {
	const rows = postgres.query<Pick<Run, 'id' | 'workflow' | 'status' | 'text'>>(`
		SELECT e.id::text, e."workflowId" AS workflow, e.status, d.data AS text
		FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id ORDER BY e.id`);
	return rows.map((row) => {
		const data = parse(row.text) as IRunExecutionData;
		const { runData } = data.resultData;
		// After a crash, n8n adds a first task without data to the nodes that had run.
		const begun = (runData.Begin ?? []).map((task) => task.data?.main);
		const waiting = data.executionData?.nodeExecutionStack.map((one) => one.data.main) ?? [];
		const calls = [...begun, ...waiting].map((main) => main?.[0]?.[0]?.json.body as { n?: number });
		const call = calls.find((body) => body?.n !== undefined)?.n;
		const isDone = row.status === 'success' && runData[last] !== undefined;
		const items = isDone ? (runData[last]?.at(-1)?.data?.main?.[0] ?? []) : [];
		const outputs = items.map(({ json }) => String(json.video_id));
		const error = (data.resultData.error?.message ?? '').split(/[.:] | and /)[0] ?? '';
		return { ...row, subject: String(call ?? eventIn(data)), isDone, outputs, error };
	});
}

/** Longer than n8n takes to notice that a worker is gone, and than a suspended wait takes to poll. */
const restSeconds = 150;

/** Waits until no execution is open, or none has changed for a while. */
async function comeToRest(cluster: Cluster): Promise<void> {
	let before = '';
	let since = Date.now();
	await until(
		'the end of all executions',
		async () => {
			await pause(3);
			const open = cluster.postgres.query<object>(
				`SELECT id, status, "waitTill" FROM execution_entity WHERE status IN ('new', 'running', 'waiting') ORDER BY id`,
			);
			const now = JSON.stringify(open);
			if (now !== before) since = Date.now();
			before = now;
			return open.length === 0 || Date.now() - since > restSeconds * 1000;
		},
		600_000,
	);
}

const create = (more: INodeParameters, options: INodeParameters): Link =>
	video({
		script: '=Hello {{ $json.i }}, this is a long enough text.',
		...more,
		options: { title: '={{ $("Begin").first().json.body.n }}-{{ $json.i }}', ...options },
	});

const items = itemsNode(numbered(perCall).map((item) => ({ ...item, row: item.i })));
const inNode = { waitForCompletion: true, advanced: { pollInterval: 1 } };
const sameRequest = { payOncePer: 'request' };
const waitForItems = { resource: 'job', operation: 'wait', options: { pollInterval: 1 } };

/** Seconds of a cycle in which jobs end, and then in which none does, so that executions are suspended. */
const cycle = { open: 60, held: 90 };

async function publishAll(cluster: Cluster) {
	const links = (one: Link) => [calledLink(), ...items, one];
	const waits = (options: INodeParameters) =>
		chain('Waits', [...links(create(inNode, options)), noOp(last)]);
	const suspends = chain('Suspends', [
		...links(create({}, sameRequest)),
		{ name: 'Wait', type: `${packageName}.videoGenJob`, parameters: waitForItems },
		noOp(last),
	]);
	return {
		waits: await publish(cluster, waits(sameRequest)),
		suspends: await publish(cluster, suspends),
		perExecution: await publish(cluster, waits({})),
	};
}

/** Sends events, forged events, and calls that create videos, at a steady rate. */
async function load(cluster: Cluster, paths: readonly string[], secret: string, minutes: number) {
	const { simulator, proxyUrl } = cluster;
	const { control } = simulator;
	const answered = new Map<string, Set<string>>(paths.map((path) => [path, new Set()]));
	const forged = { ids: [] as string[], accepted: 0 };
	const sent: Array<Promise<void>> = [];
	const call = async (path: string, n: number) => {
		const response = await fetch(proxyUrl + path, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ n }),
			signal: AbortSignal.timeout(30_000),
		});
		if (response.ok) answered.get(path)?.add(String(n));
	};
	const forge = async () => {
		const event = eventOf();
		forged.ids.push(String(event.event_id));
		const [{ url = '' } = {}] = control.endpoints() as Array<{ url: string }>;
		const { status } = await control.deliver({ url, secret: `${secret}x`, event });
		if (status < 300) forged.accepted++;
	};
	const ignored = () => undefined;
	const end = Date.now() + minutes * 60_000;
	for (let second = 0; Date.now() < end; second++) {
		control.holdJobs(second % (cycle.open + cycle.held) >= cycle.open);
		if (second % 2 === 0) control.emit('avatar_video.success', { video_id: 'video_001' });
		if (second % 10 === 5) sent.push(forge().catch(ignored));
		const path = paths[(second / 3) % paths.length];
		if (path !== undefined) sent.push(call(path, second).catch(ignored));
		await pause(1);
	}
	control.holdJobs(false);
	await Promise.all(sent);
	return { answered, forged };
}

/** Presses Retry on the executions of these workflows that did not end well. */
async function retryAll(cluster: Cluster, workflows: readonly string[]) {
	const failed = readRuns(cluster).filter(
		({ workflow, status }) => workflows.includes(workflow) && status !== 'success',
	);
	let refused = 0;
	await inParallel(
		failed.map(({ id }) => async () => {
			await cluster.n8n
				.api('POST', `/executions/${id}/retry`, { loadWorkflow: false })
				.catch(() => refused++);
		}),
		5,
	);
	return { failed, refused };
}

const countBy = <T>(list: readonly T[], key: (one: T) => string) => {
	const counts = new Map<string, number>();
	for (const one of list) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1);
	return counts;
};
const repeated = (counts: ReadonlyMap<string, number>) =>
	[...counts].filter(([, count]) => count > 1).map(([name]) => name);

interface Job {
	id: string;
	/** The number of the call and the item. */
	title: string;
}

const beyond = {
	events:
		'The service repeats unanswered deliveries for 24 hours. An event that got a 2xx response is lost only if n8n drops the data of its execution (see the last row). VideoGen Webhook still lists the events that n8n lost.',
	waits:
		'An execution is at risk while it waits in place, which is a minute at most if its videos run on. n8n’s log names the videos of executions whose data n8n dropped.',
	suspends:
		'A suspended execution is stored in the database, and needs no worker while it waits. It is at risk only while it is in the queue or a worker runs one of its nodes.',
	perExecution:
		'Retry starts another execution, which creates its videos again, at your cost. To use Retry, set Pay Once Per to Unique Request.',
	kills:
		'Restart processes automatically, for example with a restart policy. A restart took about 20 seconds here. Run several webhook processes, because deliveries get no response while a single webhook process restarts.',
	retry:
		'When its main process starts, and every 3 hours (N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL), n8n detects executions that were only in Redis. Until n8n detects these executions, it lists them as queued or running.',
	dropped:
		'If a worker is killed, or loses the database when it takes an execution, n8n replaces the execution’s data with an error, unless the process that queued the execution was killed too. Retry then fails with the same error. Find the videos in n8n’s log, and the events with VideoGen Webhook. Then run the workflow again.',
};

async function measure(context: LimitContext, cluster: Cluster) {
	const { log, report } = context;
	const { n8n, simulator, workers, webhooks } = cluster;
	const { control } = simulator;
	const seed = Number(process.env.SEED ?? 1);
	const random = createRandom(seed);
	const trigger = await publishTrigger(cluster, 'Events');
	const { waits, suspends, perExecution } = await publishAll(cluster);
	const parts = partsOf(cluster, random);
	const end = disturb(parts, random, size.secondsPerKill);
	const paths = [waits, suspends, perExecution].map(({ path }) => path);
	const { answered, forged } = await load(cluster, paths, trigger.secret, size.minutes);
	await end();
	log('  All processes run again');
	const deliveries = () => control.deliveries().filter((one) => one.event_id !== null);
	const taken = () => {
		const answered = deliveries().filter(({ status }) => status !== null && status < 300);
		return new Set(answered.map((one) => String(one.event_id)));
	};
	await until(
		'all deliveries',
		() => deliveries().every((one) => taken().has(String(one.event_id))),
		300_000,
	);
	await comeToRest(cluster);
	// n8n looks for executions that Redis has lost when its main process starts, and every 3 hours.
	await n8n.restart();
	await comeToRest(cluster);

	const before = readRuns(cluster);
	const { failed, refused } = await retryAll(cluster, [trigger.id, waits.id, suspends.id]);
	log(`  ${failed.length} retried`);
	await comeToRest(cluster);
	const runs = readRuns(cluster);
	const known = new Set(before.map(({ id }) => id));
	const retries = new Set(runs.map(({ id }) => id).filter((id) => !known.has(id)));

	const jobs = control.jobs('video') as Job[];
	const logs = [n8n, ...workers, ...webhooks].map((one) => logText({ n8n: one })).join('\n');
	const byKeys = await foundByKeys(cluster, '/v3/videos', logs);
	// The events name the videos too, but not in the executions that have paid for them.
	const creating = runs.filter(({ workflow }) => workflow !== trigger.id);
	const texts = creating.map(({ text }) => text).join('\n');
	/** How many of the calls or events of a workflow came to its end, and how. */
	const outcome = (workflow: string, subjects: ReadonlySet<string>) => {
		const own = runs.filter((one) => one.workflow === workflow);
		const named = new Set(own.map(({ subject }) => subject));
		const done = countBy(
			own.filter(({ isDone, subject }) => isDone && subject !== ''),
			({ subject }) => subject,
		);
		const early = new Set(before.filter(({ isDone }) => isDone).map(({ subject }) => subject));
		const all = [...subjects];
		return {
			count: all.length,
			needed: all.filter((one) => done.has(one) && !early.has(one)).length,
			unfinished: all.filter((one) => !done.has(one)).length,
			lost: all.filter((one) => !named.has(one)).length,
			dropped: own.filter(({ id, subject }) => subject === '' && !retries.has(id)).length,
			twice: repeated(done).length,
		};
	};
	const happened = parts.reduce((sum, { kills }) => sum + kills, 0);
	const events = outcome(trigger.id, taken());
	const accepted =
		forged.accepted + runs.filter(({ subject }) => forged.ids.includes(subject)).length;
	report({
		what: `${events.count} events to VideoGen Trigger in ${size.minutes} min, and ${forged.ids.length} forged ones`,
		figure: `${events.lost} answered but lost, ${accepted} forged but accepted, ${events.twice} processed twice; ${events.needed} needed Retry`,
		beyond: beyond.events,
		wrong: [
			...(accepted > 0 ? [`${accepted} forged events were accepted`] : []),
			...(events.lost > events.dropped ? [`${events.lost} events are lost`] : []),
		],
	});
	const outputs = countBy(
		creating.flatMap((one) => one.outputs),
		(id) => id,
	);
	const groups = [
		{ one: waits, what: 'that wait in the node', beyond: beyond.waits },
		{ one: suspends, what: 'that wait in VideoGen Job Status', beyond: beyond.suspends },
		{
			one: perExecution,
			what: 'that wait in the node, without Retry',
			beyond: beyond.perExecution,
		},
	].map(({ one, what, beyond: further }, i) => {
		const own = jobs.filter(({ title }) => (Number(title.split('-')[0]) / 3) % 3 === i);
		const unnamed = own.filter(({ id }) => !texts.includes(id));
		const unlogged = unnamed.filter(({ id }) => !logs.includes(`started video ${id}`));
		const lost = unlogged.filter(({ id }) => !byKeys.includes(id)).map(({ id }) => id);
		const twice = repeated(countBy(own, ({ title }) => title));
		const doubled = own.filter(({ id }) => (outputs.get(id) ?? 0) > 1).length;
		const calls = outcome(one.id, answered.get(one.path) ?? new Set());
		const names = [
			`${own.length - unnamed.length} videos are named in their executions`,
			`${unnamed.length - unlogged.length} only in n8n’s log`,
			`${unlogged.length - lost.length} only by a key in the log`,
			`and ${lost.length} nowhere`,
		].join(', ');
		report({
			what: `${calls.count} executions that create ${perCall} videos each and ${what}`,
			figure: `Of ${own.length} videos, ${twice.length} were paid for twice, and ${doubled} were output twice. ${names}. ${calls.needed} executions needed Retry, and ${calls.unfinished} did not finish.`,
			beyond: further,
			wrong: [
				...(twice.length > 0 ? [`paid twice: ${twice.slice(0, 3).join(', ')}`] : []),
				...(lost.length > 0 ? [`named nowhere: ${lost.slice(0, 3).join(', ')}`] : []),
			],
		});
		return calls;
	});
	const perKind = [...new Set(parts.map(({ kind }) => kind))].map((kind) => {
		const own = parts.filter((one) => one.kind === kind);
		const sum = (of: 'kills' | 'failures') => own.reduce((all, one) => all + one[of], 0);
		return `${kind} ${sum('kills')}${sum('failures') > 0 ? ` (and ${sum('failures')} ended without it)` : ''}`;
	});
	report({
		what: `The same: SIGKILLs of ${size.workers} workers, ${size.webhooks} webhook process${size.webhooks > 1 ? 'es' : ''}, and one process of each other kind`,
		figure: `${happened}: ${perKind.join(', ')}`,
		beyond: beyond.kills,
	});
	const finished = [events, ...groups].reduce((sum, { needed }) => sum + needed, 0);
	report({
		what: 'The same: executions that ended as crashed or with an error, and what Retry finished',
		figure: `${failed.length}; Retry finished ${finished}, without paying twice; n8n refused ${refused}`,
		beyond: beyond.retry,
	});
	const dropped = [events, ...groups].reduce((sum, one) => sum + one.dropped, 0);
	const emptied = before.filter(({ subject }) => subject === '').map(({ error }) => error);
	const reasons = [...countBy(emptied, (one) => one)].map(([error, n]) => `${n} × “${error}”`);
	report({
		what: 'The same: executions that remained lost, because n8n dropped their data',
		figure: `${dropped}: ${reasons.join(', ')}`,
		beyond: beyond.dropped,
	});
}

export const limits: LimitFile = {
	title: 'Processes',
	how: `n8n runs in queue mode with PostgreSQL and Redis, and detects killed workers after the default timeouts. Processes are killed with SIGKILL at random, and restarted within 3 seconds. After a restart, Redis has its latest data, data that is 10 seconds old, or none. At the end, all processes are running, the main process is restarted, and failed executions are retried. Each video takes ${jobSeconds} seconds. Of every ${cycle.open + cycle.held} seconds, no video ends in the last ${cycle.held}, so that executions are suspended.`,
	async run(context) {
		const missing = missingServers();
		if (missing !== undefined) throw new Error(missing);
		const { tarball, log, newFolder } = context;
		const { workers, webhooks } = size;
		const cluster = await startCluster({
			...{ folder: newFolder('cluster'), tarball, log, workers, webhooks },
			env: {
				...recommendedSettings,
				EXECUTIONS_DATA_PRUNE_MAX_COUNT: '50000',
				// As by default: PostgreSQL is killed here.
				DB_PING_INTERVAL_SECONDS: '2',
			},
			simulator: { jobSeconds },
		});
		try {
			await measure(context, cluster);
		} finally {
			await cluster.close();
		}
	},
};
