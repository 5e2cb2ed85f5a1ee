import { get } from './get';
import { getKey } from './getKey';
import { getLegacy } from './getLegacy';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [get, getLegacy, getKey];
