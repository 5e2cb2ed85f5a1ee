/**
 * Polls the service once: finds the events since the previous poll and stores the list position
 * (how far the list has been read).
 *
 * n8n stores the list position and the poll's execution in two separate steps, and may be killed
 * between the two. (If a poll starts no execution, n8n stores neither.) The trigger therefore
 * stores both the old and the new position, and chooses between them at the next poll. If n8n has
 * not restarted in the meantime, it has stored the execution, so the trigger continues from the new
 * position. If n8n has restarted, the trigger continues from the old position and returns the same
 * events again, in at most three polls in total. The new execution drops the events that were
 * already output (emit.ts). As a result, no event is lost or output twice, even if n8n is killed.
 */
import { randomUUID } from 'crypto';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { createBoundedMap } from '../core/boundedMap';
import { clock } from '../core/clock';
import { toNodeError } from '../core/errors/nodeErrors';
import { createClient, type Client } from '../core/http/client';
import { decideJobState } from '../core/jobs/jobState';
import type { JobKind } from '../core/jobs/types';
import { readText, toText } from '../core/json';
import { toUnixSeconds } from '../core/time';
import { parseEventTypes } from '../shared/eventItems';
import {
	getTriggerId,
	identifyAccount,
	isStartOfN8n,
	readTriggerState,
	updateTriggerState,
	type AccountIdentity,
} from '../shared/triggerState';
import {
	advanceCursor,
	cursorOverlapSeconds,
	readNewEntries,
	type ListEntry,
	type Cursor,
} from '../shared/listCursor';
import type { PolledEvent } from './emit';
import { checkPendingJobs, type PendingJobs } from './pendingJobs';
import {
	readEventId,
	createJobEvent,
	getPollableJobKind,
	readJobId,
	removeDuplicateEvents,
	type PollableJobKind,
} from './sources';

/** Settings that determine which list the polling trigger polls and which events it outputs. */
export interface PollSettings {
	source: string;
	/**
	 * Event types or job outcomes that the trigger outputs. If the list is empty, the trigger
	 * outputs all of them.
	 */
	kinds: readonly string[];
	entityId?: string;
}

/**
 * Records how far the polling trigger has read a list, and which of the jobs found so far are still
 * running.
 */
interface PollPosition {
	/**
	 * Identifier of the list and its filter. A stored position is valid only for the same list and
	 * filter.
	 */
	of: string;
	position: Cursor;
	/** Jobs that were still running at the last poll, which later polls check. */
	watched: PendingJobs;
	/**
	 * Time when each event type or outcome was selected. Undefined if an older version of this
	 * package stored the position.
	 */
	starts?: KindStarts;
}

/**
 * Maps each event type or job outcome to the Unix time, in seconds, when the user selected it. The
 * value 0 means that it was selected when the workflow was activated. The key `*` stands for all
 * types or outcomes without their own key.
 */
type KindStarts = Readonly<Record<string, number>>;

/** State that the polling trigger keeps between polls, stored in the workflow's static data. */
interface PollState {
	/** Account to which the position belongs. */
	account: AccountIdentity;
	standing: PollPosition;
	/**
	 * Most recent poll that found events: the poll's ID, the list position after its events, and
	 * how many times these events have been returned.
	 */
	given?: { run: string; then: PollPosition; times: number };
}

/** Result of a poll: new events, and the list position after them. */
interface PollResult extends Omit<PollPosition, 'of' | 'starts'> {
	events: IDataObject[];
}

/**
 * Triggers that are currently polling. A trigger skips further polls until the current one ends.
 */
const activePolls = createBoundedMap<true>(1_000, 3600);

/**
 * IDs of the polls that have returned events since this n8n process started. If a stored poll's ID
 * is missing here, n8n was restarted after the poll, and the poll's events may not have been
 * output.
 */
const pollRuns = createBoundedMap<true>(5_000, 30 * 24 * 3600);

