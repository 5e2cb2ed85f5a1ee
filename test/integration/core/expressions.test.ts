/** Values from expressions, which n8n does not check. */
import type { INodeParameters } from 'n8n-workflow';
import { avatar, createCalls } from '../support/calls';
import { url } from '../support/cases';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { createVideos, bodies } = createCalls(service);

test('a choice per item: the fields of the other choice are neither required nor sent', async () => {
	const { items: out, error } = await createVideos(
		2,
		{
			speechFrom: '={{ $json.kind }}',
			script: '={{ $json.script }}',
			audio: url('={{ $json.url }}'),
		},
		{
			items: [
				{ json: { kind: 'text', script: 'Good morning to you', url: '' } },
				{ json: { kind: 'audio', script: 'Left over', url: 'https://files.example/a.mp3' } },
			],
		},
	);
	expect(error).toBeUndefined();
	expect(out).toHaveLength(2);
	const sent = bodies('/v3/videos');
	expect(sent.find(({ script }) => script === 'Good morning to you')).toBeDefined();
	const spoken = sent.find(({ audio_url }) => audio_url === 'https://files.example/a.mp3');
	expect(spoken).toBeDefined();
	expect(spoken).not.toHaveProperty('script');
	expect(spoken).not.toHaveProperty('voice_id');
});

test.each([
	[
		'={{ "" }}',
		expect.stringMatching(/^"Speech Source" is empty\. The expression {{ "" }} returned no value/),
	],
	[
		'={{ null }}',
		expect.stringMatching(
			/^"Speech Source" is empty\. The expression {{ null }} returned no value/,
		),
	],
	[
		'={{ undefined }}',
		expect.stringMatching(
			/^"Speech Source" is empty\. The expression {{ undefined }} returned no value/,
		),
	],
	['={{ "Text" }}', '"Speech Source" must be one of text, audio, but is "Text"'],
])('a choice without a known value is the only problem: %s', async (speechFrom, message) => {
	// n8n itself requires every field that such a choice might show.
	const { error } = await createVideos(1, { speechFrom, audio: url('={{ "" }}') });
	expect(error).toMatchObject({ message, description: 'Nothing was sent to the service.' });
});

test('a value that a list lacks is sent, and a hint names it', async () => {
	const options = { resolution: '={{ "8k" + "<b>" }}', aspect_ratio: '16:9' };
	const refused = await createVideos(1, { options });
	expect(refused.error?.message).toContain('resolution');
	const body = { data: { video_id: 'v1', status: 'waiting' } };
	service.control.fail({ method: 'POST', path: '/v3/videos', status: 200, body });
	const { items: out, run } = await createVideos(1, { options });
	expect(out).toMatchObject([{ json: { video_id: 'v1' } }]);
	expect(bodies('/v3/videos')).toMatchObject([{ ...options, resolution: '8k<b>' }, {}]);
	const hints = run.data.resultData.runData.Node?.[0]?.hints?.map(({ message }) => message);
	expect(hints?.[0]).toBe(
		'&#34;Resolution&#34; has a value that this version of the node does not list: &#34;8k&#60;b&#62;&#34;. It is sent to the service, which decides whether it is valid.',
	);
});

test.each<[string, INodeParameters, string]>([
	[
		'is longer than any of the service',
		{ options: { resolution: '={{ "8".repeat(101) }}' } },
		'"Resolution" must be one of 4k, 1080p, 720p',
	],
	[
		'decides which other fields there are',
		{ lookAndSound: { background: { background: { type: '={{ "gradient" }}' } } } },
		'Background → Type" must be one of color, image, but is "gradient"',
	],
])('a value that a list lacks is refused if it %s', async (_, parameters, problem) => {
	const { error, run } = await createVideos(1, parameters);
	expect(error?.message).toContain(problem);
	expect(JSON.stringify(run.data.resultData)).not.toContain('does not list');
	expect(bodies('/v3/videos')).toEqual([]);
});

const noWait = { waitForCompletion: false };
test.each<[string, string, INodeParameters]>([
	['Script', 'VideoGenVideo', avatar({ script: '={{ null }}' })],
	[
		'Variables (JSON)',
		'VideoGenTemplate',
		{
			...noWait,
			operation: 'generate',
			template_id: byId('template_004'),
			variablesFrom: 'json',
			variables_json: '={{ null }}',
		},
	],
	[
		'Edits (JSON)',
		'VideoGenAgent',
		{
			...noWait,
			operation: 'editScenes',
			session_id: byId('session_001'),
			scene_snapshot_video_id: byId('video_001'),
			editsFrom: 'json',
			edit_plan_json: '={{ null }}',
		},
	],
])('%s with the value null is missing, not hidden', async (name, node, parameters) => {
	const { error } = await runNode(service, node, parameters);
	expect(error?.message).toMatch(`"${name}" is empty. The expression {{ null }} returned no value`);
	expect(service.control.requests()).toHaveLength(0);
});
