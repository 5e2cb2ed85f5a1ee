import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { loadMapping, loadListPage, readWholeList } from '../support/contexts';
import { uploadAsset } from '../support/cases';
import { byId, loadNodeType } from '../support/engine';
import { useService } from '../support/service';

const NODE = 'VideoGenTemplate';
const { description } = loadNodeType(NODE);

const service = useService({ pageSize: 2 });

const parametersOf = (template: unknown, more: IDataObject = {}) =>
	({
		authentication: 'apiKey',
		operation: 'generate',
		template_id: template,
		variablesFrom: 'form',
		...more,
	}) as INodeParameters;

/** The fields that the editor shows for variables. */
async function fields(template: unknown, more?: IDataObject) {
	const property = description.properties.find(({ type }) => type === 'resourceMapper');
	const method = String(property?.typeOptions?.resourceMapper?.resourceMapperMethod);
	return await loadMapping(service, NODE, method, parametersOf(template, more));
}

const look = async (method: string, template: unknown, filter?: string) =>
	(await loadListPage(service, NODE, method, { filter, parameters: parametersOf(template) }))
		.results;

test('shows one field per variable, by its type', async () => {
	const { fields: found } = await fields(byId('template_004'));
	expect(found.map(({ id, displayName, type }) => [id, displayName, type])).toEqual([
		['first_name', 'first_name (e.g. “Ada”)', 'string'],
		['photo', 'photo (image URL)', 'string'],
		['clip', 'clip (video URL)', 'string'],
		['jingle', 'jingle (audio URL)', 'string'],
		['presenter', 'presenter (avatar look)', 'options'],
		['speaker', 'speaker (voice)', 'options'],
	]);
	for (const field of found) {
		expect(field).toMatchObject({ required: false, display: true, defaultMatch: false });
		// A default value would stay in front of an expression that is dragged into the field.
		expect(field).not.toHaveProperty('defaultValue');
	}
	const [, , , , presenter, speaker] = found;
	expect(presenter?.options?.[0]?.value).toBe('look_private_001');
	expect(speaker?.options?.slice(0, 3).map(({ value }) => value)).toEqual([
		'voice_private_001',
		'voice_private_002',
		'voice_001',
	]);
});

test('offers the file of the item and assets of the same type', async () => {
	const { asset_id: id } = await uploadAsset(service);
	const { fields: found } = await fields(byId('template_004'));
	expect(found.slice(1, 4)).toMatchObject([
		{
			displayName: 'photo (image)',
			type: 'options',
			options: [
				{ name: 'The File of the Item', value: 'binary:data' },
				{ name: expect.stringMatching(/^me\.jpg/), value: `asset:${id}` },
			],
		},
		// An image is neither video nor audio.
		{ displayName: 'clip (video URL)', type: 'string' },
		{ displayName: 'jingle (audio URL)', type: 'string' },
	]);
});

test('shows no issue and no mapping mode before a template is selected', () => {
	const property = description.properties.find(({ type }) => type === 'resourceMapper');
	expect(property?.typeOptions?.resourceMapper).toMatchObject({
		supportAutoMap: false,
		hideNoDataError: true,
	});
});

test.each([
	['a template from the list', { ...byId('template_001'), mode: 'list' }],
	['a template by its ID', byId('template_001')],
])('the variables of %s', async (_, template) => {
	const { fields: found } = await fields(template);
	expect(found.map(({ id }) => id)).toEqual(['headline', 'picture']);
	// Voices and looks are not fetched if no variable needs them.
	expect(service.control.requests({ path: /voices|looks/ })).toHaveLength(0);
});

test.each([
	['no template', undefined],
	['an empty choice', byId('')],
	['a template that only an item tells', byId('={{ $json.template }}')],
])('%s shows no fields but advice', async (_, template) => {
	const { fields: found, emptyFieldsNotice } = await fields(template);
	expect(found).toEqual([]);
	expect(emptyFieldsNotice).toContain('Choose a template to see its variables here');
	expect(service.control.requests()).toHaveLength(0);
});

