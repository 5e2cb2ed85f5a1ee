/*
 * The trigger under load, on a real n8n: who gets in, what a kill leaves, and what it costs beside
 * n8n's own Webhook node.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'flatted';
import type { IDataObject, INode, IRunExecutionData } from 'n8n-workflow';
import { Pool } from 'undici';
import { withCredential, type Stage } from '../../tools/stage';
import { freePort } from '../e2e/n8n';
import { chain, until } from '../e2e/workflows';
import type { FaultContext, Row, Scenario } from './scenario';

/** Requests on their way at the same time. */
const together = 20;

/** The numbers of a run, and of a short one. */
const sizes = {
	whole: { good: 300, odd: 300, killed: 160, rounds: 4, perRound: 100, memory: 2_000, seconds: 45 },
	short: { good: 60, odd: 60, killed: 60, rounds: 2, perRound: 60, memory: 200, seconds: 15 },
};
// `seconds` bounds each of the parts that measure: on a slow machine they do less.

interface Finding {
	what: string;
	seen: string;
	/** What must be so; without it, the row only tells. */
	wanted?: string;
	holds?: boolean;
}

// --- deliveries -------------------------------------------------------------------------------

interface Delivery {
	body: string;
	headers: Record<string, string>;
}

const eventOf = (more: IDataObject = {}): IDataObject => ({
	event_id: randomUUID(),
	event_type: 'avatar_video.success',
	event_data: { video_id: 'video_001', url: 'https://files.example/v.mp4', callback_id: null },
	created_at: new Date().toISOString(),
	...more,
});

const hmac = (secret: string, body: string) =>
	createHmac('sha256', secret).update(body).digest('hex');

/** A delivery as the service makes it. */
function signed(secret: string, event: IDataObject | string, prefix = 'Service'): Delivery {
	const body = typeof event === 'string' ? event : JSON.stringify(event);
	return {
		body,
		headers: {
			'content-type': 'application/json',
			[`${prefix}-Signature`]: hmac(secret, body),
			[`${prefix}-Timestamp`]: String(Math.floor(Date.now() / 1000)),
			[`${prefix}-Event-Id`]: randomUUID(),
		},
	};
}

const without = ({ body, headers }: Delivery, name: string): Delivery => ({
	body,
	headers: Object.fromEntries(Object.entries(headers).filter(([key]) => !key.endsWith(name))),
});

const withHeaders = ({ body, headers }: Delivery, more: Record<string, string>): Delivery => ({
	body,
	headers: { ...headers, ...more },
});

/** Deliveries that must start nothing; `taken` is one that was taken already. */
const odd: Array<(secret: string, taken: Delivery) => Delivery> = [
	(secret) => signed(`${secret}x`, eventOf()),
	(secret) => ({ ...signed(secret, eventOf()), body: JSON.stringify(eventOf()) }),
	(secret) => without(signed(secret, eventOf()), 'Signature'),
	(secret) => without(signed(secret, eventOf()), 'Timestamp'),
	(secret) => without(signed(secret, eventOf()), 'Event-Id'),
	(secret) => withHeaders(signed(secret, eventOf()), { 'Service-Timestamp': '1700000000' }),
	(secret) => withHeaders(signed(secret, eventOf()), { 'Service-Timestamp': 'now' }),
	(secret) => withHeaders(signed(secret, eventOf()), { 'Service-Signature': '0'.repeat(64) }),
	(secret) => signed(secret, eventOf({ created_at: '2020-01-01T00:00:00Z' })),
	(secret) => signed(secret, eventOf({ event_type: 'video_translate.success' })),
	(secret) => signed(secret, '[]'),
	(secret) => signed(secret, '{"event_type":'),
	(secret) =>
		withHeaders(signed(secret, eventOf()), { 'content-type': 'multipart/form-data; boundary=x' }),
	// Recorded, and sent again with the headers that are not signed made anew.
	(_, taken) => withHeaders(taken, { 'Service-Event-Id': randomUUID() }),
	(_, { body, headers }) => ({
		body,
		headers: {
			'content-type': 'application/json',
			'Other-Signature': headers['Service-Signature'] ?? '',
			'Other-Timestamp': String(Math.floor(Date.now() / 1000)),
			'Other-Event-Id': randomUUID(),
		},
	}),
	() => ({
		body: '{"event_type":"avatar_video.success"}',
		headers: { 'content-type': 'application/json' },
	}),
	(secret) =>
		withHeaders(
			signed('guess', eventOf()),
			Object.fromEntries(
				Array.from({ length: 30 }, (_, i) => [`P${i}-Signature`, hmac(`${secret}${i}`, 'x')]),
			),
		),
];