/** Triggers that have polled since this n8n process started. */
const polledTriggers = createBoundedMap<true>(10_000, 365 * 24 * 3600);

/**
 * Maximum duration, in milliseconds, of a trigger's first poll after n8n starts. n8n 2 gives up on
 * a trigger whose first poll takes longer than 84 seconds.
 */
const maxStartPollTime = 30_000;

/** Maximum number of new list entries that one poll processes. Later polls process the rest. */
const maxEventsPerPoll = 1_000;

/**
 * Maximum number of running jobs that a polling trigger tracks. Later polls find newer jobs once
 * some of the tracked jobs have ended. The first poll ignores this limit.
 */
const maxPendingJobs = 1_000;

/**
 * Maximum number of seconds by which a running job may be older than the newest job. The trigger
 * stops tracking running jobs that are older.
 */
const maxPendingAge = 30 * 24 * 3600;

/**
 * Maximum number of seconds by which a job may be older than the newest job to be included in the
 * trigger's first poll. The trigger ignores older jobs, even if they are still running.
 */
const firstPollWindow = 24 * 3600;

/**
 * Maximum number of polls that return the same events. A poll returns the previous poll's events
 * again if n8n may have stopped before outputting them.
 */
const maxEmissions = 3;

/** Reads the node parameters to determine which list to poll and which events to output. */
export function readPollFilter(get: (name: string, fallback: unknown) => unknown): PollSettings {
	const source = String(get('source', 'videos'));
	// Read separately: n8n cannot evaluate other options, such as File Name, before there is an event.
	const entityId = readText(String(get('options.entity_id', '') ?? '').trim());
	return source === 'events'
		? { source, kinds: parseEventTypes(get('events', [])), entityId }
		: { source, kinds: parseEventTypes(get('outcomes', [])) };
}

/** Whether the polling trigger outputs events of the given type, or jobs with the given outcome. */
export const matchesFilter = ({ kinds }: PollSettings, kind: unknown) =>
	kinds.length === 0 || kinds.includes(toText(kind));

/** Derives the outcome of a job, `failed` or `completed`, from the type of its event. */
export const deriveOutcomeFromEvent = ({ event_type: type }: IDataObject) =>
	toText(type).endsWith('.fail') ? 'failed' : 'completed';

/**
 * Returns the time at which the user selected each event type or job outcome. Without these times,
 * a newly selected outcome would also output old events, because the stored list position may be
 * days old: n8n does not store the position if a poll finds no events.
 *
 * @param found events since the stored position. The time of the newest event is used as the time
 * of a new selection, because the clocks of n8n and the service may differ
 */
function updateKindStarts(
	{ kinds }: PollSettings,
	before: PollPosition | undefined,
	found: readonly IDataObject[],
): KindStarts {
	const starts = before?.starts;
	const newest = Math.max(0, ...found.map(readCreationTime));
	const getStart = (kind: string) => (starts ? (starts[kind] ?? starts['*'] ?? newest) : 0);
	const selected = kinds.length === 0 ? ['*'] : kinds;
	return {
		...(kinds.length === 0 ? starts : {}),
		...Object.fromEntries(selected.map((kind) => [kind, getStart(kind)])),
	};
}

/** Whether an event occurred before the user selected its type or outcome. */
function isBeforeStart({ source }: PollSettings, starts: KindStarts, event: IDataObject): boolean {
	const kind = source === 'events' ? toText(event.event_type) : deriveOutcomeFromEvent(event);
	const start = starts[kind] ?? starts['*'] ?? 0;
	return start > 0 && readCreationTime(event) <= start;
}

/** Builds the request for the list of events that the service has delivered to webhooks. */
export const buildEventsRequest = ({ entityId }: PollSettings) => ({
	line: 'GET /v3/webhooks/events',
	query: entityId === undefined ? {} : { entity_id: entityId },
});

