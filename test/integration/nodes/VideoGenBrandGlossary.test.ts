/** What is special to glossaries: repeated terms, lists kept, replaced or cleared, JSON. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenBrandGlossary/operations';
import { describeOperations, few, first, type Case } from '../support/cases';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const cases: Record<string, Case> = {
	create: {
		parameters: () => ({
			name: '  Night Bus  ',
			listsFrom: 'form',
			terms: { entry: [{ term: 'GIF', pronunciation: 'jif' }] },
			do_not_translate_terms: { entry: [{ term: 'Night Bus' }, { term: 'Day Bus' }] },
			forced_translations: { entry: [{ term: 'checkout', translation: ' Kasse ' }] },
		}),
		sends: () => ({
			line: 'POST /v3/brand-glossaries',
			body: {
				name: 'Night Bus',
				terms: [{ term: 'GIF', pronunciation: 'jif' }],
				do_not_translate_terms: [{ term: 'Night Bus' }, { term: 'Day Bus' }],
				forced_translations: [{ term: 'checkout', translation: ' Kasse ' }],
			},
		}),
		returns: (items) => {
			expect(first(items)).toMatchObject({
				brand_glossary_id: expect.any(String),
				name: 'Night Bus',
				do_not_translate_terms: [{ term: 'Night Bus' }, { term: 'Day Bus' }],
			});
		},
	},
	get: {
		parameters: () => ({ brand_glossary_id: byId('glossary_001') }),
		sends: () => ({ line: 'GET /v3/brand-glossaries/glossary_001', query: {} }),
		returns: (items) => {
			expect(first(items)).toMatchObject({
				brand_glossary_id: 'glossary_001',
				name: 'Product names',
				terms: [{ term: 'gif', pronunciation: 'jif' }],
			});
		},
	},
	getMany: {
		parameters: () => ({ ...few }),
		sends: () => ({ line: 'GET /v3/brand-glossaries', query: { limit: '3' } }),
		returns: (items) => {
			expect(items.map(({ json }) => json.name)).toEqual([
				'Product names',
				'Medicine',
				'Town names',
			]);
		},
	},
	update: {
		parameters: () => ({
			brand_glossary_id: byId('glossary_001'),
			name: 'Words',
			listsFrom: 'form',
			termsChange: 'replace',
			terms: { entry: [{ term: 'SQL', pronunciation: 'sequel' }] },
			untranslatedChange: 'clear',
			forcedChange: 'keep',
		}),
		sends: () => ({
			line: 'PATCH /v3/brand-glossaries/glossary_001',
			body: {
				name: 'Words',
				terms: [{ term: 'SQL', pronunciation: 'sequel' }],
				do_not_translate_terms: [],
			},
		}),
		returns: (items) => {
			expect(first(items)).toMatchObject({
				name: 'Words',
				terms: [{ term: 'SQL', pronunciation: 'sequel' }],
				do_not_translate_terms: [],
				forced_translations: [{ term: 'checkout', translation: 'Kasse' }],
			});
		},
	},
	delete: {
		parameters: () => ({ brand_glossary_id: byId('glossary_002') }),
		sends: () => ({ line: 'DELETE /v3/brand-glossaries/glossary_002', query: {} }),
		returns: (items) => {
			expect(first(items)).toEqual({ brand_glossary_id: 'glossary_002', deleted: true });
		},
	},
};

describeOperations('VideoGenBrandGlossary', resources, cases);

const service = useService();

const create = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'create',
	name: 'Words',
	listsFrom: 'form',
	...more,
});

const update = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'update',
	brand_glossary_id: byId('glossary_001'),
	listsFrom: 'form',
	...more,
});

const run = async (parameters: INodeParameters, items?: IDataObject[]) =>
	await runNode(service, 'VideoGenBrandGlossary', parameters, {
		items: items?.map((json) => ({ json })),
	});

const sent = (method: string) => service.control.requests({ method }).map(({ body }) => body);

describe('refused before anything is sent', () => {
	const wrong: Array<[string, INodeParameters, RegExp]> = [
		[
			'a pronunciation twice, in other letters',
			create({
				terms: {
					entry: [
						{ term: 'gif', pronunciation: 'jif' },
						{ term: 'SQL', pronunciation: 'sequel' },
						{ term: 'GIF', pronunciation: 'gif' },
					],
				},
			}),
			/^"Pronunciations" has the term "GIF" more than once: /,
		],
		[
			'a word not to translate twice',
			create({
				do_not_translate_terms: { entry: [{ term: 'Night Bus' }, { term: 'night bus' }] },
			}),
			/^"Words Not to Translate" has the term "night bus" more than once: /,
		],
		[
			'a fixed translation twice, in JSON',
			create({
				listsFrom: 'json',
				forced_translations_json: JSON.stringify([
					{ term: 'ÄRA', translation: 'era' },
					{ term: 'ära', translation: 'age' },
				]),
			}),
			/^"Fixed Translations \(JSON\)" has the term "ära" more than once: /,
		],
		[
			'a repeated term of an update',
			update({
				listsFrom: 'json',
				termsChange: 'replace',
				terms_json: '[{"term":"a","pronunciation":"x"},{"term":"A","pronunciation":"y"}]',
			}),
			/^"Pronunciations \(JSON\)" has the term "A" more than once: /,
		],
		[
			'a name of 65 characters',
			create({ name: 'x'.repeat(65) }),
			/^"Name" must have at most 64 characters, but has 65$/,
		],
		['a name of blanks', create({ name: '={{ "   " }}' }), /^"Name" holds nothing but blanks/],
		[
			'a row without a pronunciation',
			create({ terms: { entry: [{ term: 'gif', pronunciation: '={{ "" }}' }] } }),
			/^"Pronunciations → entry 1 → Pronunciation" is required$/,
		],
		[
			'an entry of JSON without a term',
			create({ listsFrom: 'json', terms_json: '[{"pronunciation": "jif"}]' }),
			/^"Pronunciations \(JSON\) → entry 1 → term" is required$/,
		],
		[
			'an entry of JSON without a translation',
			create({ listsFrom: 'json', forced_translations_json: '[{"term": "checkout"}]' }),
			/^"Fixed Translations \(JSON\) → entry 1 → translation" is required$/,
		],
		[
			'a list to replace by nothing',
			update({ termsChange: 'replace' }),
			/^"Pronunciations" is to be replaced, but nothing is given: .*choose Clear/,
		],
		[
			'a list to replace by nothing, in JSON',
			update({ listsFrom: 'json', forcedChange: 'replace' }),
			/^"Fixed Translations" is to be replaced, but nothing is given: /,
		],
		['a change of nothing', update(), /^There is nothing to change: give a "New Name"/],
	];

	test.each(wrong)('%s', async (_, parameters, message) => {
		const { error } = await run(parameters);
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Nothing was sent');
		expect(service.control.requests()).toHaveLength(0);
	});
});

test('one term may be in all three lists', async () => {
	const { error } = await run(
		create({
			terms: { entry: [{ term: 'Kiosk', pronunciation: 'kee-osk' }] },
			do_not_translate_terms: { entry: [{ term: 'kiosk' }] },
			forced_translations: { entry: [{ term: 'KIOSK', translation: 'Kiosk' }] },
		}),
	);
	expect(error).toBeUndefined();
	expect(sent('POST')).toHaveLength(1);
});

test('64 characters are counted without the blanks around them', async () => {
	const { items, error } = await run(create({ name: ` ${'x'.repeat(64)} ` }));
	expect(error).toBeUndefined();
	expect(items[0]?.json.name).toBe('x'.repeat(64));
});

test('lists that are not given are not sent', async () => {
	await run(create());
	await run(create({ name: 'Others', listsFrom: 'json' }));
	expect(sent('POST')).toEqual([{ name: 'Words' }, { name: 'Others' }]);
});

test('JSON of each item makes the lists, with keys that the form does not know', async () => {
	const terms = [{ term: 'GIF', pronunciation: 'jif', language: 'en' }, { term: 'SQL' }];
	// The simulator knows no such key; what counts is what is sent.
	service.control.fail({
		method: 'POST',
		path: '/v3/brand-glossaries',
		status: 200,
		body: { data: { brand_glossary_id: 'glossary_9' } },
	});
	const { items, error } = await run(
		create({
			name: '={{ $json.name }}',
			listsFrom: 'json',
			terms_json: '={{ $json.terms }}',
			do_not_translate_terms_json: '={{ JSON.stringify($json.words) }}',
		}),
		[
			{ name: 'One', terms, words: [{ term: 'Night Bus' }] },
			{ name: 'Two', terms: [], words: [] },
		],
	);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(2);
	expect(sent('POST')).toEqual(
		expect.arrayContaining([
			{ name: 'One', terms, do_not_translate_terms: [{ term: 'Night Bus' }] },
			{ name: 'Two', terms: [], do_not_translate_terms: [] },
		]),
	);
});

describe('an update', () => {
	const before = {
		terms: [{ term: 'gif', pronunciation: 'jif' }],
		do_not_translate_terms: [{ term: 'Night Bus' }],
		forced_translations: [{ term: 'checkout', translation: 'Kasse' }],
	};

	test('of the name keeps all lists', async () => {
		const { items } = await run(update({ name: ' New name ' }));
		expect(sent('PATCH')).toEqual([{ name: 'New name' }]);
		expect(items[0]?.json).toMatchObject({ name: 'New name', ...before });
	});

	test('clears every list that is to be cleared, whatever its hidden rows hold', async () => {
		const { items } = await run(
			update({
				termsChange: 'clear',
				terms: { entry: [{ term: 'SQL', pronunciation: 'sequel' }] },
				forcedChange: 'clear',
			}),
		);
		expect(sent('PATCH')).toEqual([{ terms: [], forced_translations: [] }]);
		expect(items[0]?.json).toMatchObject({ ...before, terms: [], forced_translations: [] });
	});

	test('keeps a list whose hidden rows hold something', async () => {
		await run(
			update({
				untranslatedChange: 'replace',
				do_not_translate_terms: { entry: [{ term: 'Day Bus' }] },
				termsChange: 'keep',
				terms: { entry: [{ term: 'SQL', pronunciation: 'sequel' }] },
			}),
		);
		expect(sent('PATCH')).toEqual([{ do_not_translate_terms: [{ term: 'Day Bus' }] }]);
	});

	test('replaces lists by JSON; an empty list of JSON is an empty list', async () => {
		const { items, error } = await run(
			update({
				listsFrom: 'json',
				termsChange: 'replace',
				terms_json: '={{ $json.terms }}',
				forcedChange: 'replace',
				forced_translations_json: '[{"term": "cart", "translation": "Korb"}]',
			}),
			[{ terms: [] }],
		);
		expect(error).toBeUndefined();
		expect(sent('PATCH')).toEqual([
			{ terms: [], forced_translations: [{ term: 'cart', translation: 'Korb' }] },
		]);
		expect(items[0]?.json.do_not_translate_terms).toEqual(before.do_not_translate_terms);
	});

	test('what becomes of a list may come from an expression', async () => {
		await run(
			update({ termsChange: '={{ $json.on ? "clear" : "keep" }}', name: '={{ $json.n }}' }),
			[
				{ on: true, n: 'One' },
				{ on: false, n: 'Two' },
			],
		);
		expect(sent('PATCH')).toEqual(
			expect.arrayContaining([{ name: 'One', terms: [] }, { name: 'Two' }]),
		);
	});
});

test('a name that exists already is an error that says what to do', async () => {
	const { error } = await run(create({ name: 'MEDICINE' }));
	expect(error?.httpCode).toBe('409');
	expect(error?.message).toContain('conflicts with something that already exists');
	expect(error?.description).toContain('Use another name');
});

test('a glossary whose answer was lost is not created twice, and the user is told', async () => {
	service.control.fail({ method: 'POST', path: '/v3/brand-glossaries', cut: 'after' });
	const { error } = await run(create());
	expect(sent('POST')).toHaveLength(1);
	expect(error?.description).toContain('may have been created all the same');
	expect(error?.description).toContain('Get Many');
});
