import assert from 'node:assert/strict';
import type { IDataObject, ResourceMapperFields } from 'n8n-workflow';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, runDraft, start, succeeded } from '../workflows';

const type = `${packageName}.videoGenTemplate`;
const template = {
	operation: 'generate',
	template_id: byId('template_004'),
	variablesFrom: 'form',
};

export const flow: Flow = {
	name: 'the variables of a template become fields of the node, and a file of the item fills one',
	run: async (context) => {
		const { n8n, credential, simulator } = context;
		const { fields } = await n8n.api<ResourceMapperFields>(
			'POST',
			'/dynamic-node-parameters/resource-mapper-fields',
			{
				path: 'parameters.variables',
				nodeTypeAndVersion: { name: type, version: 1 },
				methodName: 'templateVariables',
				currentNodeParameters: { authentication: 'apiKey', ...template },
				credentials: { videoGenApi: credential },
			},
		);
		const names = ['first_name', 'photo', 'clip', 'jingle', 'presenter', 'speaker'];
		assert.deepEqual(
			fields.map(({ id }) => id),
			names,
		);

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
						...template,
						variables: {
							mappingMode: 'defineBelow',
							value: {
								first_name: '={{ "Grace" }}',
								// Where the field is a list, n8n takes values that are not in it from expressions only.
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
						waitForCompletion: false,
					},
				},
			]),
		);
		succeeded(execution, 'Generate');
		const request = simulator.control
			.requests({ method: 'POST', path: '/v3/templates/template_004' })
			.at(-1);
		const { variables } = request?.body as { variables: Record<string, IDataObject> };
		assert.deepEqual(
			Object.keys(variables).sort(),
			names.filter((name) => name !== 'clip').sort(),
			'an empty field is not sent',
		);
		assert.deepEqual(variables.first_name, { type: 'text', content: 'Grace' });
		assert.deepEqual(variables.speaker, { type: 'voice', voice_id: 'voice_002' });
		const photo = variables.photo?.asset as IDataObject;
		assert.equal(photo.type, 'asset_id', 'the photo is uploaded');
	},
};
