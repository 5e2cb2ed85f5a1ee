/**
 * Runs one poll: finds the events since the last poll and stores the new position.
 *
 * n8n stores the static data and the execution of a poll in two steps, and stores neither if a poll
 * starts no execution. The events of a poll therefore count as processed only at the next poll of
 * the same process. After a restart, a process returns them again, and the execution drops those
 * that were output before (emit.ts). So n8n neither loses an event nor outputs one twice, even if
 * it is killed.
 */
import { randomUUID } from 'crypto';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { createBoundedMap } from '../core/boundedMap';
import { clock } from '../core/clock';
import { createClient, type Client } from '../core/http/client';
import type { ServiceRequest } from '../core/http/serviceRequest';
import { readState } from '../core/jobs/state';
import type { JobKind } from '../core/jobs/types';
import { readText } from '../core/json';
import { toUnixSeconds } from '../core/time';
import { parseEventTypes } from '../fields/webhook';
import {
	advanceCursor,
	cursorOverlap,
	createNewEntryReader,
	type ListEntry,
	type Cursor,
	type EntryReaderOptions,
} from './cursor';
import type { PolledEvent } from './emit';
import { checkPendingJobs, type PendingJobs } from './pendingJobs';
import {
	readEventId,
	createJobEvent,
	getWatchedKind,
	readJobId,
	removeDuplicates,
	type WatchedKind,
} from './sources';

/** Filter from the form of the trigger. */
export interface PollFilter {
	source: string;
	/** Selected event types or job outcomes. An empty list selects all. */
	kinds: readonly string[];
	entityId?: string;
}

/** Position up to which the trigger has processed its source. */
interface PollPosition {
	/** Key of the list and its filter. The position applies to that list only. */
	of: string;
	position: Cursor;
	/** Jobs that were still running at the last poll. */
	watched: PendingJobs;
}

/** State that the node stores in the static data of the workflow. */
interface PollState {
	standing: PollPosition;
	/**
	 * Last poll that found events: its ID, the position after its execution has run, and the number
	 * of times that its events were returned.
	 */
	given?: { run: string; then: PollPosition; times: number };
}

/** New events, and the position after them. */
interface PollResult extends Omit<PollPosition, 'of'> {
	events: IDataObject[];
}

/** Triggers with a poll in progress. Further polls are skipped until it ends. */
const activePolls = createBoundedMap<true>(1_000, 3600);

/** IDs of polls of this process that returned events. */
const pollRuns = createBoundedMap<true>(5_000, 30 * 24 * 3600);

const pageSize = 100;

/** Maximum number of new entries per poll. The others follow at the next polls. */
const maxEventsPerPoll = 1_000;

/** Maximum number of running jobs that one trigger tracks. Newer jobs stay unread in their list. */
const maxPendingJobs = 1_000;

/** Age in seconds, relative to the newest job, after which a running job is no longer tracked. */
const maxPendingAge = 30 * 24 * 3600;

/** Age in seconds up to which the first poll tracks running jobs. */
const firstPollWindow = 24 * 3600;

/** Maximum number of polls that return the same events while their execution may not have run. */
const maxEmissions = 3;

/** Reads the source and the filter from the node parameters. */
export function readPollFilter(get: (name: string, fallback: unknown) => unknown): PollFilter {
	const source = String(get('source', 'videos'));
	const options = get('options', {}) as IDataObject;
	const entityId = readText(String(options.entity_id ?? '').trim());
	return source === 'events'
		? { source, kinds: parseEventTypes(get('events', [])), entityId }
		: { source, kinds: parseEventTypes(get('outcomes', [])) };
}

/** Whether the filter selects an event type or a job outcome. */
export const matchesFilter = ({ kinds }: PollFilter, kind: unknown) =>
	kinds.length === 0 || kinds.includes(String(kind));

/** Returns the job outcome that the type of an event implies. */
export const readJobOutcome = ({ event_type: type }: IDataObject) =>
	String(type).endsWith('.fail') ? 'failed' : 'completed';

/** Builds the request that lists delivered events. */
export const buildEventsRequest = ({ entityId }: PollFilter) => ({
	line: 'GET /v3/webhooks/events',
	query: entityId === undefined ? {} : { entity_id: entityId },
});

async function readNewEntries(
	client: Client,
	request: ServiceRequest,
	options: Omit<EntryReaderOptions, 'maxEntries'>,
): Promise<ListEntry[]> {
	const reader = createNewEntryReader({ ...options, maxEntries: maxEventsPerPoll });
	for await (const { rows } of client.fetchPages(request, pageSize)) {
		if (reader.take(rows)) break;
	}
	return reader.getEntries();
}

