import type { Resource } from '../../core/operation';
import { speak } from './speak';
import { synthesize } from './synthesize';
import { synthesizeStreamed } from './synthesizeStreamed';

export const resources: readonly Resource[] = [
	{ name: 'Speech', value: 'speech', operations: [speak, synthesize, synthesizeStreamed] },
];
