/** What an event becomes in n8n, by whatever way it was heard of. */
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { downloadFile as downloadFile } from '../core/files/download';
import { toNodeError } from '../core/errors/nodeErrors';
import { createClient } from '../core/http/client';
import { readFailure } from '../core/jobs/state';
import { isObject, readObject, readText } from '../core/json';
import { createErrorItem } from '../core/collect/renderFailure';

/** An event of the service. */
export interface ServiceEvent {
	/** As the service tells it (docs/service.md, Events and deliveries). */
	event: IDataObject;
	/** Its id, where it tells none itself. */
	eventId: string;
}

/** The events that a trigger tells of. */
export const triggerEvents = {
	displayName: 'Event Names or IDs',
	name: 'events',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getEventTypes' },
	default: ['avatar_video.success', 'video_agent.success'],
	description:
		'The events that start the workflow; with nothing chosen, all of them do. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
} satisfies INodeProperties;

export const downloadVideo = {
	displayName: 'Download Video',
	name: 'download',
	type: 'boolean',
	default: false,
	description:
		'Whether to put the finished video into a binary field, for events that name a video',
} as const satisfies INodeProperties;

export const fetchVideo = {
	displayName: 'Fetch Video',
	name: 'fetchVideo',
	type: 'boolean',
	default: false,
	description: 'Whether to read the full video, with fresh file addresses, into the field video',
} as const satisfies INodeProperties;

export const binaryField = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
	description: 'The name of the binary field for Download Video',
} as const satisfies INodeProperties;

/** @param whole what Whole gives out */
export const createOutputOption = (whole: string) =>
	({
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The facts of the event side by side',
			},
			{ name: 'Whole', value: 'whole', description: whole },
		],
		default: 'simplified',
		description: 'What each event becomes',
	}) satisfies INodeProperties;

/**
 * Which of these marks n8n has in its record for the node already; from now on it has all of them.
 *
 * @param most entries that n8n keeps, at about 27 bytes each
 */
export async function recordMarks(
	n8n: IExecuteFunctions,
	marks: string[],
	most: number,
): Promise<ReadonlySet<unknown>> {
	const options = { mode: 'entries', maxEntries: most } as const;
	const record = async () => await n8n.helpers.checkProcessedAndRecord(marks, 'node', options);
	// Two processes may begin the record at the same time: the one that fails reads it then.
	const { processed } = await record().catch(record);
	return new Set(processed);
}

/** The status that an event tells by its type: the words that the resources use. */
function readEventStatus(type: string): { status?: string } {
	if (/\.success$/.test(type)) return { status: 'completed' };
	return /[._]fail(ed)?$/.test(type) ? { status: 'failed' } : {};
}

/** Ids by the names that fields and outputs of the other nodes have. */
function readEventIds(type: string, data: IDataObject): IDataObject {
	const ids: IDataObject = {};
	if (readText(data.video_translate_id)) ids.video_translation_id = data.video_translate_id;
	if (type.startsWith('ai_clipping.') && readText(data.id)) ids.job_id = data.id;
	return ids;
}

/** Events of a film whose address they call `url` (docs/service.md, Events and deliveries). */
const videoEvents = /^(avatar_video|video_agent|video_translate|hyperframes_video)\.success$/;

/** The address of the film, and why there is none, by the same names for every type. */
function readEventOutcome(type: string, data: IDataObject): IDataObject {
	if (videoEvents.test(type) && readText(data.url)) return { video_url: data.url };
	if (readEventStatus(type).status !== 'failed') return {};
	const reason = readText(data.msg) ?? readText(data.message) ?? readFailure(data).reason;
	return reason === undefined ? {} : { failure_reason: reason };
}

/** The event in one level: its own facts, and its data. What it says of itself comes first. */
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

/** The event with the video that it is about, where that is wanted. */
async function addVideo(
	n8n: IExecuteFunctions,
	heard: ServiceEvent,
	itemIndex: number,
): Promise<INodeExecutionData> {
	const options = n8n.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const json = options.output === 'whole' ? { ...heard.event } : simplifyEvent(heard);
	const item: INodeExecutionData = { json, pairedItem: { item: itemIndex } };
	const id = readText(readObject(heard.event.event_data).video_id);
	if (id === undefined || !(options.fetchVideo === true || options.download === true)) return item;

	const client = await createClient(n8n, { signal: n8n.getExecutionCancelSignal() });
	const read = async () =>
		await client.fetchData({ line: 'GET /v3/videos/{video_id}', path: { video_id: id } });
	let video: IDataObject | undefined = await read();
	if (options.fetchVideo === true) json.video = video;
	if (options.download !== true || readText(video.video_url) === undefined) return item;
	const binary = await downloadFile(n8n, client, async () => {
		const { video_url: url } = video ?? (await read());
		// A further try needs a fresh address.
		video = undefined;
		return { url: String(url), fileName: `${id}.mp4`, mimeType: 'video/mp4' };
	});
	return { ...item, binary: { [readText(options.binaryPropertyName) ?? 'data']: binary } };
}

const eventNotLostHint =
	'The event is not lost: it is the input of this node. Retry this execution to fetch the video again.';

/** The item of an event that is the input of the node, at that place. */
export async function createEventItem(
	n8n: IExecuteFunctions,
	heard: ServiceEvent,
	itemIndex: number,
): Promise<INodeExecutionData> {
	try {
		return await addVideo(n8n, heard, itemIndex);
	} catch (thrown) {
		const error = toNodeError(n8n.getNode(), thrown);
		if (!n8n.continueOnFail()) {
			error.description = [error.description, eventNotLostHint].filter(Boolean).join('\n');
			throw error;
		}
		const item = createErrorItem({ item: itemIndex, error, jobs: [] }, 1);
		Object.assign(readObject(item.json.details), { event: simplifyEvent(heard) });
		return item;
	}
}
