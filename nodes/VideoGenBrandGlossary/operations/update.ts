import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { formatRange } from '../../core/form/validation';
import { brandGlossaryField } from '../../fields/brandGlossary';
import { buildUpdateProperty, isEmptyUpdate, type UpdateMode } from '../../fields/updateMode';
import { glossaryListUpdateFields } from '../glossaryListUpdates';
import { glossaryNameField, readTermLists } from '../termLists';

const { name } = apiLimits['PATCH /v3/brand-glossaries/{brand_glossary_id}'];

const checkReplacement = (label: string, change: UpdateMode, entries: unknown) =>
	change === 'replace' &&
	entries === undefined &&
	`"${label}" has no new terms: add terms to replace the list, or choose "Clear" to empty it or "Keep" to leave it unchanged`;

export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update brand glossary',
	description:
		'Rename a glossary, or replace or clear any of its three lists. Tone settings can only be changed in the web app.',
	request: 'PATCH /v3/brand-glossaries/{brand_glossary_id}',
	returns: ['name', 'terms', 'do_not_translate_terms', 'forced_translations'],
	fields: [
		{ ...brandGlossaryField, required: true },
		{
			...glossaryNameField,
			displayName: 'New Name',
			required: false,
			description: `New name of the glossary, ${formatRange(name)} characters. Leave empty to keep the current one.`,
		},
		...glossaryListUpdateFields,
	],
	check: (values) => {
		const lists = readTermLists(values);
		const { termsChange, untranslatedChange, forcedChange } = values;
		return [
			checkReplacement('Pronunciations', termsChange, lists.terms),
			checkReplacement('Words Not to Translate', untranslatedChange, lists.do_not_translate_terms),
			checkReplacement('Fixed Translations', forcedChange, lists.forced_translations),
			isEmptyUpdate(values, [termsChange, untranslatedChange, forcedChange]) &&
				'The update changes nothing: enter a "New Name", or choose Replace or Clear for one of the lists',
		];
	},
	body: ({ values, payload }) => {
		const { terms, do_not_translate_terms, forced_translations } = readTermLists(values);
		return {
			...payload,
			...buildUpdateProperty('terms', values.termsChange, terms, []),
			...buildUpdateProperty(
				'do_not_translate_terms',
				values.untranslatedChange,
				do_not_translate_terms,
				[],
			),
			...buildUpdateProperty('forced_translations', values.forcedChange, forced_translations, []),
		};
	},
});