async function findNewEvents(
	client: Client,
	filter: PollSettings,
	before: PollPosition | undefined,
	now: number,
): Promise<PollResult> {
	const position = before?.position;
	const newEntries = await readNewEntries(client, buildEventsRequest(filter), {
		position: position ?? cursorOverlapSeconds,
		maxEntries: maxEventsPerPoll,
		idOf: readEventId,
		now,
	});
	const { entries, marks } = removeDuplicateEvents(position?.seen ?? {}, newEntries);
	return {
		events: entries
			.filter(({ row }) => matchesFilter(filter, row.event_type))
			.map(({ id, row }) => ({ ...row, event_id: row.event_id ?? id })),
		position: advanceCursor(position, newEntries, marks, now),
		watched: {},
	};
}

/**
 * Separates jobs that have ended from jobs that are still running.
 *
 * @param space maximum number of running jobs to return. The first running job beyond this number,
 * and all entries after it, are left to later polls
 */
function splitByState(kind: JobKind, entries: readonly ListEntry[], space: number) {
	const ended: ListEntry[] = [];
	const pending: Record<string, number> = {};
	const taken: ListEntry[] = [];
	for (const entry of entries) {
		// The outcome of a session depends on its video, which the list does not contain.
		const hasEnded = !kind.next && decideJobState(kind, entry.row) !== 'pending';
		if (!hasEnded && space-- <= 0) break;
		if (hasEnded) ended.push(entry);
		else pending[entry.id] = entry.time;
		taken.push(entry);
	}
	return { ended, pending, taken };
}

/** Returns the creation time of a list row or event, in Unix seconds, or 0 if it is unknown. */
export const readCreationTime = ({ created_at }: IDataObject) =>
	toUnixSeconds(created_at, 'UTC') ?? 0;

async function findEndedJobs(
	client: Client,
	kind: PollableJobKind,
	filter: PollSettings,
	before: PollPosition | undefined,
	{ place, now }: { place: string; now: number },
): Promise<PollResult> {
	const idOf = (row: IDataObject) => readJobId(kind, row);
	const newEntries = await readNewEntries(
		client,
		{ line: kind.events.list },
		{
			position: before?.position ?? firstPollWindow,
			maxEntries: maxEventsPerPoll,
			idOf,
			now,
		},
	);
	const { floor = 0, seen = {} } = before?.position ?? {};
	const times = [floor, ...Object.values(seen), ...newEntries.map(({ time }) => time)];
	const newest = Math.min(Math.max(...times), now);
	const removeOld = (jobs: PendingJobs) =>
		Object.entries(jobs).filter(([, created]) => newest - created <= maxPendingAge);
	const watchedBefore = removeOld(before?.watched ?? {});
	// The first poll tracks all running jobs. The next poll would output any others as new jobs.
	const space = before ? maxPendingJobs - watchedBefore.length : Infinity;
	const { ended, pending, taken } = splitByState(kind, newEntries, space);
	if (taken.length < newEntries.length) {
		client.warn(
			`${maxPendingJobs} jobs are still running. Newer jobs are not reported until some of these end or are 30 days older than the newest job`,
		);
	}
	const position = advanceCursor(before?.position, taken, {}, now);
	const watched = [...watchedBefore, ...removeOld(pending)];
	const checked = await checkPendingJobs(client, kind, place, Object.fromEntries(watched));
	const { ended: endedSince, errors } = checked;

	const responses = [...ended.map(({ id, row }) => [id, row] as const), ...endedSince];
	const events = responses
		.flatMap(([id, response]) => (response ? [createJobEvent(kind, id, response, now)] : []))
		.filter((event) => matchesFilter(filter, deriveOutcomeFromEvent(event)))
		.sort((a, b) => readCreationTime(a) - readCreationTime(b));
	for (const [id, error] of errors) {
		// A job that cannot be read must not delay the events of other jobs.
		if (events.length === 0) throw toNodeError(client.node, error);
		client.warn(
			`${kind.name} ${id} could not be read and will be read again at the next poll: ${(error as Error).message}`,
		);
	}
	return {
		events,
		position,
		watched: Object.fromEntries(watched.filter(([id]) => !endedSince.has(id))),
	};
}

