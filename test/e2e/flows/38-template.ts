import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, ResourceMapperFields } from 'n8n-workflow';
import { projectRoot } from '../../../tools/install';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, errorText, runDraft, start, succeeded } from '../workflows';

const type = `${packageName}.videoGenTemplate`;
const media = (file: string) => readFileSync(join(projectRoot, 'simulator', 'media', file));

export const flow: Flow = {
	name: 'the variables of a template are a form; a file of the item fills one; a video becomes a template',
	run: async (context) => {
		const { n8n, credential, simulator } = context;
		const { fields } = await n8n.api<ResourceMapperFields>(
			'POST',
			'/dynamic-node-parameters/resource-mapper-fields',
			{
				path: 'parameters.variables',
				nodeTypeAndVersion: { name: type, version: 1 },
				methodName: 'templateVariables',
				currentNodeParameters: {
					authentication: 'apiKey',
					operation: 'generate',
					template_id: byId('template_004'),
					variablesFrom: 'form',
				},
				credentials: { videoGenApi: credential },
			},
		);
		assert.deepEqual(
			fields.map(({ id }) => id),
			['first_name', 'photo', 'clip', 'jingle', 'presenter', 'speaker'],
		);
		const typeOf = (id: string) => fields.find((field) => field.id === id)?.type;
		assert.equal(typeOf('first_name'), 'string');
		// Files are a choice where the account has some of the kind, as other flows leave them.
		for (const id of ['photo', 'clip', 'jingle'])
			assert.match(typeOf(id) ?? '', /^(string|options)$/);
		assert.deepEqual(['presenter', 'speaker'].map(typeOf), ['options', 'options']);

		const execution = await runDraft(
			context,
			chain('Personal video', [
				start,
				{
					name: 'Get Photo',
					type: 'video',
					parameters: {
						operation: 'download',
						video_id: byId('video_001'),
						files: ['thumbnail'],
						binaryPropertyName: 'photo',
					},
				},
				{
					name: 'Generate',
					type,
					parameters: {
						operation: 'generate',
						template_id: byId('template_004'),
						variablesFrom: 'form',
						variables: {
							mappingMode: 'defineBelow',
							value: {
								first_name: '={{ "Grace" }}',
								// As expressions: where the field is a list, n8n takes nothing else that is not in it.
								photo: '={{ "binary:photo" }}',
								clip: null,
								jingle: '={{ "https://files.example/jingle.mp3" }}',
								presenter: 'look_002_1',
								speaker: 'voice_002',
							},
							matchingColumns: [],
							schema: fields,
							attemptToConvertTypes: false,
							convertFieldsToString: false,
						},
						waitForCompletion: true,
						options: { title: 'For Grace', pollInterval: 1 },
					},
				},
				{
					name: 'Download',
					type: 'video',
					parameters: {
						operation: 'download',
						video_id: byId('={{ $json.id }}'),
						files: ['video'],
						binaryPropertyName: 'data',
					},
				},
			]),
		);
		const [made] = succeeded(execution, 'Generate');
		assert.equal(made?.json.status, 'completed');
		assert.equal(made?.json.title, 'For Grace');
		const request = simulator.control
			.requests({ method: 'POST', path: '/v3/templates/template_004' })
			.at(-1);
		const { variables } = request?.body as {
			variables: IDataObject & { photo: { asset: IDataObject } };
		};
		assert.deepEqual(variables.first_name, { type: 'text', content: 'Grace' });
		assert.deepEqual(variables.speaker, { type: 'voice', voice_id: 'voice_002' });
		assert.deepEqual(Object.keys(variables).sort(), [
			'first_name',
			'jingle',
			'photo',
			'presenter',
			'speaker',
		]);
		const { type: kind, asset_id: id } = variables.photo.asset;
		assert.equal(kind, 'asset_id');
		const asset = await fetch(`${simulator.baseUrl}/v3/assets/${String(id)}`, {
			headers: { 'x-api-key': simulator.apiKey },
		});
		assert.equal(asset.status, 200, 'the photo is an asset of the service');
		const [film] = succeeded(execution, 'Download');
		assert.ok(film?.binary?.data, 'a file is in the field data');
		assert.ok((await n8n.binary(film.binary.data)).equals(media('video.mp4')), 'every byte');

		const update = (name: string, template: string, version: string) => ({
			name,
			type,
			parameters: {
				operation: 'updateVariables',
				template_id: byId(template),
				declarationsFrom: 'form',
				declarations: { variable: [{ name: 'topic', replaces: 'text', text: 'about' }] },
				expected_edit_version: version,
			},
		});
		const promoted = await runDraft(
			context,
			chain('Promote', [
				start,
				{
					name: 'Create',
					type,
					parameters: {
						operation: 'create',
						video_id: byId('video_001'),
						options: { name: 'Sale' },
					},
				},
				update('Declare', '={{ $json.id }}', ''),
			]),
		);
		const [declared] = succeeded(promoted, 'Declare');
		assert.equal(declared?.json.edit_version, 2);
		assert.deepEqual(Object.keys(declared?.json.variables as IDataObject), ['topic']);

		const stale = await runDraft(
			context,
			chain('Stale', [start, update('Declare', String(declared?.json.id), '1')]),
		);
		assert.equal(stale.status, 'error');
		assert.match(errorText(stale), /The template has changed since it was read/);
		assert.match(errorText(stale), /again \(operation Get\)/);
	},
};
