import { defineOperation } from '../../core/operation';
import { brandGlossaryField } from '../../fields/brandGlossary';

export const deleteGlossary = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete brand glossary',
	description: 'Permanently delete a glossary',
	request: 'DELETE /v3/brand-glossaries/{brand_glossary_id}',
	fields: [{ ...brandGlossaryField, required: true }],
});
