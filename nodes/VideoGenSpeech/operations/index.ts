import type { Resource } from '../../core/operation';
import { speak } from './speak';
import { synthesize } from './synthesize';
import { synthesizeStreamed } from './synthesizeStreamed';

/** Resources of the node and their operations. The very first operation is the default. */
export const resources: readonly Resource[] = [
	{ name: 'Speech', value: 'speech', operations: [speak, synthesize, synthesizeStreamed] },
];
