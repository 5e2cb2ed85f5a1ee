/**
 * Builds the output items of both triggers from the service's events, and defines the form fields
 * that the triggers share.
 */
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { createErrorItem, toRunError } from '../core/collect/collectItems';
import { toNodeError } from '../core/errors/nodeErrors';
import { createClient, type Client } from '../core/http/client';
import { addResultFiles } from '../core/jobs/finishedItem';
import { fetchJobStatus, readJobOutcome } from '../core/jobs/readJobs';
import {
	decideJobState,
	readFailureCodeAndReason,
	readFailureWithDefaults,
} from '../core/jobs/jobState';
import type { Job } from '../core/jobs/types';
import { isObject, readId, readObject, readText, toNonEmptyStrings, toText } from '../core/json';
import { convertTimesToIso } from '../core/time';
import {
	agentSessionJob,
	compositionRenderJob,
	translationJob,
	videoJob,
} from '../jobKinds/catalog';

export interface ServiceEvent {
	/** Event as the service sends it (service.md, Events and deliveries). */
	event: IDataObject;
	/** Event ID to use if the event itself does not contain one. */
	eventId: string;
}

export const triggerEventsField = {
	displayName: 'Event Names or IDs',
	name: 'events',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getEventTypes' },
	default: ['avatar_video.success', 'video_agent.success'],
	description:
		'Events that start the workflow. Leave empty for all events. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
} satisfies INodeProperties;

/**
 * Parses event types set by an expression: either a list, or text with commas between the types.
 */
export function parseEventTypes(value: unknown): string[] {
	if (typeof value === 'string') return toNonEmptyStrings(value.split(','));
	return Array.isArray(value) ? toNonEmptyStrings(value) : [];
}

export const videoDownloadField = {
	displayName: 'Download Video',
	name: 'download',
	type: 'boolean',
	default: true,
	description:
		'Whether to download the finished video into a binary field, if the event is about a video. The item always contains the URL.',
} as const satisfies INodeProperties;

export const videoDetailsToggleField = {
	displayName: 'Include Video Details',
	name: 'fetchVideo',
	type: 'boolean',
	default: true,
	description: 'Whether to add the full video details, with fresh file URLs, in the "video" field',
} as const satisfies INodeProperties;

export const videoOutputBinaryField = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
	description: 'The name of the binary field for the "Download Video" option',
} as const satisfies INodeProperties;

export const videoFileNameField = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Sale {{ $json.event.event_data.video_id }}',
	description:
		'File name for the "Download Video" option. The extension is added automatically. You can use event data in an expression. If not set, the file is named after the title and language of the video, or after its ID if it has no title. If another file in the same run already has that name, the language or ID is appended.',
} as const satisfies INodeProperties;

/**
 * Creates the Output option of a trigger, which selects the format of the output items.
 *
 * @param whole description of the Raw choice
 */
export const createEventFormatField = (whole: string) =>
	({
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The event and its data, flattened into a single level',
			},
			{ name: 'Raw', value: 'whole', description: whole },
		],
		default: 'simplified',
		description: 'The format of each event',
	}) satisfies INodeProperties;

/**
 * Stores the deduplication keys of events in n8n, so that a trigger can skip events that it has
 * already output. Returns the keys that were already stored.
 *
 * @param maxEntries maximum number of keys that n8n keeps for the node, at about 27 bytes each
 */
export async function recordAndFindSeenEventKeys(
	n8n: IExecuteFunctions,
	keys: string[],
	maxEntries: number,
): Promise<ReadonlySet<unknown>> {
	const options = { mode: 'entries', maxEntries } as const;
	const record = async () => await n8n.helpers.checkProcessedAndRecord(keys, 'node', options);
	// Two processes may create the record at the same time. The one that fails retries.
	const { processed } = await record().catch(record);
	return new Set(processed);
}

/**
 * Returns the keys of the events that this execution outputs. Calls `decide` only once per
 * execution and then reuses the result, because Retry On Fail may run a trigger several times in
 * one execution. n8n retries even if the first output item merely contains an `error` field. Each
 * attempt must output the same events, although their keys are already stored.
 */
export async function decideOutputOnce(
	n8n: IExecuteFunctions,
	decide: () => Promise<readonly string[]>,
): Promise<ReadonlySet<string>> {
	const context = n8n.getContext('node') as { outputKeys?: readonly string[] };
	context.outputKeys ??= await decide();
	return new Set(context.outputKeys);
}

/**
 * Derives a job's status from the event type: `completed` or `failed`. Returns an empty object if
 * the event type implies neither.
 */
function readEventStatus(type: string): { status?: string } {
	if (/\.success$/.test(type)) return { status: 'completed' };
	return /[._]fail(ed)?$/.test(type) ? { status: 'failed' } : {};
}

/**
 * Returns an event's IDs under the keys that this package's other nodes use, such as
 * `video_translation_id`, so that later nodes can find them.
 */
function readEventIds(type: string, data: IDataObject): IDataObject {
	const ids: IDataObject = {};
	const translation = readId(data.video_translate_id);
	if (translation !== undefined) ids.video_translation_id = translation;
	const clipping = type.startsWith('ai_clipping.') ? readId(data.id) : undefined;
	if (clipping !== undefined) ids.job_id = clipping;
	return ids;
}

/**
 * Matches event types whose data contains the video's URL as `url`
 * (service.md, Events and deliveries).
 */
const videoEvents = /^(avatar_video|video_agent|video_translate|hyperframes_video)\.success$/;