async function findNewEvents(
	client: Client,
	filter: PollFilter,
	before: PollPosition | undefined,
	now: number,
): Promise<PollResult> {
	const position = before?.position;
	const options = { position: position ?? cursorOverlap, idOf: readEventId, now };
	const found = await readNewEntries(client, buildEventsRequest(filter), options);
	const { entries, marks } = removeDuplicates(position?.seen ?? {}, found);
	return {
		events: entries
			.filter(({ row }) => matchesFilter(filter, row.event_type))
			.map(({ id, row }) => ({ ...row, event_id: row.event_id ?? id })),
		position: advanceCursor(position, found, marks, now),
		watched: {},
	};
}

/** Splits new jobs into ended and running ones. Stops when more than `space` jobs are running. */
function splitByState(kind: JobKind, entries: readonly ListEntry[], space: number) {
	const ended: ListEntry[] = [];
	const pending: Record<string, number> = {};
	const taken: ListEntry[] = [];
	for (const entry of entries) {
		const hasEnded = readState(kind, entry.row) !== 'pending';
		if (!hasEnded && space-- <= 0) break;
		if (hasEnded) ended.push(entry);
		else pending[entry.id] = entry.time;
		taken.push(entry);
	}
	return { ended, pending, taken };
}

async function findEndedJobs(
	client: Client,
	kind: WatchedKind,
	filter: PollFilter,
	before: PollPosition | undefined,
	{ place, now }: { place: string; now: number },
): Promise<PollResult> {
	const idOf = (row: IDataObject) => readJobId(kind, row);
	const options = { position: before?.position ?? firstPollWindow, idOf, now };
	const found = await readNewEntries(client, { line: kind.events.list }, options);
	// The first poll takes all running jobs: any that it left out would seem new at the next poll.
	const space = before ? maxPendingJobs - Object.keys(before.watched).length : Infinity;
	const { ended, pending, taken } = splitByState(kind, found, space);
	const position = advanceCursor(before?.position, taken, {}, now);
	const newest = Math.min(Math.max(position.floor, ...Object.values(position.seen)), now);
	const watched = Object.entries({ ...before?.watched, ...pending }).filter(
		([, created]) => newest - created <= maxPendingAge,
	);
	const endedSince = await checkPendingJobs(client, kind, place, Object.fromEntries(watched));

	const responses = [...ended.map(({ id, row }) => [id, row] as const), ...endedSince];
	const events = responses
		.flatMap(([id, response]) => (response ? [createJobEvent(kind, id, response, now)] : []))
		.filter((event) => matchesFilter(filter, readJobOutcome(event)))
		.sort((a, b) => (toUnixSeconds(a.created_at) ?? 0) - (toUnixSeconds(b.created_at) ?? 0));
	return {
		events,
		position,
		watched: Object.fromEntries(watched.filter(([id]) => !endedSince.has(id))),
	};
}

/**
 * Returns the position from which the next poll reads. It is still the previous one if the
 * execution of the last poll may not have run.
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
): Promise<INodeExecutionData[] | null> {
	const filter = readPollFilter((name, fallback) => n8n.getNodeParameter(name, fallback as object));
	const of = JSON.stringify([filter.source, filter.entityId ?? null]);
	const data = n8n.getWorkflowStaticData('node') as { polling?: PollState };
	// A copy, because n8n stores every change to the static data.
	const state = data.polling && (JSON.parse(JSON.stringify(data.polling)) as PollState);
	const last = state?.standing.of === of ? getPollPosition(state) : undefined;

	const client = await createClient(n8n);
	const now = clock.now() / 1000;
	const kind = getWatchedKind(filter.source);
	const before = last?.standing;
	const { events, ...rest } =
		kind === undefined
			? await findNewEvents(client, filter, before, now)
			: await findEndedJobs(client, kind, filter, before, { place, now });
	const then = { of, ...rest };

	// Events from before the activation of the trigger are not output.
	if (last === undefined || events.length === 0) {
		data.polling = { standing: then };
		return null;
	}
	const run = randomUUID();
	data.polling = { standing: last.standing, given: { run, then, times: last.times + 1 } };
	pollRuns.set(run, true);
	return events.map((event) => {
		const eventId = String(event.event_id);
		const received: PolledEvent = { event, eventId, mark: `${filter.source} ${eventId}`, run };
		return { json: received };
	});
}

/** Polls the service. Returns the new events for an execution, or null if there are none. */
export async function poll(n8n: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const place = `${n8n.getWorkflow().id} ${n8n.getNode().id}`;
	// n8n starts a poll on schedule even if the last one is running: both would return the same
	// events.
	if (activePolls.get(place)) return null;
	activePolls.set(place, true);
	try {
		const items = await pollService(n8n, place);
		return items && [items];
	} finally {
		activePolls.delete(place);
	}
}