/**
 * Returns the list position from which to poll, and how many times the events after that position
 * have already been returned. If n8n may have stopped before outputting the previous poll's events,
 * returns the position before these events, so that they are found again.
 */
function getPollPosition({ standing, given }: PollState): {
	standing: PollPosition;
	times: number;
} {
	if (given === undefined) return { standing, times: 0 };
	const isOver = pollRuns.get(given.run) !== undefined || given.times >= maxEmissions;
	return isOver ? { standing: given.then, times: 0 } : { standing, times: given.times };
}

async function pollService(
	n8n: IPollFunctions,
	place: string,
	signal?: AbortSignal,
): Promise<INodeExecutionData[] | null> {
	const filter = readPollFilter((name, fallback) => n8n.getNodeParameter(name, fallback as object));
	const of = JSON.stringify([filter.source, filter.entityId ?? null]);
	const { polling } = readTriggerState<{ polling: PollState }>(n8n);
	// A copy, because n8n stores every change to the static data.
	const state = polling && (JSON.parse(JSON.stringify(polling)) as PollState);

	const client = await createClient(n8n, { signal });
	const { account, isKnown } = await identifyAccount(client, state?.account);
	const last = isKnown && state?.standing.of === of ? getPollPosition(state) : undefined;
	const now = clock.now() / 1000;
	const kind = getPollableJobKind(filter.source);
	const before = last?.standing;
	const { events: found, ...rest } =
		kind === undefined
			? await findNewEvents(client, filter, before, now)
			: await findEndedJobs(client, kind, filter, before, { place, now });
	const starts = updateKindStarts(filter, before, found);
	const events = found.filter((event) => !isBeforeStart(filter, starts, event));
	const then = { of, ...rest, starts };

	const store = (changed: Omit<PollState, 'account'>) =>
		updateTriggerState<{ polling: PollState }>(n8n, { polling: { account, ...changed } });
	// Events from before the activation of the trigger are not output.
	if (last === undefined || events.length === 0) {
		store({ standing: then });
		return null;
	}
	const run = randomUUID();
	const standing = { ...last.standing, starts };
	store({ standing, given: { run, then, times: last.times + 1 } });
	pollRuns.set(run, true);
	return events.map((event) => {
		const eventId = toText(event.event_id);
		const received: PolledEvent = { event, eventId, mark: `${filter.source} ${eventId}`, run };
		return { json: received };
	});
}

/**
 * Polls the service when n8n has just started. Logs an error instead of throwing it. If a trigger's
 * first poll threw an error, n8n 2 would never poll for that trigger again, so a service outage
 * during n8n's startup would disable the trigger. If the error persists, the next poll throws it.
 */
async function pollAtStart(
	n8n: IPollFunctions,
	place: string,
): Promise<INodeExecutionData[] | null> {
	try {
		return await pollService(n8n, place, AbortSignal.timeout(maxStartPollTime));
	} catch (error) {
		n8n.logger.warn(
			`${n8n.getNode().name} (workflow ${n8n.getWorkflow().id}) could not poll when n8n started and will poll again as scheduled: ${(error as Error).message}`,
		);
		return null;
	}
}

/**
 * Polls the service for new events. Returns the events as input items for an execution, or null if
 * there are none or another poll is still running.
 */
export async function poll(n8n: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const place = getTriggerId(n8n);
	// n8n starts polls on schedule, even if the previous poll is still running. Both polls would
	// return the same events.
	if (activePolls.get(place)) return null;
	activePolls.set(place, true);
	try {
		const isStart = isStartOfN8n(n8n) && !polledTriggers.get(place);
		polledTriggers.set(place, true);
		const items = isStart ? await pollAtStart(n8n, place) : await pollService(n8n, place);
		return items && [items];
	} finally {
		activePolls.delete(place);
	}
}
