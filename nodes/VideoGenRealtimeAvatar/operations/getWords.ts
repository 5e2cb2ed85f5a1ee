import { z } from 'zod';
import { defineOperation } from '../../core/operation';
import { realtimeStreamIdField } from '../realtimeStreamId';
import { collectSpokenWords, joinSpokenWords } from '../spokenWords';
import { maxStreamMinutes } from '../waitForStream';

export const getWords = defineOperation({
	value: 'getWords',
	name: 'Get Words',
	action: 'Get spoken words from live stream',
	description: 'Listen to a stream until it ends and return the spoken words with their timestamps',
	request: 'GET /v3/avatar-realtime/{stream_id}/words',
	returns: ['text', 'words'],
	fields: [
		realtimeStreamIdField,
		{
			displayName: 'One Item per Word',
			name: 'splitIntoWords',
			type: 'boolean',
			default: false,
			description:
				'Whether to return one item per word, with its start and end times in seconds, instead of one item with the whole text and all words',
			in: 'local',
		},
	],
	options: [
		{
			displayName: 'Listen Timeout (Minutes)',
			name: 'listenMinutes',
			type: 'number',
			typeOptions: { numberPrecision: 2 },
			default: 30,
			description:
				'Maximum time to listen. If the stream has not ended by then, the node fails, and the error contains the words received so far.',
			schema: z.number().positive().max(maxStreamMinutes),
			in: 'local',
		},
	],
	async execute({ client, values }) {
		const { stream_id } = values;
		const { words, reason } = await collectSpokenWords(
			client,
			stream_id,
			values.listenMinutes ?? 30,
		);
		if (values.splitIntoWords === true) {
			return words.map((word) => ({ json: { ...word, stream_id, reason } }));
		}
		return [{ json: { stream_id, reason, text: joinSpokenWords(words), words } }];
	},
});
