import assert from 'node:assert/strict';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, runDraft, start, succeeded } from '../workflows';

const type = `${packageName}.videoGenAccount`;

export const flow: Flow = {
	name: 'a workflow makes a video only while the account has credit left',
	run: async (context) => {
		const execution = await runDraft(
			context,
			chain('Check credit first', [
				start,
				{ name: 'Key', type, parameters: { operation: 'getKey' } },
				{ name: 'Legacy', type, parameters: { operation: 'getLegacy' } },
				{ name: 'Account', type, parameters: { operation: 'get' } },
				{
					name: 'Enough Credit',
					type: 'n8n-nodes-base.filter',
					parameters: {
						conditions: {
							options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
							conditions: [
								{
									id: 'credit',
									leftValue: '={{ $json.remaining_credits }}',
									rightValue: 10,
									operator: { type: 'number', operation: 'gt' },
								},
							],
							combinator: 'and',
						},
						options: {},
					},
					more: { typeVersion: 2.2 },
				},
				{
					name: 'Create Video',
					type: 'video',
					parameters: {
						operation: 'createAvatar',
						avatar_id: byId('look_001_1'),
						speechFrom: 'text',
						script: '=Hello {{ $json.first_name }}, this is a long enough text.',
						voice_id: byId('voice_001'),
						waitForCompletion: false,
					},
				},
			]),
		);
		const [key] = succeeded(execution, 'Key');
		assert.equal(key?.json.status, 'active');
		assert.ok(Array.isArray(key?.json.scopes));
		const [account] = succeeded(execution, 'Account');
		assert.equal(typeof account?.json.username, 'string');
		const [legacy] = succeeded(execution, 'Legacy');
		assert.deepEqual(legacy?.json, account?.json, 'the same facts, without the old envelope');
		const [video] = succeeded(execution, 'Create Video');
		assert.equal(typeof video?.json.video_id, 'string');
		const request = context.simulator.control
			.requests({ method: 'POST', path: '/v3/videos' })
			.at(-1);
		const { script } = request?.body as { script: string };
		assert.ok(script.startsWith(`Hello ${String(account?.json.first_name)},`), script);
	},
};
