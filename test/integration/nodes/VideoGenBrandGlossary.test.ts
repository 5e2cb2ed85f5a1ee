/** Brand glossaries: duplicate terms, lists that are kept, replaced or cleared, and JSON. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenBrandGlossary/operations';
import { describeOperations, type Cases } from '../support/cases';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const cases: Cases = {
	create: {
		line: 'POST /v3/brand-glossaries',
		parameters: {
			name: '  Night Bus  ',
			listsFrom: 'form',
			terms: { entry: [{ term: 'GIF', pronunciation: 'jif' }] },
			do_not_translate_terms: { entry: [{ term: 'Night Bus' }, { term: 'Day Bus' }] },
			forced_translations: { entry: [{ term: 'checkout', translation: ' Kasse ' }] },
		},
		differences: {
			name: 'Night Bus',
			do_not_translate_terms: [{ term: 'Night Bus' }, { term: 'Day Bus' }],
		},
	},
	get: 'GET /v3/brand-glossaries/glossary_001',
	getMany: 'GET /v3/brand-glossaries',
	update: {
		line: 'PATCH /v3/brand-glossaries/glossary_001',
		parameters: {
			name: 'Words',
			listsFrom: 'form',
			termsChange: 'replace',
			terms: { entry: [{ term: 'SQL', pronunciation: 'sequel' }] },
			untranslatedChange: 'clear',
			forcedChange: 'keep',
		},
		differences: { do_not_translate_terms: [] },
	},
	delete: 'DELETE /v3/brand-glossaries/glossary_002',
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

describe('rejected before anything is sent', () => {
	const wrong: Array<[string, INodeParameters, RegExp]> = [
		[
			'a pronunciation twice, in different case',
			create({
				terms: { entry: ['gif', 'SQL', 'GIF'].map((term) => ({ term, pronunciation: 'jif' })) },
			}),
			/^"Pronunciations" has the term "GIF" more than once: /,
		],
		[
			'a word not to translate twice',
			create({ do_not_translate_terms: { entry: [{ term: 'Night Bus' }, { term: 'night bus' }] } }),
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
			'a duplicate term in an update',
			update({
				listsFrom: 'json',
				termsChange: 'replace',
				terms_json: '[{"term":"a","pronunciation":"x"},{"term":"A","pronunciation":"y"}]',
			}),
			/^"Pronunciations \(JSON\)" has the term "A" more than once: /,
		],
		['a blank name', create({ name: '={{ "   " }}' }), /^"Name" must not be blank/],
		[
			'a JSON entry without a term',
			create({ listsFrom: 'json', terms_json: '[{"pronunciation": "jif"}]' }),
			/^"Pronunciations \(JSON\) → entry 1 → term" is required$/,
		],
		[
			'a JSON entry without a translation',
			create({ listsFrom: 'json', forced_translations_json: '[{"term": "checkout"}]' }),
			/^"Fixed Translations \(JSON\) → entry 1 → translation" is required$/,
		],
		[
			'a list to replace without new terms',
			update({ termsChange: 'replace' }),
			/^"Pronunciations" has no new terms: .*choose "Clear"/,
		],
		[
			'a list to replace without new terms, in JSON',
			update({ listsFrom: 'json', forcedChange: 'replace' }),
			/^"Fixed Translations" has no new terms: /,
		],
		['an empty update', update(), /^The update changes nothing: enter a "New Name"/],
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

test('the limit of 64 characters does not count surrounding spaces', async () => {
	const { items } = await run(create({ name: ` ${'x'.repeat(64)} ` }));
	expect(items[0]?.json.name).toBe('x'.repeat(64));
});

test('lists without a value are not sent', async () => {
	await run(create());
	await run(create({ name: 'Others', listsFrom: 'json' }));
	expect(sent('POST')).toEqual([{ name: 'Words' }, { name: 'Others' }]);
});

test('each item sends the lists of its JSON, with keys that the form does not have', async () => {
	const terms = [{ term: 'GIF', pronunciation: 'jif', language: 'en' }, { term: 'SQL' }];
	// The simulator rejects such keys, so the response is fixed: only the request matters.
	service.control.fail({
		...{ method: 'POST', path: '/v3/brand-glossaries', status: 200 },
		body: { data: { brand_glossary_id: 'glossary_9' } },
	});
	await run(
		create({
			...{ name: '={{ $json.name }}', listsFrom: 'json', terms_json: '={{ $json.terms }}' },
			do_not_translate_terms_json: '={{ JSON.stringify($json.words) }}',
		}),
		[
			{ name: 'One', terms, words: [{ term: 'Night Bus' }] },
			{ name: 'Two', terms: [], words: [] },
		],
	);
	expect(sent('POST')).toEqual(
		expect.arrayContaining([
			{ name: 'One', terms, do_not_translate_terms: [{ term: 'Night Bus' }] },
			{ name: 'Two', terms: [], do_not_translate_terms: [] },
		]),
	);
});

describe('an update', () => {
	const hidden = { entry: [{ term: 'SQL', pronunciation: 'sequel' }] };
	const before = {
		terms: [{ term: 'gif', pronunciation: 'jif' }],
		do_not_translate_terms: [{ term: 'Night Bus' }],
		forced_translations: [{ term: 'checkout', translation: 'Kasse' }],
	};

	test.each<[string, INodeParameters, IDataObject]>([
		['of the name keeps all lists unchanged', { name: ' New name ' }, { name: 'New name' }],
		[
			'clears a list with the mode Clear, whatever its hidden rows contain',
			{ termsChange: 'clear', terms: hidden, forcedChange: 'clear' },
			{ terms: [], forced_translations: [] },
		],
		[
			'keeps a list with the mode Keep, whatever its hidden rows contain',
			{
				...{ termsChange: 'keep', terms: hidden },
				untranslatedChange: 'replace',
				do_not_translate_terms: { entry: [{ term: 'Day Bus' }] },
			},
			{ do_not_translate_terms: [{ term: 'Day Bus' }] },
		],
		[
			'replaces lists with JSON, also with an empty list',
			{
				...{ listsFrom: 'json', termsChange: 'replace', terms_json: '={{ [] }}' },
				forcedChange: 'replace',
				forced_translations_json: '[{"term": "cart", "translation": "Korb"}]',
			},
			{ terms: [], forced_translations: [{ term: 'cart', translation: 'Korb' }] },
		],
		[
			'accepts the mode of a list from an expression',
			{ termsChange: '={{ "clear" }}' },
			{ terms: [] },
		],
	])('%s', async (_, parameters, body) => {
		const { items, error } = await run(update(parameters));
		expect(error).toBeUndefined();
		expect(sent('PATCH')).toEqual([body]);
		expect(items[0]?.json).toMatchObject({ ...before, ...body });
	});
});
