import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenTemplate/operations';
import type { Simulator } from '../../../simulator';
import { byId, runNode, storeBinary, type RunOptions } from '../support/engine';
import { describeOperations, first, runForJson, type Cases } from '../support/cases';
import { useService } from '../support/service';
import { noWait } from '../support/expectedRequest';

/** The value of the form as n8n stores it. */
const form = (value: IDataObject | null) =>
	({
		mappingMode: 'defineBelow',
		value,
		matchingColumns: [],
		schema: [],
		attemptToConvertTypes: false,
		convertFieldsToString: false,
	}) as unknown as INodeParameters;

/** The ID of a small file in the service. */
async function anAsset(service: Simulator): Promise<string> {
	const body = new FormData();
	body.append('file', new Blob(['clip'], { type: 'video/mp4' }), 'clip.mp4');
	const reply = await fetch(`${service.baseUrl}/v3/assets`, {
		method: 'POST',
		headers: { 'x-api-key': service.apiKey },
		body,
	});
	const { data } = (await reply.json()) as { data: { asset_id: string } };
	return data.asset_id;
}

const aTemplate = async (service: Simulator) =>
	await runForJson(service, 'VideoGenTemplate', {
		operation: 'create',
		video_id: byId('video_001'),
		options: { name: 'Sale' },
	});

const cases: Cases = {
	generate: {
		line: 'POST /v3/templates/template_004',
		before: async (service) => ({ asset: await anAsset(service) }),
		parameters: (ids) => ({
			variablesFrom: 'form',
			variables: form({
				first_name: 'Grace',
				photo: 'https://files.example/a.png',
				clip: `asset:${ids.asset}`,
				jingle: null,
				presenter: 'look_002_1',
				speaker: 'voice_002',
			}),
			options: {
				title: 'For Grace',
				caption: true,
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
				include_gif: true,
				enable_sharing: true,
				keep_text_vertically_centered: true,
				reorder_music: false,
				subtitles: { preset_name: 'bold', alignment: 8, font_size: 32, x: 0.5, y: 0.9 },
				scene_ids: {
					scene: [
						{ scene_id: byId('template_004_scene_2') },
						{ scene_id: byId('template_004_scene_1') },
						{ scene_id: byId('template_004_scene_2') },
					],
				},
				dimension: { dimension: { width: '1280', height: 720 } },
				fps: '60',
				folder_id: byId('folder_001'),
				brand_glossary_id: byId('glossary_001'),
			},
		}),
		differences: (ids) => ({
			variables: {
				first_name: { type: 'text', content: 'Grace' },
				photo: { type: 'image', asset: { type: 'url', url: 'https://files.example/a.png' } },
				clip: { type: 'video', asset: { type: 'asset_id', asset_id: ids.asset } },
				presenter: { type: 'character', character_id: 'look_002_1' },
				speaker: { type: 'voice', voice_id: 'voice_002' },
			},
			subtitles: {
				preset_name: 'bold',
				alignment: 8,
				font_size: 32,
				position: { x: 0.5, y: 0.9 },
			},
			dimension: { width: 1280, height: 720 },
			fps: 60,
		}),
		keyed: true,
	},
	create: {
		line: 'POST /v3/templates',
		parameters: { video_id: byId('video_001'), options: { name: 'Sale' } },
	},
	get: 'GET /v3/templates/template_004',
	getMany: 'GET /v3/templates',
	updateVariables: {
		line: 'PUT /v3/templates/{template_id}/variables',
		before: async (service) => {
			const template = await aTemplate(service);
			const elements = template.elements as IDataObject[];
			const [words, presenter] = elements.map(({ element_id }) => element_id);
			return { ...template, words, presenter };
		},
		parameters: ({ words, presenter }) => ({
			declarationsFrom: 'form',
			declarations: {
				variable: [
					{ name: 'topic', replaces: 'text', text: 'about' },
					{ name: 'words', replaces: 'text', text: 'This is', element_id: byId(words) },
					{
						...{ name: 'presenter', replaces: 'element', element_id: byId(presenter) },
						text: 'left over',
					},
				],
			},
			expected_edit_version: '1',
		}),
		differences: ({ words, presenter }) => ({
			declarations: undefined,
			expected_edit_version: 1,
			variables: [
				{ name: 'topic', text: 'about' },
				{ name: 'words', text: 'This is', element_id: words },
				{ name: 'presenter', element_id: presenter },
			],
		}),
	},
};

