import type { Resource } from '../../core/operation';
import { cancel } from './cancel';
import { create } from './create';
import { get } from './get';
import { getWords } from './getWords';
import { sendText } from './sendText';

export const resources: readonly Resource[] = [
	{
		name: 'Stream',
		value: 'stream',
		id: 'stream_id',
		operations: [create, sendText, get, getWords, cancel],
	},
];
