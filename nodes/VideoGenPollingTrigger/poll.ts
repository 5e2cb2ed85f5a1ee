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
import type { Call } from '../core/http/call';
import { createClient, type Client } from '../core/http/client';
import { stateOf } from '../core/jobs/job';
import { textOf } from '../core/json';
import { polling, startedByPolls } from '../core/memory';
import { secondsOf } from '../core/seconds';
import { eventTypesOf } from '../fields/webhook';
import type { Received } from './given';
import { advanced, overlap, readerOf, type Entry, type Position, type Reading } from './position';
import {
	eventIdOf,
	eventOfJob,
	jobIdOf,
	listSources,
	withoutCopies,
	type ListSource,
} from './sources';
import { lookAt, type Watched } from './watch';

/** What the form says. */
export interface Wanted {
	source: string;
	/** Event types, or outcomes of jobs; none stands for all. */
	kinds: readonly string[];
	entityId?: string;
}

/** Where the trigger stands. */
interface Standing {
	/** The list that it is about. */
	of: string;
	position: Position;
	watched: Watched;
}

/** What the node keeps in the static data of the workflow. */
interface Kept {
	standing: Standing;
	/** What the last poll with news has started, and where the trigger stands when that has run. */
	given?: { run: string; then: Standing; times: number };
}

/** What a look has found, and where the trigger stands then. */
interface News extends Omit<Standing, 'of'> {
	events: IDataObject[];
}

const pageSize = 100;

/** Most entries that are given out at once; the others follow at the next polls. */
const mostAtOnce = 1_000;

/** Jobs that are watched at the same time; with more of them, later ones wait in their list. */
const mostWatched = 1_000;

/** A job that has not ended so long after its creation is forgotten (seconds, by newer jobs). */
const longestWatch = 30 * 24 * 3600;

/** At the first look, jobs of the day before are watched where they have not ended (seconds). */
const dayBefore = 24 * 3600;

/** What was given out and may not have run is given out again so often. */
const mostTimes = 3;

/** The parameters of the node. */
export function wantedBy(get: (name: string, fallback: unknown) => unknown): Wanted {
	const source = String(get('source', 'videos'));
	const options = get('options', {}) as IDataObject;
	const entityId = textOf(String(options.entity_id ?? '').trim());
	return source === 'events'
		? { source, kinds: eventTypesOf(get('events', [])), entityId }
		: { source, kinds: eventTypesOf(get('outcomes', [])) };
}

/** Whether the form asks for it. */
export const isWanted = ({ kinds }: Wanted, kind: unknown) =>
	kinds.length === 0 || kinds.includes(String(kind));

/** The outcome that an event tells. */
export const outcomeOf = (event: IDataObject) =>
	String(event.event_type).endsWith('.fail') ? 'failed' : 'completed';

/** The list of delivered events. */
export const eventsCall = ({ entityId }: Wanted) => ({
	line: 'GET /v3/webhooks/events',
	query: entityId === undefined ? {} : { entity_id: entityId },
});

/** The entries of a list that are new. */
async function newIn(client: Client, call: Call, reading: Omit<Reading, 'most'>): Promise<Entry[]> {
	const reader = readerOf({ ...reading, most: mostAtOnce });
	for await (const { rows } of client.pages(call, pageSize)) {
		if (reader.take(rows)) break;
	}
	return reader.found();
}

async function newEvents(
	client: Client,
	wanted: Wanted,
	before: Standing | undefined,
	now: number,
): Promise<News> {
	const position = before?.position;
	const reading = { position: position ?? overlap, idOf: eventIdOf, now };
	const found = await newIn(client, eventsCall(wanted), reading);
	const { entries, marks } = withoutCopies(position?.seen ?? {}, found);
	return {
		events: entries
			.filter(({ row }) => isWanted(wanted, row.event_type))
			.map(({ id, row }) => ({ ...row, event_id: row.event_id ?? id })),
		position: advanced(position, found, marks, now),
		watched: {},
	};
}

