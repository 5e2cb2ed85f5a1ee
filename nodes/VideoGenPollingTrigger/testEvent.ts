/**
 * Fetches recent events when the user clicks Fetch Test Event, including events that the trigger
 * has already output.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { clock } from '../core/clock';
import { createOperationError, toNodeError } from '../core/errors/nodeErrors';
import { createClient, type Client } from '../core/http/client';
import { decideJobState } from '../core/jobs/jobState';
import type { PolledEvent } from './emit';
import { readEndedJobs } from './pendingJobs';
import {
	buildEventsRequest,
	matchesFilter,
	deriveOutcomeFromEvent,
	readPollFilter,
	readCreationTime,
	type PollSettings,
} from './poll';
import {
	readEventId,
	createJobEvent,
	getPollableJobKind,
	readJobId,
	type PollableJobKind,
} from './sources';

const maxTestEvents = 5;

/**
 * Maximum number of jobs whose statuses are fetched individually when searching for a test event.
 * Applies only to kinds of jobs whose list does not show whether a job has ended.
 */
const maxJobsRead = 20;

/** Fetches the first page of a list and sorts its rows newest first. */
async function fetchNewestRows(client: Client, request: Parameters<Client['fetchPages']>[0]) {
	const { value: page } = await client.fetchPages(request, 100).next();
	return [...(page as { rows: IDataObject[] }).rows].sort(
		(a, b) => readCreationTime(b) - readCreationTime(a),
	);
}

async function findEndedTestJobs(client: Client, kind: PollableJobKind, filter: PollSettings) {
	const events: IDataObject[] = [];
	let count = 0;
	let unreadable: unknown;
	for (const row of await fetchNewestRows(client, { line: kind.events.list })) {
		if (events.length >= maxTestEvents) break;
		const id = readJobId(kind, row);
		if (id === undefined) continue;
		let response: IDataObject | null | undefined = row;
		if (row.status === undefined || kind.next) {
			if (count++ >= maxJobsRead) break;
			const { ended, errors } = await readEndedJobs(client, kind, [id]);
			response = ended.get(id);
			unreadable ??= errors.get(id);
		}
		if (!response || decideJobState(kind, response) === 'pending') continue;
		const event = createJobEvent(kind, id, response, clock.now() / 1000);
		if (matchesFilter(filter, deriveOutcomeFromEvent(event))) events.push(event);
	}
	if (events.length === 0 && unreadable) throw toNodeError(client.node, unreadable);
	return events;
}

const noEventTexts = {
	jobs: {
		problem: 'No job matching this trigger has ended',
		advice: 'Create a video, or choose another Source or Outcome. Then fetch a test event again.',
	},
	events: {
		problem: 'The service does not list any events that match this trigger',
		advice:
			'The service lists only events that it delivers to registered URLs. Register a URL with the VideoGen Webhook node, or choose another Source: the other sources need no URL.',
	},
};

/**
 * Fetches the newest events that match the trigger's settings, at most five. Throws a readable
 * error if there are none.
 */
export async function fetchTestEvents(n8n: IExecuteFunctions): Promise<PolledEvent[]> {
	const filter = readPollFilter((name, fallback) =>
		n8n.getNodeParameter(name, 0, fallback as object),
	);
	const client = await createClient(n8n, { signal: n8n.getExecutionCancelSignal() });
	const kind = getPollableJobKind(filter.source);
	const events = kind
		? await findEndedTestJobs(client, kind, filter)
		: (await fetchNewestRows(client, buildEventsRequest(filter)))
				.filter((row) => readEventId(row) !== undefined && matchesFilter(filter, row.event_type))
				.slice(0, maxTestEvents);
	if (events.length === 0) {
		const { problem, advice } = kind ? noEventTexts.jobs : noEventTexts.events;
		throw createOperationError(n8n.getNode(), problem, advice);
	}
	return events.map((event) => ({ event, eventId: readEventId(event) ?? '', mark: '', run: '' }));
}
