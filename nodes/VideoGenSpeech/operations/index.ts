import type { Resource } from '../../core/operation';
import { speak } from './speak';
import { synthesize } from './synthesize';
import { synthesizeStreamed } from './synthesizeStreamed';

/** What the node works on; a new node starts with the first operation of the first resource. */
export const resources: readonly Resource[] = [
	{ name: 'Speech', value: 'speech', operations: [speak, synthesize, synthesizeStreamed] },
];