/** Carries out all tasks, so many at the same time. */
async function inParallel<T>(
	tasks: ReadonlyArray<() => Promise<T>>,
	atOnce = together,
): Promise<T[]> {
	const results: T[] = [];
	let next = 0;
	const worker = async () => {
		for (let i = next++; i < tasks.length; i = next++) {
			const task = tasks[i];
			if (task) results[i] = await task();
		}
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	return results;
}

interface Answer {
	/** Missing where no answer came. */
	status?: number;
	milliseconds: number;
}

/** Sends requests to one address of n8n. */
function sender(baseUrl: string, path: string) {
	const pool = new Pool(baseUrl, { connections: together });
	return {
		async send({ body, headers }: Delivery): Promise<Answer> {
			const started = performance.now();
			try {
				const reply = await pool.request({ method: 'POST', path, body, headers });
				await reply.body.dump();
				return { status: reply.statusCode, milliseconds: performance.now() - started };
			} catch {
				return { milliseconds: performance.now() - started };
			}
		},
		close: async () => await pool.destroy(),
	};
}

const isTaken = ({ status = 0 }: Answer) => status >= 200 && status < 300;

// --- what n8n has run -------------------------------------------------------------------------

interface Ran {
	id: string;
	status: string;
	/** The event that came in. */
	event: string;
	/** Whether the workflow has gone on behind the trigger. */
	done: boolean;
	stopped: number;
}

const last = 'Done';

/** n8n's own database: its API gives executions one by one. */
function database({ n8n }: Stage) {
	const open = () =>
		new DatabaseSync(join(n8n.userFolder, '.n8n', 'database.sqlite'), { readOnly: true });
	const query = <T>(sql: string, ...values: Array<string | number>): T[] => {
		const db = open();
		try {
			return db.prepare(sql).all(...values) as T[];
		} finally {
			db.close();
		}
	};
	const time = (text: string | null) =>
		text === null ? 0 : Date.parse(`${text.replace(' ', 'T')}Z`);
	return {
		/** Executions after this one that have not ended. */
		open: (workflowId: string, afterId: number) =>
			query<{ count: number }>(
				`SELECT COUNT(*) AS count FROM execution_entity
				 WHERE workflowId = ? AND id > ? AND status IN ('new', 'running', 'waiting')`,
				workflowId,
				afterId,
			)[0]?.count ?? 0,
		lastId: () =>
			query<{ id: number | null }>('SELECT MAX(id) AS id FROM execution_entity')[0]?.id ?? 0,
		count: (workflowId: string) =>
			query<{ count: number }>(
				'SELECT COUNT(*) AS count FROM execution_entity WHERE workflowId = ?',
				workflowId,
			)[0]?.count ?? 0,
		lastStop: (workflowId: string) =>
			time(
				query<{ stopped: string | null }>(
					'SELECT MAX(stoppedAt) AS stopped FROM execution_entity WHERE workflowId = ?',
					workflowId,
				)[0]?.stopped ?? null,
			),
		runs: (workflowId: string): Ran[] =>
			query<{ id: number; status: string; stopped: string | null; data: string }>(
				`SELECT e.id, e.status, e.stoppedAt AS stopped, d.data FROM execution_entity e
				 JOIN execution_data d ON d.executionId = e.id WHERE e.workflowId = ?`,
				workflowId,
			).map(({ id, status, stopped, data }) => {
				const run = parse(data) as IRunExecutionData;
				return {
					id: String(id),
					status,
					event: eventIn(run),
					done: status === 'success' && run.resultData.runData[last] !== undefined,
					stopped: time(stopped),
				};
			}),
	};
}

/** The event of an execution, wherever it has got to. */
function eventIn(run: IRunExecutionData): string {
	const waiting = run.executionData?.nodeExecutionStack[0]?.data.main?.[0]?.[0]?.json;
	const given = Object.values(run.resultData.runData).flatMap(
		(tasks) => tasks[0]?.data?.main?.[0]?.map(({ json }) => json) ?? [],
	);
	for (const json of [...given, waiting]) {
		const event = (json?.event ?? json) as IDataObject | undefined;
		if (typeof event?.event_id === 'string') return event.event_id;
	}
	return '';
}

/** Waits until so many executions of a workflow are there, and those after `afterId` have ended. */
async function quiet(stage: Stage, workflowId: string, least = 0, afterId = 0): Promise<void> {
	const { open, count } = database(stage);
	await until(
		`the end of ${least} executions`,
		() => count(workflowId) >= least && open(workflowId, afterId) === 0,
		120_000,
	);
}

// --- workflows --------------------------------------------------------------------------------

interface Published {
	id: string;
	path: string;
	secret: string;
}

const noOp = (name: string) => ({ name, type: 'n8n-nodes-base.noOp' });

/** Publishes a workflow with the trigger, and what follows it. */
async function publishTrigger(
	stage: Stage,
	name: string,
	then: Array<{ name: string; type: string; parameters?: INode['parameters']; more?: object }> = [],
): Promise<Published> {
	const { n8n, credential, simulator } = stage;
	const trigger = {
		name: 'Event',
		type: 'trigger',
		parameters: { events: ['avatar_video.success'] },
	};
	const draft = chain(name, [trigger, ...then, noOp(last)]);
	const { id } = await n8n.createWorkflow(withCredential(draft, credential));
	await n8n.activate(id);
	const { url, secret } = simulator.control.endpoints().at(-1) as { url: string; secret: string };
	return { id, path: new URL(url).pathname, secret };
}

/** Publishes a workflow with n8n's own Webhook node. */
async function publishWebhook({ n8n }: Stage): Promise<Published> {
	const webhook = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		parameters: { httpMethod: 'POST', path: 'compared', responseMode: 'onReceived', options: {} },
		more: { typeVersion: 1, webhookId: randomUUID() },
	};
	const { id } = await n8n.createWorkflow(chain('Webhook', [webhook, noOp(last)]));
	await n8n.activate(id);
	return { id, path: '/webhook/compared', secret: 'unused' };
}

