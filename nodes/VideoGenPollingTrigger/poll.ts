/**
 * One look at the service: what is new since the last one, and what is kept for the next.
 *
 * n8n stores what is kept and the run that a poll starts one beside the other, and stores nothing
 * when a poll starts no run. So what a poll has given out counts as dealt with at the next poll of
 * the same process; a process that was started since gives it out once more, and the run leaves out
 * what has run before (given.ts). Killed at whatever moment, n8n neither loses an event nor runs one
 * twice.
 */
import { randomUUID } from 'crypto';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { clock } from '../core/clock';
import type { ServiceRequest } from '../core/http/serviceRequest';
import { createClient, type Client } from '../core/http/client';
import { readState } from '../core/jobs/state';
import { readText } from '../core/json';
import { activePolls, pollRuns } from '../core/memory';
import { toUnixSeconds } from '../core/time';
import { parseEventTypes } from '../fields/webhook';
import type { PolledEvent } from './emit';
import {
	advanceCursor,
	cursorOverlap,
	createEntryReader,
	type ListEntry,
	type Cursor,
	type ReadOptions,
} from './cursor';
import {
	readEventId,
	createJobEvent,
	readJobId,
	jobListSources,
	removeCopies,
	type JobListSource,
} from './sources';
import { checkPendingJobs, type PendingJobs } from './pendingJobs';

/** What the form says. */
export interface PollFilter {
	source: string;
	/** Event types, or outcomes of jobs; none stands for all. */
	kinds: readonly string[];
	entityId?: string;
}

/** Where the trigger stands. */
interface PollPosition {
	/** The list that it is about. */
	of: string;
	position: Cursor;
	watched: PendingJobs;
}

/** What the node keeps in the static data of the workflow. */
interface PollState {
	standing: PollPosition;
	/** What the last poll with news has started, and where the trigger stands when that has run. */
	given?: { run: string; then: PollPosition; times: number };
}

/** What a look has found, and where the trigger stands then. */
interface PollResult extends Omit<PollPosition, 'of'> {
	events: IDataObject[];
}

const pageSize = 100;

/** Most entries that are given out at once; the others follow at the next polls. */
const maxEventsPerPoll = 1_000;

/** Jobs that are watched at the same time; with more of them, later ones wait in their list. */
const maxPendingJobs = 1_000;

/** A job that has not ended so long after its creation is forgotten (seconds, by newer jobs). */
const maxPendingAge = 30 * 24 * 3600;

/** At the first look, jobs of the day before are watched where they have not ended (seconds). */
const firstPollWindow = 24 * 3600;

/** What was given out and may not have run is given out again so often. */
const maxEmissions = 3;

/** The parameters of the node. */
export function readPollFilter(get: (name: string, fallback: unknown) => unknown): PollFilter {
	const source = String(get('source', 'videos'));
	const options = get('options', {}) as IDataObject;
	const entityId = readText(String(options.entity_id ?? '').trim());
	return source === 'events'
		? { source, kinds: parseEventTypes(get('events', [])), entityId }
		: { source, kinds: parseEventTypes(get('outcomes', [])) };
}

/** Whether the form asks for it. */
export const matchesFilter = ({ kinds }: PollFilter, kind: unknown) =>
	kinds.length === 0 || kinds.includes(String(kind));

/** The outcome that an event tells. */
export const readJobOutcome = (event: IDataObject) =>
	String(event.event_type).endsWith('.fail') ? 'failed' : 'completed';

/** The list of delivered events. */
export const buildEventsRequest = ({ entityId }: PollFilter) => ({
	line: 'GET /v3/webhooks/events',
	query: entityId === undefined ? {} : { entity_id: entityId },
});

/** The entries of a list that are new. */
async function readNewEntries(
	client: Client,
	call: ServiceRequest,
	reading: Omit<ReadOptions, 'most'>,
): Promise<ListEntry[]> {
	const reader = createEntryReader({ ...reading, most: maxEventsPerPoll });
	for await (const { rows } of client.fetchPages(call, pageSize)) {
		if (reader.take(rows)) break;
	}
	return reader.found();
}

