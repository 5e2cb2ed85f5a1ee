import { defineOperation } from '../../core/operation';
import {
	termTranslationFields,
	glossaryNameField,
	pronunciationFields,
	readTermLists,
	termListSourceField,
	untranslatedTermFields,
} from '../termLists';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create brand glossary',
	description: 'Define how words are pronounced and translated',
	request: 'POST /v3/brand-glossaries',
	returns: ['name', 'terms', 'do_not_translate_terms', 'forced_translations'],
	fields: [
		glossaryNameField,
		termListSourceField,
		...pronunciationFields,
		...untranslatedTermFields,
		...termTranslationFields,
	],
	body: ({ values, payload }) => ({ ...payload, ...readTermLists(values) }),
	uncertainOutcomeHint:
		'The glossary may have been created anyway. Look for it with Get Many before you run the workflow again: the service rejects a second glossary with the same name.',
});