// --- the parts --------------------------------------------------------------------------------

type Sizes = (typeof sizes)['whole'];

const times = <T>(count: number, make: (i: number) => T): T[] =>
	Array.from({ length: count }, (_, i) => make(i));

/** The same order in every run: a fault that shows itself must be seen again. */
function shuffled<T>(list: readonly T[]): T[] {
	let seed = 42;
	const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
	return list
		.map((one) => ({ one, place: random() }))
		.sort((a, b) => a.place - b.place)
		.map(({ one }) => one);
}

/** Good deliveries, and odd ones between them: exactly the good ones run. */
async function whoGetsIn(stage: Stage, { good, odd: oddCount }: Sizes): Promise<Finding[]> {
	const { id, path, secret } = await publishTrigger(stage, 'Gate');
	const { send, close } = sender(stage.n8n.baseUrl, path);
	const first = signed(secret, eventOf());
	await send(first);
	const events = times(good - 1, () => eventOf());
	const answers = await inParallel(
		shuffled([
			...events.map((event) => async () => ({
				isGood: true,
				...(await send(signed(secret, event))),
			})),
			...times(oddCount, (i) => async () => {
				const make = odd[i % odd.length];
				return { isGood: false, ...(await send(make?.(secret, first) ?? first)) };
			}),
		]),
	);
	await close();
	await quiet(stage, id, good);
	// Whatever an odd one may start comes later than its answer.
	await new Promise((resolve) => setTimeout(resolve, 1_000));
	await quiet(stage, id, good);
	const runs = database(stage).runs(id);
	const wanted = new Set([JSON.parse(first.body) as IDataObject, ...events].map((e) => e.event_id));
	const ran = runs.filter(({ done }) => done).map(({ event }) => event);
	const strangers = runs.filter(({ event }) => !wanted.has(event)).length;
	const statuses = (isGood: boolean) => {
		const counts = new Map<string, number>();
		for (const { status } of answers.filter((one) => one.isGood === isGood)) {
			counts.set(String(status), (counts.get(String(status)) ?? 0) + 1);
		}
		return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
	};
	await stage.n8n.deactivate(id);
	return [
		{
			what: `${good} good deliveries among ${oddCount} forged or odd ones, ${together} at once`,
			seen: `${ran.length} runs of ${new Set(ran).size} good events, ${strangers} others; ${runs.length} executions`,
			wanted: 'exactly the good ones, once each',
			holds:
				ran.length === good &&
				new Set(ran).size === good &&
				strangers === 0 &&
				runs.length === good,
		},
		{ what: 'answers to good ones / to odd ones', seen: `${statuses(true)} / ${statuses(false)}` },
	];
}

