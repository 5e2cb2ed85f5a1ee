import type { INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';
import type { Field, OptionsLoad } from '../core/form/field';
import { entry, type ListSource } from '../core/form/list';
import { locator } from '../core/form/locator';
import { createClient } from '../core/http/client';

const endpoints: ListSource = {
	line: 'GET /v3/webhooks/endpoints',
	pageSize: 100,
	entry: (row) => entry(row.endpoint_id, row.url, [row.status]),
};

/** Endpoint, by list or ID. */
export const endpoint = {
	displayName: 'Endpoint',
	name: 'endpoint_id',
	required: true,
	description: 'The registered address',
	...locator('searchEndpoints', endpoints, 'endpoint_id'),
} as const satisfies Field;

/** The address that the service calls. */
export const endpointUrl = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/events',
	description: 'The public address that the service calls; it must begin with https://',
	schema: z
		.string()
		.url()
		.regex(/^https:\/\//i, 'must begin with https://'),
} as const satisfies Field;

/** The service's own list of event types. */
const getEventTypes: OptionsLoad = async function () {
	const client = await createClient(this);
	const types: INodePropertyOptions[] = [];
	for await (const { rows } of client.pages({ line: 'GET /v3/webhooks/event-types' })) {
		for (const row of rows) {
			const value = String(row.event_type);
			const description = typeof row.description === 'string' ? row.description : undefined;
			types.push({ name: value, value, description });
		}
	}
	return types.sort((a, b) => a.name.localeCompare(b.name));
};

/** Event types of an endpoint; none chosen stands for all. */
export const events = {
	displayName: 'Event Names or IDs',
	name: 'events',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getEventTypes' },
	default: [],
	description:
		'The events that are delivered; with nothing chosen, all of them are. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	schema: z.array(z.string().min(1)),
	load: { getEventTypes },
	in: 'local',
} as const satisfies Field;

/** The chosen event types, by whatever an expression gave: a list, names with commas, or nothing. */
export function eventTypesOf(value: unknown): string[] {
	const given = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
	return given.map((one) => String(one).trim()).filter((one) => one !== '');
}

/** One event type, as a filter. */
export const eventType = {
	displayName: 'Event Name or ID',
	name: 'event_type',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getEventTypes' },
	default: '',
	description:
		'Only events of this type. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	schema: z.string().min(1),
	load: { getEventTypes },
} as const satisfies Field;

/** The resource that an endpoint or an event belongs to. */
export const entityId = {
	displayName: 'Entity ID',
	name: 'entity_id',
	type: 'string',
	default: '',
	description: 'Only events of this one resource, such as a personalized video project',
	schema: z.string().min(1),
} as const satisfies Field;

/** A secret is in one reply only (docs/service.md, Events and deliveries). */
export const secretNotice = {
	displayName:
		'The reply holds the signing secret, this one time only: no later reading gives it again. Keep it in the next step, where the receiver of the events checks their signatures. It also stays in the data of this execution.',
	name: 'secretNotice',
	type: 'notice',
	default: '',
	in: 'local',
} as const satisfies Field;
