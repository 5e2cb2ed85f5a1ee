import { create } from './create';
import { deleteEndpoint } from './deleteEndpoint';
import { getEvents } from './getEvents';
import { getEventTypes } from './getEventTypes';
import { getMany } from './getMany';
import { rotateSecret } from './rotateSecret';
import { update } from './update';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [
	create,
	getMany,
	update,
	deleteEndpoint,
	rotateSecret,
	getEventTypes,
	getEvents,
];