/** n8n is killed while deliveries come in; what is not answered with 2xx comes again. */
async function killed(
	stage: Stage,
	name: string,
	{ killed: count }: Sizes,
	then: Parameters<typeof publishTrigger>[2] = [],
): Promise<Finding[]> {
	const { n8n } = stage;
	const { id, path, secret } = await publishTrigger(stage, name, then);
	const events = times(count, () => eventOf());
	const answered = new Set<unknown>();
	let atKill: ReadonlySet<unknown> | undefined;
	let restarted: Promise<void> | undefined;
	const { send, close } = sender(n8n.baseUrl, path);
	const { lastId, runs } = database(stage);
	let cutAt = 0;
	const crash = async () => {
		atKill = new Set(answered);
		await n8n.kill();
		cutAt = lastId();
		await n8n.restart();
	};
	await inParallel(
		events.map((event) => async () => {
			for (;;) {
				if (isTaken(await send(signed(secret, event)))) break;
				// The service waits longer from try to try.
				await new Promise((resolve) => setTimeout(resolve, 500));
				await restarted;
			}
			answered.add(event.event_id);
			if (answered.size >= count / 2) restarted ??= crash();
		}),
	);
	await restarted;
	await close();
	// n8n may leave one as running that had just begun when it was killed.
	await quiet(stage, id, 0, cutAt);

	const before = runs(id);
	const perEvent = (list: Ran[]) => {
		const found = new Map<string, number>();
		for (const { event, done } of list) found.set(event, (found.get(event) ?? 0) + Number(done));
		return found;
	};
	const early = [...(atKill ?? [])] as string[];
	const first = perEvent(before);
	const ranEarly = early.filter((event) => first.get(event)).length;
	const nowhere = early.filter((event) => !first.has(event)).length;
	const cut = before.filter(({ status }) => status !== 'success');
	const states = [...new Set(cut.map(({ status }) => status))].join(' or ');
	for (const { id: execution } of cut) {
		await n8n.api('POST', `/executions/${execution}/retry`, { loadWorkflow: false });
	}
	await quiet(stage, id, 0, cutAt);
	const after = perEvent(runs(id));
	const doubles = events.filter(
		({ event_id: event }) => (after.get(String(event)) ?? 0) > 1,
	).length;
	const missing = events.filter(({ event_id: event }) => !after.get(String(event))).length;
	await n8n.deactivate(id);
	return [
		{
			what: `${name}: ${count} events, n8n killed when ${early.length} were answered 2xx`,
			seen: `${ranEarly} of these ran, ${early.length - nowhere - ranEarly} cut by the kill and in n8n's list, ${nowhere} lost`,
			wanted: 'none lost',
			holds: nowhere === 0,
		},
		{
			what: `${name}: after the restart, and Retry on the ${cut.length} executions that were cut (${states})`,
			seen: `${count - missing} of ${count} events ran, ${doubles} of them twice`,
			wanted: 'all',
			holds: missing === 0,
		},
	];
}

