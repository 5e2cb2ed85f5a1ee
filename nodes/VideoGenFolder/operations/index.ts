import { create } from './create';
import { get } from './get';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [create, get];
