import type { Resource } from '../../core/operation';
import { download } from './download';
import { search } from './search';

export const resources: readonly Resource[] = [
	{ name: 'Sound', value: 'sound', operations: [search, download] },
];
