import type { Resource } from '../../core/operation';
import { download } from './download';
import { search } from './search';

/** What the node works on; a new node starts with the first operation of the first resource. */
export const resources: readonly Resource[] = [
	{ name: 'Sound', value: 'sound', operations: [search, download] },
];