async function findNewEvents(
	client: Client,
	wanted: PollFilter,
	before: PollPosition | undefined,
	now: number,
): Promise<PollResult> {
	const position = before?.position;
	const reading = { position: position ?? cursorOverlap, idOf: readEventId, now };
	const found = await readNewEntries(client, buildEventsRequest(wanted), reading);
	const { entries, marks } = removeCopies(position?.seen ?? {}, found);
	return {
		events: entries
			.filter(({ row }) => matchesFilter(wanted, row.event_type))
			.map(({ id, row }) => ({ ...row, event_id: row.event_id ?? id })),
		position: advanceCursor(position, found, marks, now),
		watched: {},
	};
}

/** Those of the new jobs that go on are watched, as many as there is room for. */
function splitByState(source: JobListSource, entries: readonly ListEntry[], room: number) {
	const ended: ListEntry[] = [];
	const pending: Record<string, number> = {};
	const taken: ListEntry[] = [];
	for (const entry of entries) {
		const hasEnded = readState(source.job, entry.row) !== 'pending';
		if (!hasEnded && room-- <= 0) break;
		if (hasEnded) ended.push(entry);
		else pending[entry.id] = entry.time;
		taken.push(entry);
	}
	return { ended, pending, taken };
}

async function findEndedJobs(
	client: Client,
	source: JobListSource,
	wanted: PollFilter,
	before: PollPosition | undefined,
	{ place, now }: { place: string; now: number },
): Promise<PollResult> {
	const position = before?.position;
	const idOf = (row: IDataObject) => readJobId(source, row);
	const reading = { position: position ?? firstPollWindow, idOf, now };
	const found = await readNewEntries(client, { line: source.line }, reading);
	// At the first look all are taken: what is left for the next one would pass for new.
	const room = before ? maxPendingJobs - Object.keys(before.watched).length : Infinity;
	const { ended, pending, taken } = splitByState(source, found, room);
	const then = advanceCursor(position, taken, {}, now);
	const newest = Math.min(Math.max(then.floor, ...Object.values(then.seen)), now);
	const watched = Object.entries({ ...before?.watched, ...pending }).filter(
		([, created]) => newest - created <= maxPendingAge,
	);
	const over = await checkPendingJobs(client, source, place, Object.fromEntries(watched));

	const readings = [...ended.map(({ id, row }) => [id, row] as const), ...over];
	const events = readings
		.flatMap(([id, reading]) => (reading ? [createJobEvent(source, id, reading, now)] : []))
		.filter((event) => matchesFilter(wanted, readJobOutcome(event)))
		.sort((a, b) => (toUnixSeconds(a.created_at) ?? 0) - (toUnixSeconds(b.created_at) ?? 0));
	return {
		events,
		position: then,
		watched: Object.fromEntries(watched.filter(([id]) => !over.has(id))),
	};
}

/** Where the last look has come to; again where the one before had, if nobody knows what became of it. */
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
	const wanted = readPollFilter((name, fallback) => n8n.getNodeParameter(name, fallback as object));
	const of = JSON.stringify([wanted.source, wanted.entityId ?? null]);
	const data = n8n.getWorkflowStaticData('node') as { polling?: PollState };
	const kept = data.polling && (JSON.parse(JSON.stringify(data.polling)) as PollState);
	const last = kept?.standing.of === of ? getPollPosition(kept) : undefined;

	const client = await createClient(n8n);
	const now = clock.now() / 1000;
	const source = jobListSources[wanted.source];
	const before = last?.standing;
	const { events, ...rest } =
		source === undefined
			? await findNewEvents(client, wanted, before, now)
			: await findEndedJobs(client, source, wanted, before, { place, now });
	const then = { of, ...rest };

	// What was there when the trigger was switched on is not news.
	if (last === undefined || events.length === 0) {
		data.polling = { standing: then };
		return null;
	}
	const run = randomUUID();
	data.polling = { standing: last.standing, given: { run, then, times: last.times + 1 } };
	pollRuns.set(run, true);
	return events.map((event) => {
		const eventId = String(event.event_id);
		const received: PolledEvent = { event, eventId, mark: `${wanted.source} ${eventId}`, run };
		return { json: received };
	});
}

/** What is new, or null where nothing is. */
export async function poll(n8n: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const place = `${n8n.getWorkflow().id} ${n8n.getNode().id}`;
	// n8n begins a poll when it is due, even while the one before goes on: both would give the same.
	if (activePolls.get(place)) return null;
	activePolls.set(place, true);
	try {
		const items = await pollService(n8n, place);
		return items && [items];
	} finally {
		activePolls.delete(place);
	}
}
