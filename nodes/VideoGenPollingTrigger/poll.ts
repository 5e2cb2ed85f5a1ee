/**
 * One poll: what is new since the last one, and what is kept for the next.
 *
 * n8n stores the kept state and the execution that a poll starts in two steps, and stores neither if
 * a poll starts none. So the events of a poll count as processed at the next poll of the same
 * process. A process that started since outputs them again, and the execution drops those that ran
 * before (emit.ts). So n8n neither loses an event nor runs one twice, whenever it is killed.
 */
import { randomUUID } from 'crypto';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { boundedMap } from '../core/boundedMap';
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
	removeCopies,
	type WatchedKind,
} from './sources';

/** What the form asks for. */
export interface PollFilter {
	source: string;
	/** Event types, or outcomes of jobs; an empty list means all. */
	kinds: readonly string[];
	entityId?: string;
}

/** How far the trigger has read. */
interface PollPosition {
	/** Identifies the list. */
	of: string;
	position: Cursor;
	/** Jobs that are still running. */
	watched: PendingJobs;
}

/** What the node keeps in the static data of the workflow. */
interface PollState {
	standing: PollPosition;
	/** The last poll with news: its execution, the position once that has run, and its attempts. */
	given?: { run: string; then: PollPosition; times: number };
}

/** New events, and the position after them. */
interface PollResult extends Omit<PollPosition, 'of'> {
	events: IDataObject[];
}

/** Triggers that poll now. A poll that comes meanwhile is skipped. */
const activePolls = boundedMap<true>(1_000, 3600);

/** Executions that polls of this process have started. */
const pollRuns = boundedMap<true>(5_000, 30 * 24 * 3600);

const pageSize = 100;

/** Most entries of one poll; the others follow at the next polls. */
const maxEventsPerPoll = 1_000;

/** Most running jobs that one trigger watches. Newer ones wait in their list. */
const maxPendingJobs = 1_000;

/** Age in seconds, relative to the newest job, after which a job is no longer watched. */
const maxPendingAge = 30 * 24 * 3600;

/** Seconds before the first poll in which a running job must have been created to be watched. */
const firstPollWindow = 24 * 3600;

/** Most attempts to output events whose execution may not have run. */
const maxEmissions = 3;

/** Reads the parameters of the node. */
export function readPollFilter(get: (name: string, fallback: unknown) => unknown): PollFilter {
	const source = String(get('source', 'videos'));
	const options = get('options', {}) as IDataObject;
	const entityId = readText(String(options.entity_id ?? '').trim());
	return source === 'events'
		? { source, kinds: parseEventTypes(get('events', [])), entityId }
		: { source, kinds: parseEventTypes(get('outcomes', [])) };
}

/** Whether the form asks for an event type or an outcome. */
export const matchesFilter = ({ kinds }: PollFilter, kind: unknown) =>
	kinds.length === 0 || kinds.includes(String(kind));

/** The outcome in the type of an event. */
export const readJobOutcome = ({ event_type: type }: IDataObject) =>
	String(type).endsWith('.fail') ? 'failed' : 'completed';

/** The request for the list of delivered events. */
export const buildEventsRequest = ({ entityId }: PollFilter) => ({
	line: 'GET /v3/webhooks/events',
	query: entityId === undefined ? {} : { entity_id: entityId },
});

async function readNewEntries(
	client: Client,
	request: ServiceRequest,
	options: Omit<EntryReaderOptions, 'most'>,
): Promise<ListEntry[]> {
	const reader = createNewEntryReader({ ...options, most: maxEventsPerPoll });
	for await (const { rows } of client.fetchPages(request, pageSize)) {
		if (reader.take(rows)) break;
	}
	return reader.found();
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
	const { entries, marks } = removeCopies(position?.seen ?? {}, found);
	return {
		events: entries
			.filter(({ row }) => matchesFilter(filter, row.event_type))
			.map(({ id, row }) => ({ ...row, event_id: row.event_id ?? id })),
		position: advanceCursor(position, found, marks, now),
		watched: {},
	};
}

/** Splits new jobs into ended and running ones, up to the first running one that exceeds `space`. */
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
	// The first poll takes all of them: those that it left would look new at the next one.
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

/** The position of the last poll; that of the poll before if the last one may not have run. */
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
	// A copy: n8n stores every change of the static data itself.
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

	// What ended before the trigger was activated is not news.
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

/** Polls the service: the new events for an execution, or null if there are none. */
export async function poll(n8n: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const place = `${n8n.getWorkflow().id} ${n8n.getNode().id}`;
	// n8n starts a poll on time even if the last one is not done: both would return the same events.
	if (activePolls.get(place)) return null;
	activePolls.set(place, true);
	try {
		const items = await pollService(n8n, place);
		return items && [items];
	} finally {
		activePolls.delete(place);
	}
}
