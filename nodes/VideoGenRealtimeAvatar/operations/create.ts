import { z } from 'zod';
import { createOperationError } from '../../core/errors/nodeErrors';
import { readText } from '../../core/json';
import { operation } from '../../core/operation';
import { buildFileField } from '../../fields/asset';
import { look } from '../../fields/look';
import { refuseUnsupportedPauses } from '../../fields/pauses';
import { voice } from '../../fields/voice';
import { realtimeStreamJob } from '../../jobs/catalog';
import { waitForStream } from '../waitForStream';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Start a live stream of an avatar',
	description: 'Let an avatar speak in a live stream that can be watched while it runs',
	request: 'POST /v3/avatar-realtime',
	fields: [
		{ ...look, required: true },
		{
			displayName: 'Speech From',
			name: 'type',
			type: 'options',
			options: [
				{ name: 'Audio', value: 'audio', description: 'The avatar speaks with your recording' },
				{
					name: 'Text',
					value: 'tts',
					description: 'The avatar speaks one text, then the stream ends',
				},
				{
					name: 'Text That Goes On',
					value: 'text_stream',
					description:
						'The avatar begins with a text, and says more as you send it with the operation Send Text',
				},
			],
			default: 'tts',
			description: 'Where the spoken words come from',
			schema: z.enum(['tts', 'audio', 'text_stream']),
		},
		{
			displayName: 'Text',
			name: 'text',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			required: true,
			displayOptions: { show: { type: ['tts', 'text_stream'] } },
			placeholder: 'e.g. Hello {{ $json.name }}, welcome!',
			description: 'The words to speak, or those to begin with',
		},
		{ ...voice, required: true, displayOptions: { show: { type: ['tts', 'text_stream'] } } },
		{
			...buildFileField('speech.mp3', 'The recording'),
			displayName: 'Audio',
			name: 'audio',
			displayOptions: { show: { type: ['audio'] } },
		},
		{
			displayName: 'Wait Until',
			name: 'waitUntil',
			type: 'options',
			options: [
				{
					name: 'It Can Be Watched',
					value: 'streaming',
					description: 'Go on with hls_url, the address to watch it, while the stream runs',
				},
				{
					name: 'It Has Ended',
					value: 'ended',
					description: 'Go on when all has been said; the address to watch it is gone by then',
				},
				{
					name: 'It Is Accepted',
					value: 'accepted',
					description: 'Go on at once, with the stream_id alone',
				},
			],
			default: 'streaming',
			description:
				'When the node goes on. A stream is watched while it runs and leaves no file, and text can be sent only until it has ended.',
			schema: z.enum(['streaming', 'ended', 'accepted']),
			in: 'local',
		},
	],
	options: [
		{
			displayName: 'Wait Timeout (Minutes)',
			name: 'waitTimeout',
			type: 'number',
			typeOptions: { numberPrecision: 2 },
			default: 30,
			description:
				'How long to wait. When the time is over the node fails with the ID of the stream, which goes on at the service.',
			schema: z.number().positive().max(1440),
			in: 'local',
		},
	],
	refuse: async ({ text, voice_id: voice }, client) =>
		await refuseUnsupportedPauses(client, { field: 'Text', text, voice }),
	async execute({ client, send, started, values }) {
		const reply = await send(undefined, { survivesStop: true });
		const id = readText(reply.stream_id ?? reply.id);
		if (id === undefined) {
			throw createOperationError(
				client.node,
				'The service accepted the request but named no stream_id',
				'A stream may run all the same. It ends by itself when it gets no more text.',
			);
		}
		started([{ kind: realtimeStreamJob, id }]);
		if (values.waitUntil === 'accepted') return [{ json: reply }];
		const ended = values.waitUntil === 'ended';
		const data = await waitForStream(client, id, ended, values.waitTimeout ?? 30);
		return [{ json: { ...reply, ...data } }];
	},
	paid: true,
	uncertainOutcomeHint:
		'The stream may have been started all the same, so the request was not repeated, or you might pay twice. The service has no list of streams to look it up; one that gets no more text ends by itself.',
});
