import { z } from 'zod';
import { factsOf, operationError } from '../../core/errors';
import { operation } from '../../core/operation';
import type { Client } from '../../core/request';
import { realtimeStream } from '../../fields/realtimeStream';

/** What was sent last to each stream of a run: one text must not overtake another. */
const last = new WeakMap<Client, Map<string, Promise<unknown>>>();

/** Does the tasks of one stream one after the other, in the order of the items. */
async function inOrder<T>(client: Client, stream: string, task: () => Promise<T>): Promise<T> {
	const lasts = last.get(client) ?? new Map<string, Promise<unknown>>();
	last.set(client, lasts);
	const mine = (lasts.get(stream) ?? Promise.resolve()).catch(() => undefined).then(task);
	lasts.set(stream, mine);
	return await mine;
}

/** Status 410 in the words of streams; every other error as it is. */
function explained(client: Client, id: string, error: unknown): unknown {
	const facts = factsOf(error);
	if (facts.status !== 410) return error;
	return operationError(
		client.node,
		'The stream is closed and takes no more text',
		`Stream ${id} has had its final text, has been cancelled, or got no text for too long. Create a new stream.`,
		facts,
	);
}

export const sendText = operation({
	value: 'sendText',
	name: 'Send Text',
	action: 'Send text to a stream',
	description: 'Give a text stream more to say, item after item, or tell it that this was all',
	request: 'POST /v3/avatar-realtime/{stream_id}/text',
	fields: [
		realtimeStream,
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
			schema: z.boolean(),
		},
	],
	check: (values) => [
		values.delta === undefined &&
			values.final !== true &&
			'"Text" is required, unless "Final" is on',
	],
	// The text is required by the service, also where there is none left to say.
	body: ({ values, plain }) => ({ ...plain, delta: values.delta ?? '' }),
	async execute({ client, send }, values) {
		const { stream_id: id } = values;
		const reply = await inOrder(client, id, async () => await send()).catch((error: unknown) => {
			throw explained(client, id, error);
		});
		return [{ json: { stream_id: id, ...reply } }];
	},
	mayExist:
		'The text may have arrived all the same, so it was not sent again: the avatar might say it twice. Read what was said with the operation Get Words.',
});
