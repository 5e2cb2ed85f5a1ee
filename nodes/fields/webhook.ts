import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { apiValues } from '../apiLimits';
import type { Field, OptionsLoader } from '../core/form/field';
import { createListItem, buildResourceLocator } from './listSearch';
import { createClient } from '../core/http/client';
import { getOwnProperty, readText } from '../core/json';

/** Form field for selecting a webhook endpoint from a list or by ID. */
export const webhookEndpointField = {
	displayName: 'Endpoint',
	name: 'endpoint_id',
	required: true,
	description: 'The registered webhook endpoint',
	...buildResourceLocator('searchEndpoints', 'endpoint_id', {
		line: 'GET /v3/webhooks/endpoints',
		entry: (row) => createListItem(row.endpoint_id, row.url, [row.status]),
	}),
} as const satisfies Field;

/** Form field for the URL to which the service delivers events. */
export const endpointUrlField = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/events',
	description: 'The public URL that the service calls; it must begin with https://',
	schema: z
		.string()
		.url()
		.regex(/^https:\/\//i, 'must begin with https://'),
} as const satisfies Field;

/**
 * Labels of event types in dropdowns, such as `Video finished`. The most common types come first.
 */
export const eventLabels: Readonly<Record<(typeof apiValues.EventTypeName)[number], string>> = {
	'avatar_video.success': 'Video finished',
	'avatar_video.fail': 'Video failed',
	'video_agent.success': 'Agent video finished',
	'video_agent.fail': 'Agent video failed',
	'video_translate.success': 'Translation finished',
	'video_translate.fail': 'Translation failed',
	'ai_clipping.success': 'Clips finished',
	'ai_clipping.fail': 'Clips failed',
	'batch.finished': 'Batch finished',
	'hyperframes_video.success': 'Composition finished',
	'hyperframes_video.fail': 'Composition failed',
	'avatar_video_caption.success': 'Captions finished',
	'avatar_video_caption.fail': 'Captions failed',
	'avatar_video_gif.success': 'GIF finished',
	'avatar_video_gif.fail': 'GIF failed',
	'proofread_creation.success': 'Proofread finished',
	'proofread_creation.fail': 'Proofread failed',
	'video_translate.preflight.validation_failed': 'Translation rejected before it started',
	'video_translate.preflight.download_failed': 'Translation could not get its video',
	personalized_video: 'Personalized video changed',
	'instant_avatar.success': 'Instant avatar finished',
	'instant_avatar.fail': 'Instant avatar failed',
	'photo_avatar_generation.success': 'Photo avatar finished',
	'photo_avatar_generation.fail': 'Photo avatar failed',
	'photo_avatar_train.success': 'Training of a photo avatar finished',
	'photo_avatar_train.fail': 'Training of a photo avatar failed',
	'photo_avatar_add_motion.success': 'Motion of a photo avatar finished',
	'photo_avatar_add_motion.fail': 'Motion of a photo avatar failed',
	'live_avatar.success': 'Live avatar session finished',
	'live_avatar.fail': 'Live avatar session failed',
};

/**
 * Matches event types that are missing from the list in the service's specification
 * (service.md, Types).
 */
const unspecifiedEvents = /^(ai_clipping|batch|hyperframes_video|video_translate\.preflight)\./;

/**
 * Returns the event type from a row of the service's list of event types, or `undefined` if the row
 * has none. The specification does not say which key contains it, so several keys are tried.
 */
export function readEventTypeFromRow(row: IDataObject): string | undefined {
	const { event_type: type, type: shortType, event, name, id, value } = row;
	const candidates = [type, shortType, event, name, id, value].map(readText);
	return (
		candidates.find((text) => text !== undefined && Object.hasOwn(eventLabels, text)) ??
		candidates.find((text) => text !== undefined)
	);
}

/**
 * Fetches the service's event types and their descriptions. Returns an empty map if the request
 * fails.
 */
async function fetchEventTypes(
	host: ILoadOptionsFunctions,
): Promise<Map<string, string | undefined>> {
	const listed = new Map<string, string | undefined>();
	try {
		const client = await createClient(host);
		for (const row of await client.fetchRows({ line: 'GET /v3/webhooks/event-types' })) {
			const type = readEventTypeFromRow(row);
			if (type !== undefined) listed.set(type, readText(row.description));
		}
	} catch (error) {
		host.logger.warn(`The list of event types could not be read: ${(error as Error).message}`);
	}
	return listed;
}

/**
 * Loads the event types for a dropdown from the service. If the service returns none, lists the
 * types from its specification.
 */
const loadEventTypes: OptionsLoader = async function () {
	const listed = await fetchEventTypes(this);
	if (listed.size === 0) {
		for (const type of Object.keys(eventLabels)) {
			if (!unspecifiedEvents.test(type)) listed.set(type, undefined);
		}
	}
	const known = Object.keys(eventLabels).filter((type) => listed.has(type));
	const others = [...listed.keys()].filter((type) => !Object.hasOwn(eventLabels, type)).sort();
	return [...known, ...others].map((value) => {
		const description = listed.get(value);
		const name = getOwnProperty(eventLabels, value);
		if (name === undefined) return { name: value, value, description };
		return { name, value, description: description ? `${description} (${value})` : value };
	});
};

/**
 * Form field for the event types that a webhook endpoint receives. If none is selected, the
 * endpoint receives all events.
 */
export const endpointEventsField = {
	displayName: 'Event Names or IDs',
	name: 'events',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getEventTypes' },
	default: [],
	description:
		'The events to deliver; leave empty for all. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	schema: z.array(z.string().min(1)),
	load: { getEventTypes: loadEventTypes },
	in: 'local',
} as const satisfies Field;

/** Form field that filters events by their type. */
export const eventTypeFilterField = {
	displayName: 'Event Name or ID',
	name: 'event_type',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getEventTypes' },
	default: '',
	description:
		'The event type to filter by. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	schema: z.string().min(1),
	load: { getEventTypes: loadEventTypes },
} as const satisfies Field;

/** Form field that filters events by the ID of the video or other resource they refer to. */
export const entityIdField = {
	displayName: 'Entity ID',
	name: 'entity_id',
	type: 'string',
	default: '',
	description: 'The resource to filter events by, such as a personalized video project',
} as const satisfies Field;

/**
 * Form notice about the signing secret in the output, which the service returns only once
 * (service.md, Events and deliveries).
 */
export const signingSecretNotice = {
	displayName:
		'The output contains the signing secret, which the service returns only once. Store it in the next step, so that the receiver can verify event signatures. The secret also remains in the data of this execution.',
	name: 'secretNotice',
	type: 'notice',
	default: '',
	in: 'local',
} as const satisfies Field;
