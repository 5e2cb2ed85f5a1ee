import { operations } from '../../../nodes/VideoGenBrandGlossary/operations';
import { byId } from '../support/engine';
import { describeOperations, few, first, type Case } from '../support/cases';

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
	getAll: {
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
			expect(first(items)).toEqual({ brand_glossary_id: 'glossary_002' });
		},
	},
};

describeOperations('VideoGenBrandGlossary', operations, cases);
