import type { Resource } from '../../core/operation';
import { download } from './download';
import { search } from './search';

/** Resources of the node and their operations. The very first operation is the default. */
export const resources: readonly Resource[] = [
	{ name: 'Sound', value: 'sound', operations: [search, download] },
];
