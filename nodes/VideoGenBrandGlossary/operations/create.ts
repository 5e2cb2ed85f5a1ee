import type { IDataObject } from 'n8n-workflow';
import { operation } from '../../core/operation';
import {
	forced,
	forcedJson,
	listsFrom,
	glossaryName,
	terms,
	termsJson,
	untranslated,
	untranslatedJson,
} from '../terms';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create a brand glossary',
	description: 'Lay down how words are spoken and translated',
	request: 'POST /v3/brand-glossaries',
	fields: [
		glossaryName,
		listsFrom,
		terms,
		termsJson,
		untranslated,
		untranslatedJson,
		forced,
		forcedJson,
	],
	body: ({ values, payload }) => {
		const lists: IDataObject = {
			terms: values.terms ?? values.terms_json,
			do_not_translate_terms: values.do_not_translate_terms ?? values.do_not_translate_terms_json,
			forced_translations: values.forced_translations ?? values.forced_translations_json,
		};
		return { ...payload, ...lists };
	},
	mayExist:
		'The glossary may have been created all the same. Look with the operation Get Many before you run again: a second one of the same name is refused.',
});
