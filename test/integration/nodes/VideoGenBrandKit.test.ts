/** Brand kits: the import, roles that are replaced together, and lists of logos and fonts. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenBrandKit/operations';
import { describeOperations, type Cases } from '../support/cases';
import { loadListPage } from '../support/contexts';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const cases: Cases = {
	create: {
		line: 'POST /v3/brand-kits',
		parameters: { url: 'https://bakery.example/', options: { name: 'Bakery' } },
		keyed: true,
	},
	get: 'GET /v3/brand-kits/kit_001',
	getMany: 'GET /v3/brand-kits',
	update: {
		line: 'PATCH /v3/brand-kits/kit_001',
		parameters: {
			name: 'New bakery',
			colorChange: 'replace',
			color_roles: {
				primary: '#102030',
				secondary: '#a0b0c0',
				tertiary: '#ffffff',
				accent: '#ff8800',
			},
			logoChange: 'replace',
			logo_id: byId('kit_001_logo'),
			fontChange: 'replace',
			font_roles: {
				title_text: { font_id: byId('kit_001_font_2'), weight: 1000 },
				body_text: { font_id: byId('kit_001_font_1'), weight: '1' },
			},
		},
		differences: {
			logo_roles: { primary: 'kit_001_logo' },
			font_roles: {
				title_text: { font_id: 'kit_001_font_2', weight: 1000 },
				body_text: { font_id: 'kit_001_font_1', weight: 1 },
			},
			logo_id: undefined,
		},
	},
	delete: 'DELETE /v3/brand-kits/kit_002',
};

describeOperations('VideoGenBrandKit', resources, cases);

const service = useService();

const update = (more: INodeParameters): INodeParameters => ({
	operation: 'update',
	brand_kit_id: byId('kit_001'),
	...more,
});

const importKit = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'create',
	url: 'https://bakery.example/',
	waitForCompletion: true,
	options: { pollInterval: 1 },
	...more,
});

const run = async (parameters: INodeParameters) =>
	await runNode(service, 'VideoGenBrandKit', parameters);

describe('rejected before anything is sent', () => {
	const wrong: Array<[string, INodeParameters, RegExp]> = [
		[
			'an invalid color',
			update({ colorChange: 'replace', color_roles: { accent: 'orange' } }),
			/^"Color Roles → Accent" must be a color such as #00ff88, but is "orange"$/,
		],
		[
			'colors to replace without a new color',
			update({ colorChange: 'replace', color_roles: {} }),
			/^"Color Roles" has no color: add one, or choose "Clear"/,
		],
		[
			'fonts to replace without a new font',
			update({ fontChange: 'replace', font_roles: {} }),
			/^"Font Roles" has no font: add one, or choose "Clear"/,
		],
		['an empty update', update({}), /^The update changes nothing: enter a "New Name"/],
	];

	test.each(wrong)('%s', async (_, parameters, message) => {
		const { error } = await run(parameters);
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Nothing was sent');
		expect(service.control.requests()).toHaveLength(0);
	});
});

test.each([
	['bakery.example', 'https://bakery.example'],
	[' bakery.example:8080/shop ', 'https://bakery.example:8080/shop'],
	['http://bakery.example', 'http://bakery.example'],
])('the website "%s" is sent as %s', async (url, sent) => {
	await run(importKit({ url, waitForCompletion: false }));
	expect(service.control.requests()).toMatchObject([{ body: { url: sent } }]);
});

test.each(['bakery', 'our bakery', 'info@bakery.example', 'ftp://bakery.example'])(
	'"%s" is no website',
	async (url) => {
		const { error } = await run(importKit({ url }));
		expect(error?.message).toContain('"Website" must be a website such as example.com');
		expect(service.control.requests()).toHaveLength(0);
	},
);

describe('an update', () => {
	test.each<[string, INodeParameters, IDataObject]>([
		['of the name keeps all roles unchanged', { name: 'Patisserie' }, { name: 'Patisserie' }],
		[
			'of one color leaves the other roles without a color',
			{ colorChange: 'replace', color_roles: { primary: '#000001' } },
			{ color_roles: { primary: '#000001' } },
		],
		[
			// The weight is the default of the form.
			'of one font sends no other role',
			{ fontChange: 'replace', font_roles: { body_text: { font_id: byId('kit_001_font_2') } } },
			{ font_roles: { body_text: { font_id: 'kit_001_font_2', weight: 400 } } },
		],
		[
			'clears roles with the mode Clear, whatever the form hides, and keeps the others',
			{
				...{ colorChange: 'clear', color_roles: { primary: '#000001' } },
				...{ logoChange: 'keep', fontChange: 'clear' },
			},
			{ color_roles: {}, font_roles: {} },
		],
		['clears the logo', { logoChange: 'clear' }, { logo_roles: {} }],
		[
			'can send fields that the form does not have',
			{ options: { additionalBodyFields: '{"logo_roles": {}}' } },
			{ logo_roles: {} },
		],
	])('%s', async (_, parameters, body) => {
		const { items, error } = await run(update(parameters));
		expect(error).toBeUndefined();
		expect(service.control.requests({ method: 'PATCH' })[0]?.body).toEqual(body);
		for (const [key, value] of Object.entries(body)) expect(items[0]?.json[key]).toEqual(value);
	});

	test('of roles during the import is an error with advice', async () => {
		service.control.holdJobs(true);
		const { items } = await run(importKit({ waitForCompletion: false }));
		const brand_kit_id = byId(items[0]?.json.brand_kit_id);
		const { error } = await run(update({ brand_kit_id, colorChange: 'clear' }));
		// The name can change in any state.
		const renamed = await run(update({ brand_kit_id, name: 'Early' }));
		service.control.holdJobs(false);
		expect(error?.message).toMatch(/^The brand kit is (still|not) /);
		expect(error?.description).toContain('Wait until the status of the brand kit is "completed"');
		expect(renamed.items[0]?.json).toMatchObject({ name: 'Early', status: 'loading' });
	});
});

describe('an import', () => {});

describe('lists of the kit', () => {
	const searchList = async (method: string, kit: unknown, filter?: string) => {
		const parameters = { operation: 'update', brand_kit_id: kit } as INodeParameters;
		return (await loadListPage(service, 'VideoGenBrandKit', method, { filter, parameters }))
			.results;
	};

	test.each([
		['a kit from the list', { ...byId('kit_003'), mode: 'list' }],
		['a kit by its ID', byId('kit_003')],
	])('logos and fonts of %s', async (_, kit) => {
		expect(await searchList('searchBrandKitLogos', kit)).toEqual([
			{ name: 'Logo', value: 'kit_003_logo', url: expect.stringContaining('http') },
		]);
		expect(await searchList('searchBrandKitFonts', kit)).toMatchObject([
			{ name: 'Plain Sans', value: 'kit_003_font_1' },
			{ name: 'Plain Serif', value: 'kit_003_font_2' },
		]);
	});

	test('are filtered', async () => {
		expect(await searchList('searchBrandKitFonts', byId('kit_003'), ' SERIF ')).toMatchObject([
			{ value: 'kit_003_font_2' },
		]);
		expect(await searchList('searchBrandKitLogos', byId('kit_003'), 'none')).toEqual([]);
	});

	test.each([
		['no kit', undefined],
		['an empty choice', byId('')],
	])('are empty with %s, without a request', async (_, kit) => {
		expect(await searchList('searchBrandKitLogos', kit)).toEqual([]);
		expect(await searchList('searchBrandKitFonts', kit)).toEqual([]);
		expect(service.control.requests()).toHaveLength(0);
	});
});
