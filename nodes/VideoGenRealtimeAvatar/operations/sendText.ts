import { z } from 'zod';
import type { Client } from '../../core/http/client';
import { defineOperation } from '../../core/operation';
import { realtimeStreamIdField } from '../realtimeStreamId';

/**
 * Runs a task after all earlier tasks for the same live stream, so that the avatar speaks the input
 * items' texts in order.
 */
async function runInOrder<T>(client: Client, streamId: string, task: () => Promise<T>): Promise<T> {
	const queue = client.shareInRun(`texts ${streamId}`, () => ({
		last: Promise.resolve<unknown>(null),
	}));
	const result = queue.last.catch(() => undefined).then(task);
	queue.last = result;
	return await result;
}

export const sendText = defineOperation({
	value: 'sendText',
	name: 'Send Text',
	action: 'Send more text to live stream',
	description: 'Send more text for the avatar to say, or end the stream',
	request: 'POST /v3/avatar-realtime/{stream_id}/text',
	returns: ['ok', 'buffered_bytes'],
	fields: [
		realtimeStreamIdField,
		{
			displayName: 'Text',
			name: 'delta',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. {{ $json.text }}',
			description: 'The words to say next. Required unless you only want to end the stream.',
			schema: z.string(),
		},
		{
			displayName: 'End Stream After Text',
			name: 'final',
			type: 'boolean',
			default: false,
			description:
				'Whether to end the stream after this text. With several items, turn this on only for the last one: {{ $itemIndex === $input.all().length - 1 }}.',
		},
	],
	check: (values) => [
		values.delta === undefined &&
			values.final !== true &&
			'"Text" is required unless "End Stream After Text" is on',
	],
	// The service requires the text even if it is empty.
	body: ({ values, payload }) => ({ ...payload, delta: values.delta ?? '' }),
	async execute({ client, send, values }) {
		return [{ json: await runInOrder(client, values.stream_id, async () => await send()) }];
	},
	explanations: {
		status_410: {
			message: 'The stream is closed and no longer accepts text',
			advice:
				'Stream {stream_id} received its final text, was canceled, or got no text for too long. Create a new stream.',
		},
	},
	uncertainOutcomeHint:
		'The text may have arrived anyway. The node did not retry the request, so that the avatar does not say the text twice. Use Get Words to see what was said.',
});
