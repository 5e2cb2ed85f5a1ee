/** Items of events: what both triggers output, and the fields of their forms that they share. */
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { createErrorItem } from '../core/collect/renderFailure';
import { toNodeError } from '../core/errors/nodeErrors';
import { createClient } from '../core/http/client';
import { addResultFiles } from '../core/jobs/finishedItem';
import { fetchJob } from '../core/jobs/readJobs';
import { readFailure } from '../core/jobs/state';
import { isObject, readObject, readText } from '../core/json';
import { videoJob } from '../jobs/catalog';

/** An event of the service. */
export interface ServiceEvent {
	/** The event as the service sends it (docs/service.md, Events and deliveries). */
	event: IDataObject;
	/** ID of the event if the event itself has none. */
	eventId: string;
}

export const triggerEventsField = {
	displayName: 'Event Names or IDs',
	name: 'events',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getEventTypes' },
	default: ['avatar_video.success', 'video_agent.success'],
	description:
		'The events that start the workflow. Leave empty for all of them. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
} satisfies INodeProperties;

export const downloadVideoField = {
	displayName: 'Download Video',
	name: 'download',
	type: 'boolean',
	default: false,
	description:
		'Whether to download the finished video into a binary field, for events about a video',
} as const satisfies INodeProperties;

export const fetchVideoField = {
	displayName: 'Fetch Video',
	name: 'fetchVideo',
	type: 'boolean',
	default: false,
	description: 'Whether to add the full video, with fresh file URLs, as the field video',
} as const satisfies INodeProperties;

export const binaryField = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
	description: 'The name of the binary field for Download Video',
} as const satisfies INodeProperties;

/** @param whole description of the choice Whole */
export const createOutputField = (whole: string) =>
	({
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The event and its data on one level',
			},
			{ name: 'Whole', value: 'whole', description: whole },
		],
		default: 'simplified',
		description: 'The format of each event',
	}) satisfies INodeProperties;

/**
 * Records marks in n8n's own store of what a node has processed. Returns the marks that were
 * recorded before.
 *
 * @param maxEntries entries that n8n keeps for the node, at about 27 bytes each
 */
export async function recordMarks(
	n8n: IExecuteFunctions,
	marks: string[],
	maxEntries: number,
): Promise<ReadonlySet<unknown>> {
	const options = { mode: 'entries', maxEntries } as const;
	const record = async () => await n8n.helpers.checkProcessedAndRecord(marks, 'node', options);
	// Two processes may create the record at the same time: the one that fails tries again.
	const { processed } = await record().catch(record);
	return new Set(processed);
}

/** The status in the type of an event, in the words of the resources. */
function readEventStatus(type: string): { status?: string } {
	if (/\.success$/.test(type)) return { status: 'completed' };
	return /[._]fail(ed)?$/.test(type) ? { status: 'failed' } : {};
}

/** IDs under the keys of the other nodes, so that their fields can use them. */
function readEventIds(type: string, data: IDataObject): IDataObject {
	const ids: IDataObject = {};
	if (readText(data.video_translate_id)) ids.video_translation_id = data.video_translate_id;
	if (type.startsWith('ai_clipping.') && readText(data.id)) ids.job_id = data.id;
	return ids;
}

/** Events whose data call the video URL `url` (docs/service.md, Events and deliveries). */
const videoEvents = /^(avatar_video|video_agent|video_translate|hyperframes_video)\.success$/;

/** The video URL or the failure reason, under the same keys for every type of event. */
function readEventOutcome(type: string, data: IDataObject): IDataObject {
	if (videoEvents.test(type) && readText(data.url)) return { video_url: data.url };
	if (readEventStatus(type).status !== 'failed') return {};
	const reason = readText(data.msg) ?? readText(data.message) ?? readFailure(data).reason;
	return reason === undefined ? {} : { failure_reason: reason };
}

/** The event and its data on one level. The event's own keys win over those of its data. */
function simplifyEvent({ event, eventId }: ServiceEvent): IDataObject {
	const { event_data: data, created_at: createdAt } = event;
	const type = String(event.event_type);
	const own: IDataObject = {
		event_id: event.event_id ?? eventId,
		event_type: event.event_type,
		...(createdAt === undefined ? {} : { created_at: createdAt }),
	};
	const rest: IDataObject = isObject(data)
		? {
				...readEventStatus(type),
				...readEventIds(type, data),
				...readEventOutcome(type, data),
				...data,
			}
		: { ...readEventStatus(type), event_data: data };
	return { ...own, ...rest, ...own };
}

/** The item of an event, with its video if the options ask for it. */
async function buildEventItem(
	n8n: IExecuteFunctions,
	received: ServiceEvent,
	itemIndex: number,
): Promise<INodeExecutionData> {
	const options = n8n.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const json = options.output === 'whole' ? { ...received.event } : simplifyEvent(received);
	const item: INodeExecutionData = { json, pairedItem: { item: itemIndex } };
	const id = readText(readObject(received.event.event_data).video_id);
	if (id === undefined || !(options.fetchVideo === true || options.download === true)) return item;

	const client = await createClient(n8n, { signal: n8n.getExecutionCancelSignal() });
	const video = { kind: videoJob, id };
	const data = await fetchJob(client, video);
	if (options.fetchVideo === true) json.video = data;
	if (options.download !== true || readText(data.video_url) === undefined) return item;
	const field = readText(options.binaryPropertyName) ?? 'data';
	const files = (videoJob.files ?? []).slice(0, 1);
	const choice = { files, field, fileName: `${id}.mp4` };
	return await addResultFiles(n8n, client, { item, result: { ...video, data } }, choice);
}

const eventNotLostHint =
	'The event is not lost: it is the input of this node. Retry this execution to fetch the video again.';

/** The item of an event from the input of a trigger; an error item with the event if it fails. */
export async function createEventItem(
	n8n: IExecuteFunctions,
	received: ServiceEvent,
	itemIndex: number,
): Promise<INodeExecutionData> {
	try {
		return await buildEventItem(n8n, received, itemIndex);
	} catch (thrown) {
		const error = toNodeError(n8n.getNode(), thrown);
		if (!n8n.continueOnFail()) {
			error.description = [error.description, eventNotLostHint].filter(Boolean).join('\n');
			throw error;
		}
		const item = createErrorItem({ item: itemIndex, error, jobs: [] }, 1);
		Object.assign(readObject(item.json.details), { event: simplifyEvent(received) });
		return item;
	}
}
