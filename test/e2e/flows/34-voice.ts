import assert from 'node:assert/strict';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, runDraft, start, succeeded } from '../workflows';

const voice = `${packageName}.videoGenVoice`;
const speech = `${packageName}.videoGenSpeech`;

const speak = (id: string, field: string) => ({
	operation: 'speak',
	voice_id: byId(id),
	text: 'Hello there, this is how I sound.',
	downloadAudio: true,
	binaryPropertyName: field,
});

export const flow: Flow = {
	name: 'a voice is designed, cloned from its recording, speaks, and is deleted',
	run: async (context) => {
		const execution = await runDraft(
			context,
			chain('Voice', [
				start,
				{
					name: 'Design',
					type: voice,
					parameters: {
						resource: 'voice',
						operation: 'design',
						prompt: 'A calm, warm voice',
						options: { gender: 'female' },
					},
				},
				{
					name: 'First',
					type: 'n8n-nodes-base.limit',
					parameters: { maxItems: 1 },
				},
				{ name: 'Record', type: speech, parameters: speak('={{ $json.voice_id }}', 'recording') },
				{
					name: 'Clone',
					type: voice,
					parameters: {
						resource: 'voice',
						operation: 'clone',
						audio: { __rl: true, mode: 'binary', value: 'recording' },
						voice_name: 'Narrator',
						waitForCompletion: true,
						options: { pollInterval: 1, remove_background_noise: false },
					},
				},
				{ name: 'Speak', type: speech, parameters: speak('={{ $json.voice_id }}', 'data') },
				{
					name: 'Delete',
					type: voice,
					parameters: {
						resource: 'voice',
						operation: 'delete',
						voice_id: byId("={{ $('Clone').item.json.voice_id }}"),
					},
				},
			]),
		);
		assert.ok(succeeded(execution, 'Design').length > 1, 'several voices fit');
		const [clone] = succeeded(execution, 'Clone');
		assert.equal(clone?.json.status, 'complete');
		assert.equal(clone.json.voice_id, clone.json.voice_clone_id);
		const [spoken] = succeeded(execution, 'Speak');
		assert.equal(spoken?.binary?.data?.mimeType, 'audio/wav');
		const [deleted] = succeeded(execution, 'Delete');
		assert.equal(deleted?.json.voice_id, clone.json.voice_id);
	},
};
