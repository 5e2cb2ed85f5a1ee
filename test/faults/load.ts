/** The cost of the trigger compared with n8n's Webhook node, and n8n's memory over many deliveries. */
import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Stage } from '../../tools/stage';
import { median } from '../bench/rounds';
import { freePort } from '../e2e/n8n';
import { chain, until } from '../e2e/workflows';
import {
	database,
	eventOf,
	inParallel,
	isTaken,
	last,
	noOp,
	publishTrigger,
	quiet,
	rowsOf,
	sender,
	signed,
	times,
	together,
	type Finding,
	type Published,
} from './deliveries';
import { inspected, memoryInUse } from './inspector';
import type { Scenario } from './scenario';

/** The numbers of a run. `seconds` bound them on a slow machine. */
const rounds = { most: 8, each: 100, seconds: 100 };
const deliveries = { most: 2_000, seconds: 180 };

/** Publishes a workflow with n8n's own Webhook node, of this version. */
async function publishWebhook({ n8n }: Stage, typeVersion: number): Promise<Published> {
	const path = `compared-${typeVersion}`;
	const webhook = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
		more: { typeVersion, webhookId: randomUUID() },
	};
	const { id } = await n8n.createWorkflow(chain(`Webhook ${typeVersion}`, [webhook, noOp(last)]));
	await n8n.activate(id);
	return { id, path: `/webhook/${path}`, secret: 'unused' };
}

