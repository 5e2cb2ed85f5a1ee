/** What Fetch Test Event shows: the newest that there is, whatever the trigger has given out. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { clock } from '../core/clock';
import { createOperationError } from '../core/errors/nodeErrors';
import { createClient, type Client } from '../core/http/client';
import { readState } from '../core/jobs/state';
import { toUnixSeconds } from '../core/time';
import type { PolledEvent } from './emit';
import {
	buildEventsRequest,
	matchesFilter,
	readJobOutcome,
	readPollFilter,
	type PollFilter,
} from './poll';
import {
	readEventId,
	createJobEvent,
	readJobId,
	jobListSources,
	type JobListSource,
} from './sources';
import { readPendingJob } from './pendingJobs';

/** Most events that a test shows. */
const maxTestEvents = 5;

/** Jobs whose list does not tell their state, and which are read for a test. */
const maxJobsRead = 20;

/** The first page of a list, the newest first. */
async function fetchNewestRows(client: Client, call: Parameters<Client['fetchPages']>[0]) {
	const { value: page } = await client.fetchPages(call, 100).next();
	const timeOf = ({ created_at: time }: IDataObject) => toUnixSeconds(time) ?? 0;
	return [...(page as { rows: IDataObject[] }).rows].sort((a, b) => timeOf(b) - timeOf(a));
}

async function findEndedTestJobs(client: Client, source: JobListSource, wanted: PollFilter) {
	const events: IDataObject[] = [];
	let read = 0;
	for (const row of await fetchNewestRows(client, { line: source.line })) {
		if (events.length >= maxTestEvents) break;
		const id = readJobId(source, row);
		if (id === undefined) continue;
		let reading: IDataObject | null | undefined = row;
		if (row.status === undefined) {
			if (read++ >= maxJobsRead) break;
			reading = await readPendingJob(client, source, id);
		}
		if (!reading || readState(source.job, reading) === 'pending') continue;
		const event = createJobEvent(source, id, reading, clock.now() / 1000);
		if (matchesFilter(wanted, readJobOutcome(event))) events.push(event);
	}
	return events;
}

const noEventTexts = {
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
export async function fetchTestEvents(n8n: IExecuteFunctions): Promise<PolledEvent[]> {
	const wanted = readPollFilter((name, fallback) =>
		n8n.getNodeParameter(name, 0, fallback as object),
	);
	const client = await createClient(n8n, { signal: n8n.getExecutionCancelSignal() });
	const source = jobListSources[wanted.source];
	const events = source
		? await findEndedTestJobs(client, source, wanted)
		: (await fetchNewestRows(client, buildEventsRequest(wanted)))
				.filter((row) => readEventId(row) !== undefined && matchesFilter(wanted, row.event_type))
				.slice(0, maxTestEvents);
	if (events.length === 0) {
		const { said, then } = source ? noEventTexts.list : noEventTexts.events;
		throw createOperationError(n8n.getNode(), said, then);
	}
	return events.map((event) => ({ event, eventId: readEventId(event) ?? '', mark: '', run: '' }));
}
