import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { byId, chain, errorText, itemsNode, runDraft, start, succeeded } from '../workflows';

export const flow: Flow = {
	name: '200 videos are exactly 200 jobs while 30 % of the responses fail, including Retry On Fail',
	isWeekly: true,
	run: async (context) => {
		const stage = await context.startOwn({ simulator: { jobSeconds: 0 } });
		const { control } = stage.simulator;
		const posts = { method: 'POST', path: '/v3/videos' };
		control.fail({
			...posts,
			probability: 0.1,
			status: 429,
			code: 'rate_limit_exceeded',
			retryAfter: 1,
		});
		control.fail({ ...posts, probability: 0.1, status: 503, code: 'service_unavailable' });
		control.fail({ ...posts, probability: 0.06, cut: 'before' });
		control.fail({ ...posts, probability: 0.06, cut: 'after' });
		// The node as a whole fails once, so that n8n runs it again.
		control.fail({ ...posts, times: 1, status: 400, code: 'voice_unavailable' });
		const names = Array.from({ length: 200 }, (_, i) => ({ name: `Name ${i}` }));
		const execution = await runDraft(
			stage,
			chain('Many', [
				start,
				...itemsNode(names),
				{
					name: 'Create',
					type: 'video',
					parameters: {
						operation: 'createAvatar',
						avatar_id: byId('look_001_1'),
						speechFrom: 'text',
						script: '=Hello {{ $json.name }}, this is a long enough text.',
						voice_id: byId('voice_001'),
						waitForCompletion: false,
						advanced: { requestsAtOnce: 20 },
					},
					more: { retryOnFail: true, maxTries: 5, waitBetweenTries: 100 },
				},
			]),
			240_000,
		);
		const items = succeeded(execution, 'Create');
		assert.equal(items.length, 200);
		assert.equal(control.jobs('video').length, 200, 'exactly 200 jobs');
		assert.equal(new Set(items.map(({ json }) => json.video_id)).size, 200);
		assert.deepEqual(
			items.map(({ pairedItem }) => pairedItem),
			names.map((_, item) => ({ item })),
		);

		// A session has no key: it is not repeated, and an error reports it.
		control.clearFaults();
		control.fail({ method: 'POST', path: '/v3/video-agents', cut: 'after' });
		const broken = await runDraft(
			stage,
			chain('Broken', [
				start,
				{
					name: 'Create',
					type: 'agent',
					parameters: {
						operation: 'create',
						prompt: 'A welcome',
						mode: 'generate',
						waitForCompletion: false,
					},
				},
			]),
		);
		assert.equal(broken.status, 'error');
		assert.equal(control.jobs('session').length, 1, 'sent once');
		assert.match(errorText(broken), /session may have been created anyway/);
		assert.match(errorText(broken), /Get Many/);
	},
};
