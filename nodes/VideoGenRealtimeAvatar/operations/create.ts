import { z } from 'zod';
import { apiValues } from '../../apiLimits';
import { createOperationError } from '../../core/errors/nodeErrors';
import { buildPriceHint } from '../../core/form/commonFields';
import { readId } from '../../core/json';
import { defineOperation } from '../../core/operation';
import { buildFileField } from '../../fields/asset';
import { lookField } from '../../fields/look';
import { nameValues } from '../../fields/namedValues';
import { rejectUnsupportedPauses } from '../../fields/pauses';
import { voiceField } from '../../fields/voice';
import { realtimeStreamJob } from '../../jobKinds/catalog';
import { realtimeStreamSampleResult } from '../../jobKinds/samples';
import { maxStreamMinutes, waitForStream } from '../waitForStream';

const { type: speechTypes } = apiValues['POST /v3/avatar-realtime'];

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Start avatar live stream',
	description: 'Start a live stream of a speaking avatar, viewable only while it runs',
	request: 'POST /v3/avatar-realtime',
	returns: ['stream_id'],
	fields: [
		{ ...lookField, required: true },
		{
			displayName: 'Speech Source',
			name: 'type',
			type: 'options',
			options: nameValues(speechTypes, {
				audio: { name: 'Audio', description: 'The avatar lip-syncs to your audio' },
				tts: { name: 'Text', description: 'The avatar speaks the text, and then the stream ends' },
				text_stream: {
					name: 'Text Chunks',
					description:
						'The avatar speaks the first part of the text, and then each part that you send with the Send Text operation',
				},
			}),
			default: 'tts',
			description: 'Source of the spoken words',
			schema: z.enum(speechTypes),
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
			description: 'The words to speak. If you send more text later, enter the first part here.',
		},
		{ ...voiceField, required: true, displayOptions: { show: { type: ['tts', 'text_stream'] } } },
		{
			...buildFileField('speech.mp3', 'The recording', 'searchAudioFiles'),
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
					name: 'Stream Is Live',
					value: 'streaming',
					description:
						'Continue as soon as the stream can be watched, and output its URL as hls_url',
				},
				{
					name: 'Stream Has Ended',
					value: 'ended',
					description:
						'Continue when the avatar has finished speaking; by then, the stream is no longer available',
				},
				{
					name: 'Request Is Accepted',
					value: 'accepted',
					description: 'Continue immediately, with the stream_id only',
				},
			],
			default: 'streaming',
			description:
				'Stream state to wait for. A stream can be watched only while it runs, and no recording is kept. Text can be sent only until the stream ends.',
			hint: buildPriceHint(),
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
				"Maximum time to wait. After that time, the node fails with an error that contains the stream's ID, and the stream keeps running in the service.",
			schema: z.number().positive().max(maxStreamMinutes),
			in: 'local',
		},
	],
	reject: async ({ text, voice_id: voice }, client) =>
		await rejectUnsupportedPauses(client, { field: 'Text', text, voice }),
	async execute({ client, send, recordJobs, values }) {
		const reply = await send(undefined, { survivesStop: true });
		const id = readId(reply.stream_id ?? reply.id);
		if (id === undefined) {
			throw createOperationError(
				client.node,
				'The service accepted the request but returned no stream_id',
				'A stream may be running anyway. It ends automatically if it receives no more text.',
			);
		}
		recordJobs([{ kind: realtimeStreamJob, id }]);
		if (values.waitUntil === 'accepted') return [{ json: reply }];
		const ended = values.waitUntil === 'ended';
		const data = await waitForStream(client, id, ended, values.waitTimeout ?? 30);
		return [{ json: { ...reply, ...data } }];
	},
	paid: true,
	sample: ({ waitUntil }) => ({
		reply: waitUntil === 'accepted' ? {} : realtimeStreamSampleResult,
		starts: realtimeStreamJob,
	}),
	capacityLimit: realtimeStreamJob.name,
	stoppable: true,
	uncertainOutcomeHint:
		'The stream may have started anyway. The node did not retry the request, so that you are not charged twice. The service cannot list streams, but a stream that receives no more text ends automatically.',
});