/** Those of the new jobs that go on are watched, as many as there is room for. */
function sorted(source: ListSource, entries: readonly Entry[], room: number) {
	const ended: Entry[] = [];
	const pending: Record<string, number> = {};
	const taken: Entry[] = [];
	for (const entry of entries) {
		const hasEnded = stateOf(source.job, entry.row) !== 'pending';
		if (!hasEnded && room-- <= 0) break;
		if (hasEnded) ended.push(entry);
		else pending[entry.id] = entry.time;
		taken.push(entry);
	}
	return { ended, pending, taken };
}

async function newEnds(
	client: Client,
	source: ListSource,
	wanted: Wanted,
	before: Standing | undefined,
	{ place, now }: { place: string; now: number },
): Promise<News> {
	const position = before?.position;
	const idOf = (row: IDataObject) => jobIdOf(source, row);
	const reading = { position: position ?? dayBefore, idOf, now };
	const found = await newIn(client, { line: source.line }, reading);
	// At the first look all are taken: what is left for the next one would pass for new.
	const room = before ? mostWatched - Object.keys(before.watched).length : Infinity;
	const { ended, pending, taken } = sorted(source, found, room);
	const then = advanced(position, taken, {}, now);
	const newest = Math.min(Math.max(then.floor, ...Object.values(then.seen)), now);
	const watched = Object.entries({ ...before?.watched, ...pending }).filter(
		([, created]) => newest - created <= longestWatch,
	);
	const over = await lookAt(client, source, place, Object.fromEntries(watched));

	const readings = [...ended.map(({ id, row }) => [id, row] as const), ...over];
	const events = readings
		.flatMap(([id, reading]) => (reading ? [eventOfJob(source, id, reading, now)] : []))
		.filter((event) => isWanted(wanted, outcomeOf(event)))
		.sort((a, b) => (secondsOf(a.created_at) ?? 0) - (secondsOf(b.created_at) ?? 0));
	return {
		events,
		position: then,
		watched: Object.fromEntries(watched.filter(([id]) => !over.has(id))),
	};
}

/** Where the last look has come to; again where the one before had, if nobody knows what became of it. */
function standingOf({ standing, given }: Kept): { standing: Standing; times: number } {
	if (given === undefined) return { standing, times: 0 };
	const isOver = startedByPolls.get(given.run) !== undefined || given.times >= mostTimes;
	return isOver ? { standing: given.then, times: 0 } : { standing, times: given.times };
}

async function look(n8n: IPollFunctions, place: string): Promise<INodeExecutionData[] | null> {
	const wanted = wantedBy((name, fallback) => n8n.getNodeParameter(name, fallback as object));
	const of = JSON.stringify([wanted.source, wanted.entityId ?? null]);
	const data = n8n.getWorkflowStaticData('node') as { polling?: Kept };
	const kept = data.polling && (JSON.parse(JSON.stringify(data.polling)) as Kept);
	const last = kept?.standing.of === of ? standingOf(kept) : undefined;

	const client = await createClient(n8n);
	const now = clock.now() / 1000;
	const source = listSources[wanted.source];
	const before = last?.standing;
	const { events, ...rest } =
		source === undefined
			? await newEvents(client, wanted, before, now)
			: await newEnds(client, source, wanted, before, { place, now });
	const then = { of, ...rest };

	// What was there when the trigger was switched on is not news.
	if (last === undefined || events.length === 0) {
		data.polling = { standing: then };
		return null;
	}
	const run = randomUUID();
	data.polling = { standing: last.standing, given: { run, then, times: last.times + 1 } };
	startedByPolls.set(run, true);
	return events.map((event) => {
		const eventId = String(event.event_id);
		const received: Received = { event, eventId, mark: `${wanted.source} ${eventId}`, run };
		return { json: received };
	});
}

/** What is new, or null where nothing is. */
export async function poll(n8n: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const place = `${n8n.getWorkflow().id} ${n8n.getNode().id}`;
	// n8n begins a poll when it is due, even while the one before goes on: both would give the same.
	if (polling.get(place)) return null;
	polling.set(place, true);
	try {
		const items = await look(n8n, place);
		return items && [items];
	} finally {
		polling.delete(place);
	}
}
