/** Values from expressions, which n8n does not check. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { avatar } from '../support/calls';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const received = (method: string, path: string | RegExp) =>
	service.control.requests({ method, path });

describe('values from expressions', () => {
	test('a choice per item: the fields of the other choice are neither required nor sent', async () => {
		const { items: out, error } = await runNode(
			service,
			'VideoGenVideo',
			avatar({
				speechFrom: '={{ $json.kind }}',
				script: '={{ $json.script }}',
				audio: {
					__rl: true,
					mode: 'url',
					value: '={{ $json.url }}',
				},
			}),
			{
				items: [
					{ json: { kind: 'text', script: 'Good morning to you', url: '' } },
					{ json: { kind: 'audio', script: 'Left over', url: 'https://files.example/a.mp3' } },
				],
			},
		);
		expect(error).toBeUndefined();
		expect(out).toHaveLength(2);
		const bodies = received('POST', '/v3/videos').map(({ body }) => body as IDataObject);
		expect(bodies.find(({ script }) => script === 'Good morning to you')).toBeDefined();
		const spoken = bodies.find(({ audio_url }) => audio_url !== undefined);
		expect(spoken).toMatchObject({ audio_url: 'https://files.example/a.mp3' });
		expect(spoken).not.toHaveProperty('script');
		expect(spoken).not.toHaveProperty('voice_id');
	});

	/** n8n itself requires every field that such a choice might show. */
	const chosenBy = (speechFrom: string) =>
		avatar({ speechFrom, audio: { __rl: true, mode: 'url', value: '={{ "" }}' } });

	test.each([['={{ "" }}'], ['={{ null }}'], ['={{ undefined }}']])(
		'a choice without a value is required by its name: %s',
		async (speechFrom) => {
			const { error } = await runNode(service, 'VideoGenVideo', chosenBy(speechFrom));
			expect(error?.message).toBe('"Speech From" is required');
			expect(error?.description).toBe('Nothing was sent to the service.');
		},
	);

	test('a choice that does not exist is the only problem', async () => {
		const { error } = await runNode(service, 'VideoGenVideo', chosenBy('={{ "Text" }}'));
		expect(error?.message).toBe('"Speech From" must be one of text, audio, but is "Text"');
		expect(error?.description).toBe('Nothing was sent to the service.');
	});

	test.each<[string, string, INodeParameters, string]>([
		['a script', 'VideoGenVideo', avatar({ script: '={{ null }}' }), 'Script'],
		[
			'the variables of a template',
			'VideoGenTemplate',
			{
				operation: 'generate',
				template_id: byId('template_004'),
				variablesFrom: 'json',
				variables_json: '={{ null }}',
				waitForCompletion: false,
			},
			'Variables (JSON)',
		],
		[
			'an edit plan',
			'VideoGenAgent',
			{
				operation: 'editScenes',
				session_id: byId('session_001'),
				scene_snapshot_video_id: byId('video_001'),
				editsFrom: 'json',
				edit_plan_json: '={{ null }}',
				waitForCompletion: false,
			},
			'Edits (JSON)',
		],
	])('%s with the value null is missing, not hidden', async (_, kind, parameters, name) => {
		const { error } = await runNode(service, kind, parameters);
		expect(error?.message).toBe(`"${name}" is required`);
		expect(service.control.requests()).toHaveLength(0);
	});
});