test('finds variables that only the scenes declare', async () => {
	service.control.fail({
		path: '/v3/templates/template_001',
		times: 1,
		status: 200,
		body: {
			data: {
				id: 'template_001',
				variables: { headline: { type: 'text', content: '{{headline}}' } },
				scenes: [
					{
						scene_id: 's1',
						variables: [
							{ name: 'headline', variable_type: 'text' },
							{ name: 'logo', variable_type: 'image' },
						],
					},
					{ scene_id: 's2' },
				],
			},
		},
	});
	const { fields: found } = await fields(byId('template_001'));
	expect(found.map(({ id, displayName }) => [id, displayName])).toEqual([
		['headline', 'headline (text)'],
		['logo', 'logo (image URL)'],
	]);
});

test('explains how to add variables to a template without any', async () => {
	service.control.fail({
		path: '/v3/templates/template_001',
		times: 1,
		status: 200,
		body: { data: { id: 'template_001', variables: {}, scenes: null, elements: null } },
	});
	const { fields: found, emptyFieldsNotice } = await fields(byId('template_001'));
	expect(found).toEqual([]);
	expect(emptyFieldsNotice).toContain('Update Variables');
});

test('accepts a typed voice ID if voices cannot be listed', async () => {
	service.control.fail({ path: '/v3/voices', status: 403, code: 'insufficient_api_key_scope' });
	const { fields: found } = await fields(byId('template_004'));
	const speaker = found.find(({ id }) => id === 'speaker');
	expect(speaker).toMatchObject({ displayName: 'speaker (voice ID)', type: 'string' });
	expect(found.find(({ id }) => id === 'presenter')?.type).toBe('options');
});

test('keeps a selected value as an option, without an issue', async () => {
	const value = { speaker: 'voice_of_old', presenter: '={{ $json.look }}', first_name: 'Grace' };
	const variables = { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] };
	const { fields: schema } = await fields(byId('template_004'), { variables });
	const speaker = schema.find(({ id }) => id === 'speaker');
	expect(speaker?.options?.[0]).toEqual({ name: 'voice_of_old', value: 'voice_of_old' });
	expect(speaker?.options?.length).toBeLessThanOrEqual(101);

	const parameters = parametersOf(byId('template_004'), { variables: { ...variables, schema } });
	const filled: INode = {
		id: '1',
		name: 'Node',
		type: 'template',
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
	const issues = NodeHelpers.getNodeParametersIssues(description.properties, filled, description);
	expect(issues).toBeNull();
});

test('explains what to do about a missing template', async () => {
	await expect(fields(byId('template_999'))).rejects.toThrow(
		'Template template_999 does not exist',
	);
});

test('lists all templates page by page', async () => {
	const parameters = parametersOf(undefined);
	const all = await readWholeList(service, NODE, 'searchTemplates', { parameters });
	const found = all.map(({ name }) => name);
	expect(found.sort()).toEqual([
		'Birthday greeting (9:16)',
		'Personal greeting (16:9)',
		'Product launch (16:9)',
		'Weekly report (1:1)',
	]);
	expect(await look('searchTemplates', undefined, 'BIRTH')).toEqual([
		{
			name: 'Birthday greeting (9:16)',
			value: 'template_002',
			url: expect.stringContaining('http'),
		},
	]);
});

test('searches scenes and elements of the selected template by their text', async () => {
	const scenes = await look('searchTemplateScenes', byId('template_004'));
	expect(scenes).toEqual([
		{ name: 'Scene 1: Hello {{first_name}}, this is for you.', value: 'template_004_scene_1' },
		{ name: 'Scene 2: See you soon.', value: 'template_004_scene_2' },
	]);
	const found = await look('searchTemplateScenes', byId('template_004'), ' SOON ');
	expect(found.map(({ value }) => value)).toEqual(['template_004_scene_2']);

	const elements = await look('searchTemplateElements', byId('template_004'));
	expect(elements.map(({ name }) => name)).toEqual([
		'tts: Hello {{first_name}}, this is for you.',
		'avatar: look_001_1',
		'tts: voice_001',
		expect.stringMatching(/^image: http/),
		'video',
		'background audio',
	]);
	expect(await look('searchTemplateElements', undefined)).toEqual([]);
});
