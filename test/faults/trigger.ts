/** The trigger on a real n8n: who gets in, and what a kill leaves. */
import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Stage } from '../../tools/stage';
import { retryInterrupted } from '../e2e/n8n';
import {
	database,
	eventOf,
	hmac,
	inParallel,
	isTaken,
	publishTrigger,
	quiet,
	rowsOf,
	sender,
	signed,
	times,
	together,
	type Delivery,
	type Finding,
	type Ran,
} from './deliveries';
import type { FaultContext, Scenario } from './scenario';

/** The numbers of a run, and of a short one. */
const sizes = {
	whole: { good: 300, odd: 300, killed: 120 },
	short: { good: 60, odd: 60, killed: 60 },
};

type Sizes = (typeof sizes)['whole'];

const sizesOf = ({ short }: FaultContext) => (short ? sizes.short : sizes.whole);

const without = ({ body, headers }: Delivery, name: string): Delivery => ({
	body,
	headers: Object.fromEntries(Object.entries(headers).filter(([key]) => !key.endsWith(name))),
});

const withHeaders = ({ body, headers }: Delivery, more: Record<string, string>): Delivery => ({
	body,
	headers: { ...headers, ...more },
});

/** Deliveries that must not start an execution. `taken` was accepted earlier. */
const odd: Array<(secret: string, taken: Delivery) => Delivery> = [
	(secret) => signed(`${secret}x`, eventOf()),
	(secret) => ({ ...signed(secret, eventOf()), body: JSON.stringify(eventOf()) }),
	(secret) => without(signed(secret, eventOf()), 'Signature'),
	(secret) => without(signed(secret, eventOf()), 'Timestamp'),
	(secret) => withHeaders(signed(secret, eventOf()), { 'Service-Timestamp': '1700000000' }),
	(secret) => withHeaders(signed(secret, eventOf()), { 'Service-Timestamp': 'now' }),
	(secret) => withHeaders(signed(secret, eventOf()), { 'Service-Signature': '0'.repeat(64) }),
	(secret) => signed(secret, eventOf({ created_at: '2020-01-01T00:00:00Z' })),
	(secret) => signed(secret, eventOf({ event_type: 'video_translate.success' })),
	(secret) => signed(secret, '[]'),
	(secret) => signed(secret, '{"event_type":'),
	(secret) =>
		withHeaders(signed(secret, eventOf()), { 'content-type': 'multipart/form-data; boundary=x' }),
	// A recorded delivery with new unsigned headers.
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

/** The same order in every run: a fault that shows itself must be seen again. */
function shuffled<T>(list: readonly T[]): T[] {
	let seed = 42;
	const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
	return list
		.map((one) => ({ one, place: random() }))
		.sort((a, b) => a.place - b.place)
		.map(({ one }) => one);
}

/** The prefixes of the header names. */
const brands = ['Service', 'Other', 'X-Films'];

/** What the log must say of those that were rejected. */
const reasons = [
	'The signature header is missing',
	'The timestamp is missing or invalid',
	'The timestamp differs from the current time by more than 5 minutes',
	'The event is more than 25 hours old',
	'The signature does not match',
	'The delivery is signed, but its body is not a JSON object',
];

/** Good deliveries, and odd ones between them: exactly the good ones run. */
async function whoGetsIn(stage: Stage, { good, odd: oddCount }: Sizes): Promise<Finding[]> {
	const { id, path, secret } = await publishTrigger(stage, 'Gate');
	const { send, close } = sender(stage.n8n.baseUrl, path);
	const first = signed(secret, eventOf());
	await send(first);
	const events = times(good - 1, () => eventOf());
	const answers = await inParallel(
		shuffled([
			...events.map((event, i) => async () => ({
				isGood: true,
				// The ID is in the body, too.
				...(await send(
					without(signed(secret, event, brands[i % brands.length]), i % 5 === 0 ? 'Event-Id' : '-'),
				)),
			})),
			...times(oddCount, (i) => async () => {
				const make = odd[i % odd.length];
				return { isGood: false, ...(await send(make?.(secret, first) ?? first)) };
			}),
		]),
	);
	await close();
	await quiet(stage, id, good);
	// Executions begin after the response.
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
	const log = stage.n8n.logs();
	const untold = reasons.filter((reason) => !log.includes(`rejected a delivery: ${reason}`));
	const said = log.split('rejected a delivery: ').length - 1;
	// n8n itself rejects what it cannot parse, and does not ask the node.
	const rejected = answers.filter(({ text }) => text?.includes('The delivery was rejected')).length;
	await stage.n8n.deactivate(id);
	return [
		{
			what: `${together} at a time, ${good} valid deliveries (headers ${brands.map((one) => `${one}-…`).join(', ')}) arrive among ${oddCount} forged or malformed ones.`,
			seen: `${ran.length} executions for ${new Set(ran).size} valid events, ${strangers} for other events; ${runs.length} executions in total`,
			wanted: 'exactly the valid deliveries, once each',
			holds:
				ran.length === good &&
				new Set(ran).size === good &&
				strangers === 0 &&
				runs.length === good,
		},
		{
			what: 'The responses to valid and malformed deliveries are counted. Deliveries of other event types, and copies of a valid delivery, get a 200 response.',
			seen: `${statuses(true)}; ${statuses(false)}`,
		},
		{
			what: "The lines about rejected deliveries in n8n's log are counted.",
			seen: `${said} lines for ${rejected} rejections, ${reasons.length - untold.length} different reasons`,
			wanted: 'one line for each rejection, and all reasons',
			holds: said === rejected && untold.length === 0,
		},
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
		await retryInterrupted(n8n, execution);
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
			what: `${name}: ${count} events arrive, and n8n is killed after ${early.length} of them received a 2xx response.`,
			seen: `${ranEarly} of the confirmed events were processed, ${early.length - nowhere - ranEarly} interrupted by the kill and listed in n8n, ${nowhere} lost`,
			wanted: 'none lost',
			holds: nowhere === 0,
		},
		{
			what: `${name}: after the restart, Retry is pressed for the ${cut.length} interrupted executions (${states}).`,
			seen: `${count - missing} of ${count} events were processed, ${doubles} of them twice`,
			wanted: 'all',
			holds: missing === 0,
		},
	];
}

const pause = {
	name: 'Pause',
	type: 'n8n-nodes-base.wait',
	parameters: { amount: 1, unit: 'seconds' },
	more: { typeVersion: 1.1, webhookId: randomUUID() },
};

export const title = 'The trigger';
export const columns = ['Seen', 'Wanted'];

export const scenario: readonly Scenario[] = [
	{
		name: 'good and odd deliveries at the same time; n8n killed under load',
		short: true,
		run: async (context) => {
			const stage = await context.startOwn();
			const gate = await whoGetsIn(stage, sizesOf(context));
			const quick = await killed(stage, 'Short executions', sizesOf(context));
			const slow = context.short
				? []
				: await killed(stage, 'Executions of a second', sizesOf(context), [pause]);
			return [...rowsOf('S', gate), ...rowsOf('T', [...quick, ...slow])];
		},
	},
];