describeOperations('VideoGenTemplate', resources, cases, [
	'updateVariables, Specify Variables, the choice json',
]);

describe('VideoGenTemplate', () => {
	const service = useService();

	const generate = async (parameters: INodeParameters, options?: RunOptions) =>
		await runNode(
			service,
			'VideoGenTemplate',
			{
				operation: 'generate',
				template_id: byId('template_004'),
				variablesFrom: 'form',
				...noWait,
				...parameters,
			},
			options,
		);
	const json = (value: unknown): INodeParameters => ({
		variablesFrom: 'json',
		variables_json: JSON.stringify(value),
	});
	const sent = () =>
		service.control
			.requests({ method: 'POST', path: /^\/v3\/templates\/template_/ })
			.map(({ body }) => body as { variables: IDataObject });
	const reads = () => service.control.requests({ method: 'GET', path: /^\/v3\/templates\// });

	test('uploads a file of the item for a variable', async () => {
		const photo = await storeBinary(Buffer.from('Grace'), 'grace.png', 'image/png');
		const items = [{ json: {}, binary: { photo } }];
		const { error } = await generate({ variables: form({ photo: 'binary:photo' }) }, { items });
		expect(error).toBeUndefined();
		const variables = sent()[0]?.variables as { photo: { asset: IDataObject } };
		expect(variables.photo).toEqual({
			type: 'image',
			asset: { type: 'asset_id', asset_id: expect.stringMatching(/^asset_/) },
		});
		const file = await fetch(`${service.baseUrl}/public/${variables.photo.asset.asset_id}/file`);
		expect(await file.text()).toBe('Grace');
	});

	test('uploads a file from JSON and sends its details', async () => {
		const data = await storeBinary(Buffer.from('a clip'), 'clip.mp4', 'video/mp4');
		const details = { type: 'video', fit: 'cover', play_style: 'once', volume: 0.25 };
		const { error } = await generate(
			json({ clip: { ...details, asset: { type: 'binary', field: 'data' } }, first_name: 'Grace' }),
			{ items: [{ json: {}, binary: { data } }] },
		);
		expect(error).toBeUndefined();
		expect(sent()[0]?.variables).toEqual({
			clip: { ...details, asset: { type: 'asset_id', asset_id: expect.any(String) } },
			first_name: { type: 'text', content: 'Grace' },
		});
	});

	test('sends API variables for a template with unknown declarations', async () => {
		const { error } = await generate(json({ first_name: { type: 'text', content: 'Grace' } }));
		expect(error).toBeUndefined();
		expect(reads()).toHaveLength(0);
		expect(sent()[0]?.variables).toEqual({ first_name: { type: 'text', content: 'Grace' } });
	});

	test('fills variables from item fields of the same name and ignores other fields', async () => {
		const items = [
			{ json: { first_name: 'Grace', photo: 'https://files.example/g.png', city: 'London' } },
			{ json: { first_name: 7, speaker: '', city: 'Paris' } },
		];
		const { error } = await generate({ variablesFrom: 'item' }, { items });
		expect(error).toBeUndefined();
		const variables = sent().map((body) => body.variables);
		// Requests are sent concurrently, in any order.
		expect(variables.sort((a, b) => Object.keys(b).length - Object.keys(a).length)).toEqual([
			{
				first_name: { type: 'text', content: 'Grace' },
				photo: { type: 'image', asset: { type: 'url', url: 'https://files.example/g.png' } },
			},
			{ first_name: { type: 'text', content: '7' } },
		]);
		expect(reads()).toHaveLength(1);
	});

	test.each(['', null])('sends an empty text for an empty field (%j)', async (first_name) => {
		const items = [{ json: { first_name, speaker: '', photo: 'https://files.example/g.png' } }];
		const { error } = await generate({ variablesFrom: 'item' }, { items });
		expect(error).toBeUndefined();
		expect(sent()[0]?.variables).toEqual({
			first_name: { type: 'text', content: '' },
			photo: { type: 'image', asset: { type: 'url', url: 'https://files.example/g.png' } },
		});
	});

	describe('rejects a variable whose expression returns nothing', () => {
		const rows = [
			{ first_name: 'Ada', photo: 'https://files.example/a.png' },
			{ first_name: 'Grace', photo: 'https://files.example/g.png' },
		];
		const advice =
			'To allow empty values, set "Specify Variables" to "From Input Item": empty text variables then show no text, and other empty variables keep the template\'s content';

		test.each([
			['first_name', '', "The row's first_name field is empty"],
			['first_name', null, "The row's first_name field is empty"],
			[
				'first_name',
				undefined,
				'The expression {{ $json.first_name }} returned no value; the row has photo',
			],
			['photo', '', "The row's photo field is empty"],
		])('%s is %j', async (name, value, reason) => {
			const [ada, grace] = rows;
			const empty = { ...grace, [name]: value };
			const items = [
				{ json: ada as IDataObject },
				{ json: JSON.parse(JSON.stringify(empty)) as IDataObject },
			];
			const { error } = await generate(
				{
					variables: form({
						first_name: '={{ $json.first_name }}',
						photo: '={{ $json.photo }}',
						speaker: null,
						presenter: '',
					}),
				},
				{ items },
			);
			expect(error?.message).toBe(`"Variables → ${name}" is empty. ${reason}. ${advice} [row 2]`);
			expect(error?.description).toBe('Nothing was sent to the service.');
			expect(service.control.requests()).toHaveLength(0);
		});

		test('unless it returns an empty text in API format', async () => {
			const text = "={{ { type: 'text', content: $json.first_name ?? '' } }}";
			const { error } = await generate({ variables: form({ first_name: text }) });
			expect(error).toBeUndefined();
			expect(sent()[0]?.variables).toEqual({ first_name: { type: 'text', content: '' } });
		});
	});

	test.each([
		['without any such field, because all placeholders would stay', { city: 'London' }],
		['with empty fields only', { first_name: '', photo: null, city: 'London' }],
	])('rejects an item %s', async (_, json) => {
		const items = [{ json }];
		const { error } = await generate({ variablesFrom: 'item' }, { items });
		expect(error?.message).toContain('no field that matches a template variable');
		expect(error?.message).toContain('first_name, photo');
		expect(sent()).toHaveLength(0);
	});

	test.each([
		[{ photo: 'grace.png' }, '"Variables → photo" must be a URL'],
		[{ photo: 'ftp://files.example/a.png' }, '"Variables → photo" must be a URL'],
		[{ jingle: 'binary:song' }, 'The item has no file in the binary field "song"'],
		[{ title: 'x' }, 'The template has no variable "title" (its variables: first_name, '],
		[{ speaker: { type: 'text', content: 'x' }, first_name: 'x' }, '"Variables → speaker" is a'],
		[{ first_name: ['x'] }, '"Variables → first_name" must be a plain value'],
	])('rejects the values %j before any paid request', async (values, message) => {
		const { error } = await generate({ variables: form(values as IDataObject) });
		expect(error?.message).toContain(message);
		expect(error?.description).toContain('No video was generated');
		expect(sent()).toHaveLength(0);
	});

	test.each([
		[
			{ first_name: 'x'.repeat(10_001) },
			'"Variables (JSON) → first_name" must have at most 10,000 characters, but has 10,001',
		],
		[
			{ first_name: { type: 'text', content: 'x'.repeat(10_001) } },
			'"Variables (JSON) → first_name → content" must have at most 10,000 characters, but has 10,001',
		],
		[
			{ clip: { type: 'video', asset: { type: 'url', url: 'https://a.example/a' }, volume: 2 } },
			'"Variables (JSON) → clip → volume" must be at most 1, but is 2',
		],
		[
			{ photo: { type: 'image', asset: { type: 'url', url: 'https://a.example/a' }, fit: 'zoom' } },
			'"Variables (JSON) → photo → fit" must be one of contain, cover, crop, none, but is "zoom"',
		],
		[{ photo: { type: 'image', asset: 'x' } }, '"Variables (JSON) → photo → asset" must be a file'],
	])('checks the limits of JSON before any request', async (values, message) => {
		const { error } = await generate(json(values));
		expect(error?.message).toContain(message);
		expect(service.control.requests()).toHaveLength(0);
	});

	test.each<[IDataObject, string]>([
		[
			{ dimension: { dimension: { width: 1281, height: 720 } } },
			'"Dimension → Width" must be a multiple of 2',
		],
		[{ fps: 24 }, '"Frames per Second" must be one of 25, 30, 60'],
		[{ subtitles: { font_size: 12 } }, '"Subtitles → preset_name" is required'],
	])('rejects the options %j before any request', async (options, message) => {
		const { error } = await generate({ variables: form(null), options } as INodeParameters);
		expect(error?.message).toContain(message);
		expect(service.control.requests()).toHaveLength(0);
	});

	test.each([
		[{ x: 0.5 }, { position: { x: 0.5 } }],
		[{ y: 0.9 }, { position: { y: 0.9 } }],
		[{ x: 0, y: 0 }, { position: { x: 0, y: 0 } }],
		[{}, {}],
	])('subtitles at %j are sent as %j', async (set, sent) => {
		await generate({
			variables: form(null),
			options: { subtitles: { preset_name: 'bold', ...set } },
		} as INodeParameters);
		const [request] = service.control.requests({ method: 'POST' });
		expect((request?.body as IDataObject).subtitles).toEqual({ preset_name: 'bold', ...sent });
	});

	test('sends unknown details of an API variable unchanged', async () => {
		const speaker = { type: 'voice', voice_id: 'voice_002', locale: 'en-GB' };
		const { error } = await generate({ ...json({ speaker }), template_id: byId('template_003') });
		expect(error).toBeUndefined();
		expect(sent()[0]?.variables).toEqual({ speaker });
	});

	test('accepts 10,000 characters of any width and rejects one more', async () => {
		const { error } = await generate({ variables: form({ first_name: '😀'.repeat(10_000) }) });
		expect(error).toBeUndefined();
		const longer = await generate({ variables: form({ first_name: '😀'.repeat(10_001) }) });
		expect(longer.error?.message).toContain('at most 10,000 characters, but has 10,001');
	});

	describe('Update Variables', () => {
		const update = async (id: unknown, parameters: INodeParameters) =>
			await runNode(service, 'VideoGenTemplate', {
				operation: 'updateVariables',
				template_id: byId(id),
				declarationsFrom: 'json',
				declarations_json: '[{ "name": "topic", "text": "about" }]',
				...parameters,
			});

		test('gets the template first if no version is set', async () => {
			const { template_id: id } = await aTemplate(service);
			const { items, error } = await update(id, {});
			expect(error).toBeUndefined();
			expect(first(items)).toMatchObject({ edit_version: 2 });
			const [read, put] = service.control
				.requests({ path: new RegExp(`^/v3/templates/${id}`) })
				.slice(-2);
			expect(read?.method).toBe('GET');
			expect(put?.body).toEqual({
				expected_edit_version: 1,
				variables: [{ name: 'topic', text: 'about' }],
			});
		});

		test('accepts the version under its newer name, and a version that is not a number', async () => {
			const { id } = await aTemplate(service);
			const body = { data: { id, revision: 'r-9' } };
			service.control.fail({ method: 'GET', path: `/v3/templates/${id}`, status: 200, body });
			await update(id, {});
			const [put] = service.control.requests({ method: 'PUT' });
			expect(put?.body).toMatchObject({ expected_edit_version: 'r-9' });
		});

		test('a stale version is an error with the advice to get the template again', async () => {
			const { template_id: id } = await aTemplate(service);
			await update(id, {});
			const { error } = await update(id, { expected_edit_version: '1' });
			expect(error?.message).toContain('The template has changed since you retrieved it');
			expect(error?.description).toContain(`Get template ${id} again`);
			expect(error?.description).toContain('Code: stale_edit_version');
			expect(error?.description).not.toContain('video');
			expect(error?.httpCode).toBe('409');
		});

		test('a missing text is an error about the text', async () => {
			const { template_id: id } = await aTemplate(service);
			const { error } = await update(id, {
				declarations_json: '[{ "name": "topic", "text": "elsewhere" }]',
			});
			expect(error?.message).toContain('The text to turn into a variable is not in the');
		});

		test('rejects an empty form before any request', async () => {
			// n8n itself rejects it, as the warning on the canvas says.
			const run = update('template_004', { declarationsFrom: 'form', declarations: {} });
			await expect(run).rejects.toThrow('At least 1 field is required');
			expect(service.control.requests()).toHaveLength(0);
		});
	});
});
