import { operation } from '../../core/operation';
import { forced, glossaryName, termsFormat, readTermLists, terms, untranslated } from '../terms';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create a brand glossary',
	description: 'Lay down how words are spoken and translated',
	request: 'POST /v3/brand-glossaries',
	fields: [glossaryName, termsFormat, ...terms, ...untranslated, ...forced],
	body: ({ values, payload }) => ({ ...payload, ...readTermLists(values) }),
	uncertainOutcomeHint:
		'The glossary may have been created all the same. Look with the operation Get Many before you run again: a second one of the same name is refused.',
});
