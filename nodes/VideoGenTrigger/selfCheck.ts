/**
 * Repairs the trigger's endpoint if somebody has deleted, disabled or changed it in the service, or
 * if n8n has restored older static data with an outdated secret. Also finds the events that the
 * service could not deliver in the meantime.
 *
 * n8n calls `trigger` at startup and when it publishes the workflow, at the same time as the
 * functions that check and register the endpoint. n8n saves the changes that these calls make to
 * the static data. Later changes are saved only when an execution starts.
 */
import { randomUUID } from 'crypto';
import {
	jsonParse,
	type IDataObject,
	type ITriggerFunctions,
	type ITriggerResponse,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { apiLimits } from '../apiLimits';
import { createBoundedMap } from '../core/boundedMap';
import { clock } from '../core/clock';
import { createDigest } from '../core/digest';
import { createClient, createWarningLogger, type Client } from '../core/http/client';
import { readObject, readText } from '../core/json';
import { eventLabels } from '../fields/webhook';
import {
	advanceCursor,
	cursorOverlapSeconds,
	readNewEntries,
	type Cursor,
	type ListEntry,
} from '../shared/listCursor';
import {
	getTriggerId,
	identifyAccount,
	readTriggerState,
	updateTriggerState,
	type AccountIdentity,
} from '../shared/triggerState';
import {
	createDeliveredEvent,
	createDeliveryKey,
	findDeliveryState,
	listDigests,
	type DeliveredEvent,
} from './deliveredEvents';
import {
	checkEndpoint,
	readStoredEndpoint,
	readSubscription,
	registerEndpoint,
} from './endpointRegistration';

/**
 * Minimum time, in seconds, between two endpoint checks that are caused by rejected deliveries. The
 * checks are limited because anyone can send a delivery with an invalid signature.
 */
const recheckSeconds = 600;

/**
 * Delay, in milliseconds, before the trigger looks for missed events a second time. During the
 * first search, n8n may not yet have published the workflow and repaired the endpoint.
 */
const secondReadDelay = 60_000;

/** Average time in milliseconds between two checks of a published trigger. */
const dailyCheckInterval = 24 * 3600 * 1000;

/**
 * Maximum duration of a check in milliseconds. n8n waits for the first check when it starts and
 * when it publishes a workflow.
 */
const maxCheckTime = 30_000;

/**
 * Maximum number of events from the service's list that one execution compares with the events
 * already received.
 */
const maxMissedEvents = 5_000;

/**
 * Maximum number of executions that receive the same missed events. A check outputs the events of
 * the previous check again if n8n may have stopped before it stored the execution.
 */
const maxRepeatedChecks = 3;

/** ID of this n8n process, new at each start. */
const processId = randomUUID();

const eventsLine = 'GET /v3/webhooks/events';

/** Triggers that have recently checked their endpoint because of a rejected delivery. */
const recentChecks = createBoundedMap<true>(1_000, recheckSeconds);

/**
 * Whether the service lists the event of a delivery whose signature does not match. If so, the
 * delivery is genuine, and the stored secret is outdated.
 */
async function isListedEvent(client: Client, body: Buffer): Promise<boolean> {
	const parsed = jsonParse<unknown>(body.toString('utf8'), { fallbackValue: null });
	const { event_id: id, event_type: type } = readObject(parsed);
	if (readText(id) === undefined) return false;
	const isKnownType = typeof type === 'string' && Object.hasOwn(eventLabels, type);
	const query = isKnownType ? { event_type: type } : {};
	const { value: page } = await client
		.fetchPages({ line: eventsLine, query }, apiLimits[eventsLine].limit.max)
		.next();
	return (page as { rows: IDataObject[] }).rows.some((row) => row.event_id === id);
}

/**
 * Checks, at most once in ten minutes, whether a delivery with an invalid signature is genuine. If
 * it is, requests a new secret for the endpoint and returns true. The service then retries the
 * delivery. A forged delivery costs only one request.
 */
export async function repairSecret(n8n: IWebhookFunctions, body: Buffer): Promise<boolean> {
	const trigger = getTriggerId(n8n);
	if (n8n.getMode() === 'manual' || recentChecks.get(trigger)) return false;
	recentChecks.set(trigger, true);
	const warn = createWarningLogger(n8n);
	try {
		const client = await createClient(n8n, { signal: AbortSignal.timeout(maxCheckTime) });
		if (!(await isListedEvent(client, body))) return false;
		await registerEndpoint(n8n, client, n8n.getNodeWebhookUrl('default') ?? '');
		warn('the stored signing secret was outdated, so the trigger has requested a new one');
		return true;
	} catch (error) {
		warn(`could not check a rejected delivery: ${(error as Error).message}`);
		return false;
	}
}

/**
 * Repairs the endpoint in the service if it differs from the stored endpoint. Returns whether a
 * repair was necessary.
 */
async function repairEndpoint(n8n: ITriggerFunctions, client: Client): Promise<boolean> {
	const { url } = readStoredEndpoint(n8n);
	if (url === undefined) return false;
	const state = await checkEndpoint(n8n, client, url);
	if (state === 'missing') await registerEndpoint(n8n, client, url);
	return state !== 'registered';
}

/**
 * Returns a key that is equal for all copies of an event. The service lists an event once for each
 * endpoint, each time with a different event ID. The key consists of the event's type and the IDs
 * in its data or, if there are no IDs, all of its data.
 */
function describeContent({ event_type: type, event_data: data }: IDataObject): string {
	const ids = Object.entries(readObject(data)).filter(
		([key]) => key === 'id' || key.endsWith('_id'),
	);
	return JSON.stringify([type, ids.length > 0 ? ids.sort() : data]);
}

/**
 * Records how far the trigger has read the service's list of events to find missed ones, and for
 * which account.
 */
interface CatchUpState {
	caughtUp: {
		account: AccountIdentity;
		position: Cursor;
		/**
		 * Position after the events that the last execution received, and the number of executions
		 * that have received them. Stored in addition to the earlier position, because n8n may be
		 * killed after it stores this state and before it stores the execution.
		 */
		next?: { position: Cursor; times: number; process: string };
	};
}

/**
 * Returns the position from which to look for missed events. If n8n was restarted, returns the
 * position before the last execution's events, because that execution may have been lost.
 */
function getCatchUpStart({ position, next }: CatchUpState['caughtUp']) {
	if (next === undefined) return { position, times: 0 };
	const isStored = next.process === processId || next.times >= maxRepeatedChecks;
	return isStored ? { position: next.position, times: 0 } : { position, times: next.times };
}

/** Returns the newest events that the service has listed since a position, oldest first. */
async function readListedEvents(
	client: Client,
	entityId: string | undefined,
	position: Cursor | undefined,
	now: number,
): Promise<ListEntry[]> {
	const query = entityId === undefined ? {} : { entity_id: entityId };
	return await readNewEntries(
		client,
		{ line: eventsLine, query },
		{
			position: position ?? cursorOverlapSeconds,
			maxEntries: Infinity,
			maxNewest: maxMissedEvents,
			idOf: (row) => readText(row.event_id),
			now,
		},
	);
}

/**
 * Returns those events in the service's list that the trigger is set to output. Events that the
 * trigger has already output are included, because `execute` drops them later. Returns an empty
 * list if this process has received all of the events.
 */
function selectMissedEvents(
	n8n: ITriggerFunctions,
	types: readonly string[],
	entries: readonly ListEntry[],
): DeliveredEvent[] {
	const delivery = randomUUID();
	const events = new Map<string, DeliveredEvent>();
	for (const { id, row } of entries) {
		if (types.length > 0 && !types.includes(readText(row.event_type) ?? '')) continue;
		const event = createDeliveredEvent(row, createDigest(id), delivery);
		const content = describeContent(row);
		const same = events.get(content);
		if (same) same.otherDigests = [...(same.otherDigests ?? []), event.digest];
		else events.set(content, event);
	}
	const isReceived = (digest: string) =>
		findDeliveryState(createDeliveryKey(n8n, digest)) !== undefined;
	const all = [...events.values()];
	return all.every((event) => listDigests(event).some(isReceived)) ? [] : all;
}

/**
 * Starts an execution with the events that the service has listed since the last check. Ignores
 * events from before the first check of an account.
 */
async function emitMissedEvents(
	n8n: ITriggerFunctions,
	client: Client,
	emitsNothing = false,
): Promise<void> {
	const { events: types, entityId } = readSubscription(n8n);
	const { caughtUp } = readTriggerState<CatchUpState>(n8n);
	const { account, isKnown } = await identifyAccount(client, caughtUp?.account);
	const start = isKnown && caughtUp ? getCatchUpStart(caughtUp) : undefined;
	const now = clock.now() / 1000;
	const entries = await readListedEvents(client, entityId, start?.position, now);
	// Skipped events stay skipped, even if the user removes the option later.
	const isSkipped = n8n.getNodeParameter('options.skipMissedEvents', false) === true;
	const listed = isSkipped || !start ? [] : selectMissedEvents(n8n, types, entries);
	const missed = listed.slice(-maxMissedEvents);
	if (listed.length > missed.length) {
		client.warn(
			`the service lists more than ${maxMissedEvents} events since the last check; only the newest ${maxMissedEvents} are compared with those that were received`,
		);
	}
	const position = advanceCursor(start?.position, entries, {}, now);
	const next = { position, times: (start?.times ?? 0) + 1, process: processId };
	updateTriggerState<CatchUpState>(n8n, {
		caughtUp:
			start && missed.length > 0
				? { account, position: start.position, next }
				: { account, position },
	});
	if (missed.length > 0 || emitsNothing) n8n.emit([missed.map((json) => ({ json }))]);
}

/**
 * Runs a check of the trigger, with a time limit. Logs errors instead of throwing them, because
 * they must not stop the trigger.
 */
async function runCheck(
	n8n: ITriggerFunctions,
	stop: AbortSignal,
	check: (client: Client) => Promise<void>,
): Promise<void> {
	try {
		const signal = AbortSignal.any([stop, AbortSignal.timeout(maxCheckTime)]);
		await check(await createClient(n8n, { signal }));
	} catch (error) {
		if (stop.aborted) return;
		createWarningLogger(n8n)(`could not check its endpoint: ${(error as Error).message}`);
	}
}

/**
 * Outputs the events that a published trigger has missed, and checks its endpoint once a day. Stops
 * when n8n unpublishes the workflow or shuts down.
 */
export async function startChecks(n8n: ITriggerFunctions): Promise<ITriggerResponse> {
	// When the user listens for a test event, n8n registers another URL for a short time.
	if (n8n.getMode() === 'manual') return {};
	const stop = new AbortController();
	const readMissedEvents = async () =>
		await runCheck(n8n, stop.signal, async (client) => await emitMissedEvents(n8n, client));
	await readMissedEvents();
	const continueChecks = async () => {
		await clock.sleep(secondReadDelay, stop.signal);
		await readMissedEvents();
		for (;;) {
			await clock.sleep(dailyCheckInterval * (0.9 + 0.2 * Math.random()), stop.signal);
			await runCheck(n8n, stop.signal, async (client) => {
				// An execution without items makes n8n save the repaired endpoint.
				if (await repairEndpoint(n8n, client)) await emitMissedEvents(n8n, client, true);
			});
		}
	};
	// The loop ends when the signal aborts the pause.
	void continueChecks().catch(() => undefined);
	return { closeFunction: async () => stop.abort() };
}
