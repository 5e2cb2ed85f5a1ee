import { z } from 'zod';
import type { Client } from '../../core/http/client';
import { operation } from '../../core/operation';
import { realtimeStreamId } from '../realtimeStreamId';

/** Does the tasks of one stream one after the other, in the order of the items. */
async function runInOrder<T>(client: Client, stream: string, task: () => Promise<T>): Promise<T> {
	const queue = client.shareInRun(`texts ${stream}`, () => ({
		last: Promise.resolve<unknown>(null),
	}));
	const mine = queue.last.catch(() => undefined).then(task);
	queue.last = mine;
	return await mine;
}

export const sendText = operation({
	value: 'sendText',
	name: 'Send Text',
	action: 'Give an avatar more to say in a live stream',
	description: 'Give a text stream more to say, item after item, or tell it that this was all',
	request: 'POST /v3/avatar-realtime/{stream_id}/text',
	fields: [
		realtimeStreamId,
		{
			displayName: 'Text',
			name: 'delta',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. {{ $json.text }}',
			description:
				'What the avatar says next, after all that it was given before. Needed, unless this is only to end the stream.',
			schema: z.string(),
		},
		{
			displayName: 'Final',
			name: 'final',
			type: 'boolean',
			default: false,
			description:
				'Whether this was all: the stream ends when it has been spoken. With several items, turn it on for the last one only, with {{ $itemIndex === $input.all().length - 1 }}.',
		},
	],
	check: (values) => [
		values.delta === undefined &&
			values.final !== true &&
			'"Text" is required, unless "Final" is on',
	],
	// The text is required by the service, also where there is none left to say.
	body: ({ values, payload }) => ({ ...payload, delta: values.delta ?? '' }),
	async execute({ client, send, values }) {
		return [{ json: await runInOrder(client, values.stream_id, async () => await send()) }];
	},
	explanations: {
		status_410: {
			message: 'The stream is closed and takes no more text',
			advice:
				'Stream {stream_id} has had its final text, has been cancelled, or got no text for too long. Create a new stream.',
		},
	},
	uncertainOutcomeHint:
		'The text may have arrived all the same, so it was not sent again: the avatar might say it twice. Read what was said with the operation Get Words.',
});
