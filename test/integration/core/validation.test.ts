/** The node checks all values of all items before it sends, and so pays for, anything. */
import type { INodeParameters } from 'n8n-workflow';
import { avatar, getVideo, items, session, speakingImage } from '../support/calls';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

describe('invalid values are rejected before anything is sent', () => {
	const wrong: Array<[string, string, INodeParameters, RegExp]> = [
		[
			'a prompt of 10,001 characters',
			'VideoGenAgent',
			session({ prompt: '={{ $json.i === 1 ? "x".repeat(10001) : "fine" }}' }),
			/^"Prompt" must have at most 10,000 characters, but has 10,001 \[row 2\]$/,
		],
		[
			'an edit plan of 51 entries',
			'VideoGenAgent',
			{
				operation: 'editScenes',
				session_id: byId('s'),
				scene_snapshot_video_id: byId('v'),
				editsFrom: 'json',
				edit_plan_json:
					'={{ JSON.stringify(Array($json.i === 1 ? 51 : 50).fill({ scene_id: "a", text: "b" })) }}',
				waitForCompletion: false,
			},
			/^"Edits \(JSON\)" must have at most 50 entries, but has 51 \[row 2\]$/,
		],
		[
			'a cinematic video of 16 seconds',
			'VideoGenVideo',
			{
				operation: 'createCinematic',
				prompt: 'A walk',
				avatar_id: { look: [{ avatar_id: byId('look_001_1') }] },
				waitForCompletion: false,
				options: { duration: '={{ 15 + $json.i }}' },
			},
			/^"Duration \(Seconds\)" must be at most 15, but is 16 \[row 2\]$/,
		],
		[
			'a wrong choice from an expression',
			'VideoGenVideo',
			avatar({ options: { payOncePer: '={{ $json.i === 1 ? "never" : "execution" }}' } }),
			/^"Pay Once Per" must be one of execution, request, ownKey, but is "never" \[row 2\]$/,
		],
		[
			'a number that is not a number',
			'VideoGenVideo',
			avatar({ options: { voice_settings: { speed: '={{ $json.i === 1 ? "fast" : "1.2" }}' } } }),
			/^"Voice Settings → Speed" must be a number, but is text: "fast" \[row 2\]$/,
		],
		[
			'values that exclude each other',
			'VideoGenVideo',
			avatar({ options: { engine: 'avatar_v', expressiveness: 'high' } }),
			/^"Expressiveness" cannot be used with the Avatar V engine: remove the option, or choose another engine \[row 1\]$/,
		],
		[
			'invalid JSON',
			'VideoGenAgent',
			session({ options: { additionalBodyFields: '{"a": ' } }),
			/^"Additional Body Fields" is not valid JSON: .* \[row 1\]$/,
		],
		[
			'a batch with a studio video in it',
			'VideoGenVideo',
			{
				operation: 'createBatch',
				itemIs: 'json',
				video_json: '={{ { type: $json.i === 1 ? "studio" : "avatar" } }}',
				waitForCompletion: false,
			},
			/^"Video \(JSON\) → type" must be one of avatar, image, cinematic_avatar, but is "studio"/,
		],
		[
			'a missing binary field',
			'VideoGenVideo',
			speakingImage({ image: { __rl: true, mode: 'binary', value: 'photo' } }),
			/^The item has no file in the binary field "photo": it has no files \[row 1\]$/,
		],
	];

	test.each(wrong)('%s', async (_, kind, parameters, message) => {
		const { error } = await runNode(service, kind, parameters, { items: items(2) });
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Nothing was sent');
		expect(service.control.requests()).toHaveLength(0);
	});
});

test.each(['../x', 'a/b', 'a?b', 'a#b', 'ä b', '%2e%2e'])(
	'the path identifier %j stays one segment',
	async (id) => {
		await runNode(service, 'VideoGenVideo', getVideo(id));
		const [request] = service.control.requests();
		expect(request).toMatchObject({ path: `/v3/videos/${encodeURIComponent(id)}`, status: 404 });
	},
);

test.each([
	['.', 'is not a valid video id'],
	['..', 'is not a valid video id'],
	[' ', '"Video" must not consist of spaces'],
])('the path identifier %j is rejected', async (id, message) => {
	const { error } = await runNode(service, 'VideoGenVideo', getVideo(id));
	expect(error?.message).toContain(message);
	expect(service.control.requests()).toHaveLength(0);
});
