import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import type { Flow } from '../flow';
import { itemsOf } from '../n8n';
import { byId, chain, errorText, itemsNode, runDraft, start } from '../workflows';

const type = 'n8n-nodes-videogen.videoGenRealtimeAvatar';

export const flow: Flow = {
	name: 'an avatar says live what item after item gives it, in their order, and its words come back',
	run: async (context) => {
		// Long enough to be watched, and to be spoken to while it runs.
		const stage = await context.startOwn({ simulator: { jobSeconds: 12 } });
		const sentences = ['Here is the news.', 'It rains.', 'Good night.'];
		const execution = await runDraft(
			stage,
			chain('Live avatar', [
				start,
				{
					name: 'Create',
					type,
					parameters: {
						operation: 'create',
						avatar_id: byId('look_001_1'),
						type: 'text_stream',
						text: 'Good evening.',
						voice_id: byId('voice_001'),
						waitUntil: 'streaming',
					},
				},
				...itemsNode(sentences.map((text) => ({ text }))),
				{
					name: 'Say',
					type,
					parameters: {
						operation: 'sendText',
						stream_id: "={{ $('Create').first().json.stream_id }}",
						delta: '={{ $json.text }}',
						final: '={{ $itemIndex === $input.all().length - 1 }}',
					},
				},
				{
					name: 'Words',
					type,
					parameters: {
						operation: 'getWords',
						stream_id: '={{ $json.stream_id }}',
						splitIntoWords: false,
					},
					more: { executeOnce: true },
				},
				{
					name: 'More',
					type,
					parameters: {
						operation: 'sendText',
						stream_id: '={{ $json.stream_id }}',
						delta: 'One more thing.',
						final: false,
					},
				},
			]),
		);
		// The last node speaks to a stream that is over.
		assert.equal(execution.status, 'error');
		assert.match(errorText(execution), /The stream is closed and accepts no more text/);
		assert.match(errorText(execution), /Create a new stream/);

		const [created] = itemsOf(execution, 'Create');
		assert.equal(created?.json.status, 'streaming');
		assert.match(String(created?.json.hls_url), /^http/);

		assert.equal(itemsOf(execution, 'Say').length, 3);
		const [heard] = itemsOf(execution, 'Words');
		assert.equal(heard?.json.text, ['Good evening.', ...sentences].join(' '));
		assert.equal(heard?.json.reason, 'final_marker');
		const words = heard?.json.words as IDataObject[];
		assert.deepEqual(words[0], { word: 'Good', start: 0, end: 0.35 });
	},
};
