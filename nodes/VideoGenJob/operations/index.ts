import type { Resource } from '../../core/operation';
import { get } from './get';
import { wait } from './wait';

export const resources: readonly Resource[] = [
	{ name: 'Job', value: 'job', operations: [wait, get] },
];
