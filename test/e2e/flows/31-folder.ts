import assert from 'node:assert/strict';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, runDraft, start, succeeded } from '../workflows';

const type = `${packageName}.videoGenFolder`;

export const flow: Flow = {
	name: 'a new folder in a folder takes a new video, and both are found again',
	run: async (context) => {
		const execution = await runDraft(
			context,
			chain('Folder', [
				start,
				{
					name: 'Create Folder',
					type,
					parameters: {
						operation: 'create',
						name: 'Spring 2030',
						options: { parent_id: byId('folder_001'), type: 'video' },
					},
				},
				{
					name: 'Create Video',
					type: 'video',
					parameters: {
						operation: 'createAvatar',
						avatar_id: byId('look_001_1'),
						speechFrom: 'text',
						script: 'Hello there, this is a long enough text.',
						voice_id: byId('voice_001'),
						waitForCompletion: true,
						options: { folder_id: byId('={{ $json.folder_id }}'), pollInterval: 1 },
					},
				},
				{
					name: 'Get Folder',
					type,
					parameters: { operation: 'get', folder_id: byId('={{ $json.folder_id }}') },
				},
			]),
		);
		const [folder] = succeeded(execution, 'Create Folder');
		const [video] = succeeded(execution, 'Create Video');
		const [again] = succeeded(execution, 'Get Folder');
		assert.equal(folder?.json.parent_id, 'folder_001');
		assert.equal(video?.json.folder_id, folder?.json.folder_id);
		assert.deepEqual(again?.json, folder?.json);

		// The list of the editor knows it now, because a recent video is in it.
		const { results } = await context.n8n.listSearch({
			type,
			path: 'folder_id',
			method: 'searchFolders',
			filter: 'spring 2030',
			parameters: { authentication: 'apiKey', operation: 'get' },
			credentials: { videoGenApi: context.credential },
		});
		assert.ok(results.some(({ value }) => value === folder?.json.folder_id));
	},
};
