import type { Resource } from '../../core/operation';
import { get } from './get';
import { getKey } from './getKey';
import { getLegacy } from './getLegacy';

/** What the node works on; a new node starts with the first operation of the first resource. */
export const resources: readonly Resource[] = [
	{ name: 'Account', value: 'account', operations: [get, getKey, getLegacy] },
];