const median = (values: readonly number[]) => {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1
		? (sorted[middle] ?? NaN)
		: ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
};
const p99 = (values: readonly number[]) =>
	[...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? NaN;

interface Round {
	/** Answers a second. */
	rate: number;
	/** Seconds from the first request until the last execution has ended. */
	allRun: number;
	milliseconds: number[];
	/** Milliseconds of processor time that n8n used for one delivery, its run included. */
	work: number;
}

/** Sends so many deliveries, and waits until all have run. */
async function round(stage: Stage, { id, path, secret }: Published, count: number): Promise<Round> {
	const { count: executions, lastStop } = database(stage);
	const before = executions(id);
	const { send, close } = sender(stage.n8n.baseUrl, path);
	const deliveries = times(count, () => signed(secret, eventOf()));
	const worked = stage.n8n.cpuSeconds();
	const started = Date.now();
	const answers = await inParallel(deliveries.map((one) => async () => await send(one)));
	const seconds = (Date.now() - started) / 1000;
	await close();
	const refused = answers.filter((answer) => !isTaken(answer)).length;
	if (refused > 0) throw new Error(`${refused} of ${count} good deliveries were refused`);
	await quiet(stage, id, before + count);
	return {
		rate: count / seconds,
		allRun: (lastStop(id) - started) / 1000,
		milliseconds: answers.map(({ milliseconds }) => milliseconds),
		work: ((stage.n8n.cpuSeconds() - worked) / count) * 1000,
	};
}

/** The trigger beside n8n's own Webhook node: rounds of the two in turn. */
async function beside(
	stage: Stage,
	{ rounds: most, perRound, seconds }: Sizes,
): Promise<Finding[]> {
	const trigger = await publishTrigger(stage, 'Rate');
	const webhook = await publishWebhook(stage);
	// n8n is slower with its first executions.
	for (const one of [trigger, webhook]) await round(stage, one, 40);
	const ours: Round[] = [];
	const theirs: Round[] = [];
	const end = Date.now() + seconds * 1000;
	for (let i = 0; i < most && (i < 2 || Date.now() < end); i++) {
		const turn = async (of: Published, to: Round[]) => to.push(await round(stage, of, perRound));
		// Each goes first as often as second.
		if (i % 2 === 0) await turn(trigger, ours);
		await turn(webhook, theirs);
		if (i % 2 === 1) await turn(trigger, ours);
	}
	await stage.n8n.deactivate(trigger.id);
	await stage.n8n.deactivate(webhook.id);
	const compare = (
		what: string,
		of: (rounds: readonly Round[]) => number,
		wanted: string,
		unit: string,
	): Finding => {
		const [mine, other] = [of(ours), of(theirs)];
		return {
			what: `${what}, ${ours.length} rounds of ${perRound} each in turn, ${together} at once`,
			seen: `${(mine / other).toFixed(2)} (${mine.toFixed(1)} beside ${other.toFixed(1)} ${unit})`,
			wanted,
		};
	};
	const spread = (list: readonly Round[]) =>
		`${Math.min(...list.map(({ rate }) => rate)).toFixed(1)} to ${Math.max(...list.map(({ rate }) => rate)).toFixed(1)}`;
	return [
		compare(
			'rate, beside the Webhook node (typeVersion 1), medians',
			(list) => median(list.map(({ rate }) => rate)),
			'at least 0.9',
			'a second',
		),
		{
			what: 'rates of single rounds, trigger / Webhook node',
			seen: `${spread(ours)} / ${spread(theirs)} a second`,
		},
		compare(
			'processor time of n8n for one delivery and its run, medians',
			(list) => median(list.map(({ work }) => work)),
			'at most 1.1',
			'ms',
		),
		compare(
			'p99 of the answer',
			(list) => p99(list.flatMap(({ milliseconds }) => milliseconds)),
			'at most 1.2',
			'ms',
		),
		compare(
			'time until all have run, medians',
			(list) => median(list.map(({ allRun }) => allRun)),
			'at most 1.15',
			's',
		),
	];
}

interface Use {
	heapUsed: number;
	rss: number;
}

/** What n8n has in memory once its garbage is collected, in bytes; asked through Node's inspector. */
async function memoryInUse(inspectorPort: number): Promise<Use> {
	const pages = await fetch(`http://127.0.0.1:${inspectorPort}/json`);
	const [page] = (await pages.json()) as Array<{ webSocketDebuggerUrl: string }>;
	const socket = new WebSocket(page?.webSocketDebuggerUrl ?? '');
	const event = async (name: string) =>
		await new Promise<Event>((resolve) => socket.addEventListener(name, resolve, { once: true }));
	await event('open');
	const call = async (method: string, params: object = {}) => {
		socket.send(JSON.stringify({ id: 1, method, params }));
		const { data } = (await event('message')) as MessageEvent<string>;
		return (JSON.parse(data) as { result: { result?: { value: string } } }).result;
	};
	await call('HeapProfiler.collectGarbage');
	const { result } = await call('Runtime.evaluate', {
		expression: 'JSON.stringify(process.memoryUsage())',
	});
	socket.close();
	return JSON.parse(result?.value ?? '') as Use;
}

/** n8n's memory over many deliveries. */
async function memory(
	stage: Stage,
	{ memory: most, seconds }: Sizes,
	inspectorPort: number,
): Promise<Finding[]> {
	const published = await publishTrigger(stage, 'Memory');
	// n8n loads most of what it needs with its first executions.
	await round(stage, published, 40);
	const uses = [await memoryInUse(inspectorPort)];
	const end = Date.now() + seconds * 1000;
	let count = 0;
	for (; count < most && Date.now() < end; count += most / 4) {
		await round(stage, published, most / 4);
		uses.push(await memoryInUse(inspectorPort));
	}
	await stage.n8n.deactivate(published.id);
	const megabytes = (of: (use: Use) => number) =>
		uses.map((use) => Math.round(of(use) / 1024 ** 2)).join(', ');
	return [
		{
			what: `memory of n8n before, and after each ${most / 4} of ${count} deliveries`,
			seen: `heap ${megabytes(({ heapUsed }) => heapUsed)} MB, resident ${megabytes(({ rss }) => rss)} MB`,
			wanted: 'level',
		},
	];
}

/** The rows of a part, under a letter of its own. */
const rowsOf = (letter: string, findings: readonly Finding[]): Row[] =>
	findings.map(({ what, seen, wanted = '', holds }, i) => ({
		id: `${letter}${i + 1}`,
		what,
		cells: [seen, wanted],
		wrong: holds === false ? [`wanted: ${wanted}`] : [],
	}));

const sizesOf = ({ short }: FaultContext) => (short ? sizes.short : sizes.whole);

const pause = {
	name: 'Pause',
	type: 'n8n-nodes-base.wait',
	parameters: { amount: 1, unit: 'seconds' },
	more: { typeVersion: 1.1, webhookId: randomUUID() },
};

export const title = 'The trigger';
export const columns = ['Seen', 'Wanted'];

/** Each on an n8n of its own: what one leaves behind would slow down the next. */
export const scenario: readonly Scenario[] = [
	{
		name: 'good and odd deliveries at the same time; its rate beside n8n’s own Webhook node',
		short: true,
		run: async (context) => {
			const stage = await context.startOwn();
			const gate = await whoGetsIn(stage, sizesOf(context));
			return [...rowsOf('G', gate), ...rowsOf('B', await beside(stage, sizesOf(context)))];
		},
	},
	{
		name: 'the memory of n8n over many deliveries',
		short: false,
		run: async (context) => {
			const inspectorPort = await freePort();
			const stage = await context.startOwn({
				env: { NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}` },
			});
			return rowsOf('M', await memory(stage, sizesOf(context), inspectorPort));
		},
	},
	{
		name: 'n8n killed under load',
		short: true,
		run: async (context) => {
			const stage = await context.startOwn();
			const quick = await killed(stage, 'Short runs', sizesOf(context));
			const slow = await killed(stage, 'Runs of a second', sizesOf(context), [pause]);
			return rowsOf('T', [...quick, ...slow]);
		},
	},
];
