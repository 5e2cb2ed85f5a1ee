import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { readExample, runDraft, succeeded } from '../workflows';

/** Each with its last nodes, some of which need an account of another service. */
const lastNodes: Record<string, string[]> = {
	'02-names-to-personal-videos.json': ['Send Mail'],
	'08-one-video-three-languages.json': ['Store Files', 'Store Subtitles'],
	'10-tell-the-team.json': ['Good News', 'Bad News', 'Send to Chat'],
	'11-try-a-failed-video-again.json': ['Send Video'],
	'14-voice-over.json': ['Use Video'],
	'17-order-to-personal-video.json': ['Send Mail'],
	'19-tell-the-team-by-polling.json': ['Good News', 'Bad News', 'Send to Chat'],
};

export const flow: Flow = {
	name: 'examples run with their sample data, without accounts of the other services',
	run: async (context) => {
		for (const [file, nodes] of Object.entries(lastNodes)) {
			const draft = readExample(file);
			assert.ok(Object.keys(draft.pinData ?? {}).length > 0, file);
			const execution = await runDraft(context, draft);
			for (const node of nodes) {
				assert.ok(succeeded(execution, node).length > 0, `${file}: ${node}`);
			}
		}
	},
};
