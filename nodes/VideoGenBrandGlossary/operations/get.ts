import { defineOperation } from '../../core/operation';
import { brandGlossaryField } from '../../fields/brandGlossary';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get brand glossary',
	description: 'Get a glossary with all its terms',
	request: 'GET /v3/brand-glossaries/{brand_glossary_id}',
	returns: ['name', 'terms', 'do_not_translate_terms', 'forced_translations'],
	fields: [{ ...brandGlossaryField, required: true }],
});
