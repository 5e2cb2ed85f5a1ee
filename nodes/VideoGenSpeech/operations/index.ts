import { speak } from './speak';
import { synthesize } from './synthesize';
import { synthesizeStreamed } from './synthesizeStreamed';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [speak, synthesize, synthesizeStreamed];
