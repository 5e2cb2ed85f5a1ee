import type { Resource } from '../../core/operation';
import { get } from './get';
import { getKey } from './getKey';
import { getLegacy } from './getLegacy';

export const resources: readonly Resource[] = [
	{ name: 'Account', value: 'account', operations: [get, getKey, getLegacy] },
];