const p99 = (values: readonly number[]) =>
	[...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? NaN;

export interface Round {
	/** Answers a second. */
	rate: number;
	/** Seconds from the first request until the last execution has ended. */
	allRun: number;
	milliseconds: number[];
	/** Milliseconds of processor time that n8n used for one delivery, its run included. */
	work: number;
}

/** Sends so many deliveries, so many at a time, and waits until all have run. */
async function round(
	stage: Stage,
	{ id, path, secret }: Published,
	events: readonly IDataObject[],
	atOnce = together,
): Promise<Round> {
	const count = events.length;
	const { count: executions, lastStop } = database(stage);
	const before = executions(id);
	const { send, close } = sender(stage.n8n.baseUrl, path, atOnce);
	const deliveries = events.map((event) => signed(secret, event));
	const worked = stage.n8n.cpuSeconds();
	const started = Date.now();
	const answers = await inParallel(
		deliveries.map((one) => async () => await send(one)),
		atOnce,
	);
	const seconds = (Date.now() - started) / 1000;
	await close();
	const rejected = answers.filter((answer) => !isTaken(answer)).length;
	if (rejected > 0) throw new Error(`${rejected} of ${count} good deliveries were rejected`);
	await quiet(stage, id, before + count);
	return {
		rate: count / seconds,
		allRun: (lastStop(id) - started) / 1000,
		milliseconds: answers.map(({ milliseconds }) => milliseconds),
		work: ((stage.n8n.cpuSeconds() - worked) / count) * 1000,
	};
}

const some = (count: number) => times(count, () => eventOf());

/** What is compared: our trigger, and n8n's Webhook node of both versions. */
const sides = ['trigger', 'webhook1', 'webhook2'] as const;

/** What can be compared: in addition, our trigger as older workflows have it. */
type Side = (typeof sides)[number] | 'trigger1';

const publish: Record<Side, (stage: Stage) => Promise<Published>> = {
	trigger: async (stage) => await publishTrigger(stage, 'Rate'),
	trigger1: async (stage) => await publishTrigger(stage, 'Rate of version 1', [], 1),
	webhook1: async (stage) => await publishWebhook(stage, 1),
	webhook2: async (stage) => await publishWebhook(stage, 2),
};

export const rateOf = (list: readonly Round[]) => median(list.map(({ rate }) => rate));
export const p99Of = (list: readonly Round[]) => p99(list.flatMap((one) => one.milliseconds));

/** Sends deliveries to each side in turn. Ends early when the seconds are over. */
export async function alternate<S extends Side>(
	stage: Stage,
	compared: readonly S[],
	plan: { most: number; each: number; first: number; atOnce: number; seconds?: number },
): Promise<Record<S, Round[]>> {
	const { most, each, first, atOnce, seconds = Infinity } = plan;
	const all: Array<{ name: S; published: Published; seen: Round[] }> = [];
	for (const name of compared) {
		all.push({ name, published: await publish[name](stage), seen: [] });
	}
	// n8n is slower with its first executions.
	for (const { published } of all) await round(stage, published, some(first), atOnce);
	const end = Date.now() + seconds * 1000;
	for (let i = 0; i < most && (i < 2 || Date.now() < end); i++) {
		// Each goes first as often as the others.
		const from = i % all.length;
		for (const { published, seen } of [...all.slice(from), ...all.slice(0, from)]) {
			seen.push(await round(stage, published, some(each), atOnce));
		}
	}
	for (const { published } of all) await stage.n8n.deactivate(published.id);
	return Object.fromEntries(all.map(({ name, seen }) => [name, seen])) as Record<S, Round[]>;
}

/** What a comparison may come to. */
interface Goal {
	at: 'least' | 'most';
	ratio: number;
}

/** Compares the trigger with n8n's Webhook nodes, in alternating rounds. */
async function beside(stage: Stage): Promise<Finding[]> {
	const seen = await alternate(stage, sides, { ...rounds, first: 40, atOnce: together });
	const setting = `in ${seen.trigger.length} alternating rounds of ${rounds.each} deliveries, ${together} at once`;
	const compare = (
		what: string,
		unit: string,
		of: (list: readonly Round[]) => number,
		goal?: Goal,
	): Finding[] => {
		const [mine, first, second] = sides.map((name) => of(seen[name]));
		if (mine === undefined || first === undefined || second === undefined) return [];
		const show = (number: number) => number.toFixed(unit === 's' ? 2 : 1);
		const ratio = mine / first;
		const holds = goal && (goal.at === 'least' ? ratio >= goal.ratio : ratio <= goal.ratio);
		return [
			{
				what: `${what}, compared with version 1 of n8n's Webhook node, ${setting}`,
				seen: `${ratio.toFixed(2)} (${show(mine)} compared with ${show(first)} ${unit})`,
				wanted: goal && `at ${goal.at} ${goal.ratio}`,
				holds,
			},
			{
				what: `${what}, compared with version 2, which does not need an expression engine`,
				seen: `${(mine / second).toFixed(2)} (${show(mine)} compared with ${show(second)} ${unit})`,
			},
		];
	};
	const allRun = (list: readonly Round[]) => median(list.map((one) => one.allRun));
	const work = (list: readonly Round[]) => median(list.map((one) => one.work));
	return [
		...compare('Rate of responses (median)', 'per second', rateOf, {
			at: 'least',
			ratio: 0.9,
		}),
		...compare('99th percentile of the response time', 'ms', p99Of, {
			at: 'most',
			ratio: 1.2,
		}),
		...compare('Time until all executions have finished (median)', 's', allRun, {
			at: 'most',
			ratio: 1.15,
		}),
		...compare('CPU time per delivery and execution (median)', 'ms', work),
	];
}

/** After the first quarter, what is in use may grow by so much. */
const level = 1.2;

/** n8n's memory over many deliveries; what its store still knows of them after a restart. */
async function memory(stage: Stage, inspectorPort: number): Promise<Finding[]> {
	const { n8n } = stage;
	const { most, seconds } = deliveries;
	const published = await publishTrigger(stage, 'Memory');
	// n8n loads most of what it needs with its first executions.
	await round(stage, published, some(40));
	const uses = [await memoryInUse(inspectorPort)];
	const end = Date.now() + seconds * 1000;
	const sent: IDataObject[] = [];
	while (sent.length < most && Date.now() < end) {
		const part = some(most / 4);
		await round(stage, published, part);
		sent.push(...part);
		uses.push(await memoryInUse(inspectorPort));
	}
	const megabytes = (of: (use: (typeof uses)[number]) => number) =>
		uses.map((use) => Math.round(of(use) / 1024 ** 2)).join(', ');
	const [first, newest] = [uses[1], uses.at(-1)];
	const growth = (newest?.heapUsed ?? NaN) / (first?.heapUsed ?? NaN);

	const known = Math.min(960, sent.length);
	const old = sent.slice(-known).slice(0, 20);
	const before = database(stage).runs(published.id).length;
	await n8n.restart();
	const { send, close } = sender(n8n.baseUrl, published.path);
	const again = async (event: IDataObject) =>
		await until('the trigger after the restart', async () =>
			isTaken(await send(signed(published.secret, event))),
		);
	await inParallel(old.map((event) => async () => await again(event)));
	await close();
	await quiet(stage, published.id, before + old.length);
	const repeats = database(stage).runs(published.id).slice(before);
	const wentOn = repeats.filter(({ done }) => done).length;
	await n8n.deactivate(published.id);
	return [
		{
			what: `n8n's memory before any of ${sent.length} deliveries and after each ${most / 4}, after garbage collection`,
			seen: `heap ${megabytes(({ heapUsed }) => heapUsed)} MB, resident ${megabytes(({ rss }) => rss)} MB`,
			wanted: `level: the heap at most ${level} times what it was after the first ${most / 4}`,
			holds: growth <= level,
		},
		{
			what: `n8n is then restarted, and ${old.length} events that were followed by ${known} others arrive again.`,
			seen: `${repeats.length} executions, ${wentOn} continued after the trigger`,
			wanted: 'none continues',
			holds: wentOn === 0 && repeats.every(({ status }) => status === 'success'),
		},
	];
}

export const title = 'The trigger under load';
export const columns = ['Seen', 'Wanted'];

/** Each on an n8n of its own: what one leaves behind would slow down the next. */
export const scenario: readonly Scenario[] = [
	{
		name: 'compared with n8n’s own Webhook nodes',
		short: false,
		run: async (context) => rowsOf('B', await beside(await context.startOwn())),
	},
	{
		name: 'the memory of n8n over many deliveries',
		short: false,
		run: async (context) => {
			const inspectorPort = await freePort();
			const stage = await context.startOwn({
				env: inspected(inspectorPort),
			});
			return rowsOf('M', await memory(stage, inspectorPort));
		},
	},
];
