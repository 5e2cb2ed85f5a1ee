/** What Fetch Test Event shows: the newest that there is, whatever the trigger has given out. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { clock } from '../core/clock';
import { operationError } from '../core/errors/words';
import { createClient, type Client } from '../core/http/client';
import { stateOf } from '../core/jobs/job';
import { secondsOf } from '../core/seconds';
import type { Received } from './given';
import { eventsCall, isWanted, outcomeOf, wantedBy, type Wanted } from './poll';
import { eventIdOf, eventOfJob, jobIdOf, listSources, type ListSource } from './sources';
import { readJob } from './watch';

/** Most events that a test shows. */
const most = 5;

/** Jobs whose list does not tell their state, and which are read for a test. */
const mostRead = 20;

/** The first page of a list, the newest first. */
async function newestRows(client: Client, call: Parameters<Client['pages']>[0]) {
	const { value: page } = await client.pages(call, 100).next();
	const timeOf = ({ created_at: time }: IDataObject) => secondsOf(time) ?? 0;
	return [...(page as { rows: IDataObject[] }).rows].sort((a, b) => timeOf(b) - timeOf(a));
}

async function endedJobs(client: Client, source: ListSource, wanted: Wanted) {
	const events: IDataObject[] = [];
	let read = 0;
	for (const row of await newestRows(client, { line: source.line })) {
		if (events.length >= most) break;
		const id = jobIdOf(source, row);
		if (id === undefined) continue;
		let reading: IDataObject | null | undefined = row;
		if (row.status === undefined) {
			if (read++ >= mostRead) break;
			reading = await readJob(client, source, id);
		}
		if (!reading || stateOf(source.job, reading) === 'pending') continue;
		const event = eventOfJob(source, id, reading, clock.now() / 1000);
		if (isWanted(wanted, outcomeOf(event))) events.push(event);
	}
	return events;
}

const nothing = {
	list: {
		said: 'Nothing has ended that this trigger would tell of',
		then: 'Make a video, or choose another Source or Outcome, and fetch again.',
	},
	events: {
		said: 'The service lists no event that this trigger would tell of',
		then: 'It lists what it delivers to registered addresses: register one with the VideoGen Webhook node, or choose another Source, which needs none.',
	},
};

/** The newest events, at most five; an error in words where there is none. */
export async function newest(n8n: IExecuteFunctions): Promise<Received[]> {
	const wanted = wantedBy((name, fallback) => n8n.getNodeParameter(name, 0, fallback as object));
	const client = await createClient(n8n, { signal: n8n.getExecutionCancelSignal() });
	const source = listSources[wanted.source];
	const events = source
		? await endedJobs(client, source, wanted)
		: (await newestRows(client, eventsCall(wanted)))
				.filter((row) => eventIdOf(row) !== undefined && isWanted(wanted, row.event_type))
				.slice(0, most);
	if (events.length === 0) {
		const { said, then } = source ? nothing.list : nothing.events;
		throw operationError(n8n.getNode(), said, then);
	}
	return events.map((event) => ({ event, eventId: eventIdOf(event) ?? '', mark: '', run: '' }));
}