/** Returns an event's video URL or failure reason, under the same keys for all event types. */
function readEventOutcome(type: string, data: IDataObject): IDataObject {
	if (videoEvents.test(type) && readText(data.url)) return { video_url: data.url };
	if (readEventStatus(type).status !== 'failed') return {};
	const reason =
		readText(data.msg) ?? readText(data.message) ?? readFailureCodeAndReason(data).reason;
	return reason === undefined ? {} : { failure_reason: reason };
}

/**
 * Keys of event data to omit if the output item already contains their values under other keys,
 * such as `video_url`.
 */
const repeatedKeys = ['id', 'video_translate_id', 'url', 'msg', 'message', 'failure_message'];

/**
 * Renames the keys of an event's data to match the output items of other nodes. The original keys
 * are removed.
 */
function renameEventData(type: string, data: IDataObject): IDataObject {
	const renamed = { ...readEventIds(type, data), ...readEventOutcome(type, data) };
	const merged = { ...renamed, ...data };
	const values = Object.keys(renamed).map((key) => merged[key]);
	const isRepeated = ([key, value]: [string, unknown]) =>
		repeatedKeys.includes(key) && values.includes(value as IDataObject[string]);
	return Object.fromEntries(Object.entries(merged).filter((entry) => !isRepeated(entry)));
}

/**
 * Merges an event and its data into one flat object. If both contain the same key, the value from
 * the event wins.
 */
function simplifyEvent({ event, eventId }: ServiceEvent): IDataObject {
	const { event_data: data, created_at: createdAt } = convertTimesToIso(event);
	const type = toText(event.event_type);
	const eventFields: IDataObject = {
		event_id: event.event_id ?? eventId,
		event_type: event.event_type,
		...(createdAt === undefined ? {} : { created_at: createdAt }),
	};
	const dataFields: IDataObject = isObject(data)
		? {
				...readEventStatus(type),
				...renameEventData(type, data),
			}
		: { ...readEventStatus(type), event_data: data };
	return { ...eventFields, ...dataFields, ...eventFields };
}

/**
 * Returns the job whose video an event is about, or `undefined` if the event is not about a video
 * (service.md, Events and deliveries).
 */
function findVideoJob({ event_data }: IDataObject): Job | undefined {
	const { video_id, video_translate_id, render_id } = readObject(event_data);
	const jobs = [
		{ kind: videoJob, id: readId(video_id) },
		{ kind: translationJob, id: readId(video_translate_id) },
		{ kind: compositionRenderJob, id: readId(render_id) },
	];
	return jobs.find((job): job is Job => job.id !== undefined);
}

/**
 * Returns the reason why an event's job failed: the failure reason of the event's agent session if
 * there is one, otherwise that of the video.
 */
async function readReason(
	client: Client,
	{ event_data }: IDataObject,
	video: IDataObject,
): Promise<string> {
	const id = readId(readObject(event_data).session_id);
	const session = id === undefined ? undefined : { kind: agentSessionJob, id };
	const outcome =
		session &&
		(await fetchJobStatus(client, session).then(
			async (response) => (await readJobOutcome(client, session, response)).outcome,
			() => undefined,
		));
	return outcome?.outcome === 'failed' ? outcome.reason : readFailureWithDefaults(video).reason;
}

/** Builds an event's output item, including the video if the trigger's options request it. */
async function buildEventItem(
	n8n: IExecuteFunctions,
	received: ServiceEvent,
	itemIndex: number,
): Promise<INodeExecutionData> {
	const options = n8n.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const json = options.output === 'whole' ? { ...received.event } : simplifyEvent(received);
	const item: INodeExecutionData = { json, pairedItem: { item: itemIndex } };
	const job = findVideoJob(received.event);
	if (!job || !(options.fetchVideo === true || options.download === true)) return item;

	const client = await createClient(n8n, { signal: n8n.getExecutionCancelSignal() });
	const data = await fetchJobStatus(client, job);
	if (options.fetchVideo === true) json.video = convertTimesToIso(data);
	const { output = 'simplified' } = options;
	if (output === 'simplified' && json.status === 'failed' && json.failure_reason === undefined) {
		json.failure_reason = await readReason(client, received.event, data);
	}
	// The URL of a finished video may become available only after the event. Jobs of other kinds
	// may end without a video.
	const hasNoVideo = job.kind !== videoJob || decideJobState(job.kind, data) !== 'completed';
	if (options.download !== true || (hasNoVideo && readText(data.video_url) === undefined)) {
		return item;
	}
	const field = readText(options.binaryPropertyName) ?? 'data';
	const files = (job.kind.files ?? []).slice(0, 1);
	const choice = { files, field, fileName: readText(options.fileName) };
	return await addResultFiles(n8n, client, { output: item, result: { ...job, data } }, choice);
}

const eventNotLostHint =
	'The event is not lost: it is the input of this node. Retry this execution to fetch the video again.';

/**
 * Creates the output item for an event that a trigger has received. If this fails and the node is
 * set to continue on errors, returns an error item that contains the event.
 */
export async function createEventItem(
	n8n: IExecuteFunctions,
	received: ServiceEvent,
	itemIndex: number,
): Promise<INodeExecutionData> {
	try {
		return await buildEventItem(n8n, received, itemIndex);
	} catch (thrown) {
		const error = toNodeError(n8n.getNode(), thrown);
		const failure = { item: itemIndex, error, jobs: [] };
		if (!n8n.continueOnFail()) throw toRunError(failure, 1, [], [eventNotLostHint]);
		const item = createErrorItem(failure, 1);
		Object.assign(readObject(item.json.details), { event: simplifyEvent(received) });
		return item;
	}
}
