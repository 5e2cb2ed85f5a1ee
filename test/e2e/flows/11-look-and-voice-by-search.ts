import assert from 'node:assert/strict';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { chain, runDraft, start, succeeded } from '../workflows';

const type = `${packageName}.videoGenVideo`;

export const flow: Flow = {
	name: 'look and voice are found by search in the lists of the editor, and appear in the video',
	run: async (context) => {
		const { n8n, credential, simulator } = context;
		const search = async (method: string, path: string, filter: string) => {
			const { results } = await n8n.listSearch({
				type,
				path,
				method,
				filter,
				parameters: { authentication: 'apiKey', operation: 'createAvatar' },
				credentials: { videoGenApi: credential },
			});
			assert.ok(results.length > 0, `${method} finds "${filter}"`);
			return results[0] as { name: string; value: string };
		};
		const all = await n8n.listSearch({
			type,
			path: 'voice_id',
			method: 'searchVoices',
			parameters: { authentication: 'apiKey', operation: 'createAvatar' },
			credentials: { videoGenApi: credential },
		});
		const wanted = String(all.results.at(-1)?.name);
		const voice = await search('searchVoices', 'voice_id', wanted.split(' (')[0] ?? '');
		const look = await search('searchLooks', 'avatar_id', 'look_003');
		const execution = await runDraft(
			context,
			chain('Look and voice', [
				start,
				{
					name: 'Create',
					type: 'video',
					parameters: {
						operation: 'createAvatar',
						avatar_id: { __rl: true, mode: 'list', value: look.value, cachedResultName: look.name },
						speechFrom: 'text',
						script: 'Hello there, this is a long enough text.',
						voice_id: {
							__rl: true,
							mode: 'list',
							value: voice.value,
							cachedResultName: voice.name,
						},
						waitForCompletion: true,
						advanced: { pollInterval: 1 },
					},
				},
			]),
		);
		const [item] = succeeded(execution, 'Create');
		assert.equal(item?.json.status, 'completed');
		const request = simulator.control
			.requests({ method: 'POST', path: '/v3/videos' })
			.find(({ body }) => (body as { voice_id?: string }).voice_id === voice.value);
		assert.equal((request?.body as { avatar_id?: string }).avatar_id, look.value);
	},
};
