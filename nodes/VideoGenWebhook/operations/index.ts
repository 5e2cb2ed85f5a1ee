import type { Resource } from '../../core/operation';
import { create } from './create';
import { deleteEndpoint } from './deleteEndpoint';
import { getEventTypes } from './getEventTypes';
import { getEvents } from './getEvents';
import { getMany } from './getMany';
import { rotateSecret } from './rotateSecret';
import { update } from './update';

export const resources: readonly Resource[] = [
	{
		name: 'Endpoint',
		value: 'endpoint',
		id: 'endpoint_id',
		operations: [create, getMany, update, rotateSecret, deleteEndpoint],
	},
	{ name: 'Event', value: 'event', id: 'event_id', operations: [getEvents, getEventTypes] },
];
