import { operation } from '../../core/operation';
import { brandGlossary } from '../../fields/brandGlossary';
import { applyUpdateMode, isEmptyUpdate, type UpdateMode } from '../../fields/updateMode';
import { listChanges } from '../listChanges';
import { glossaryName, readTermLists } from '../terms';

const missing = (label: string, change: UpdateMode, entries: unknown) =>
	change === 'replace' &&
	entries === undefined &&
	`"${label}" is to be replaced, but nothing is given: add its terms, or choose Clear to empty it or Keep to leave it as it is`;

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update a brand glossary',
	description: 'Rename a glossary, or keep, replace or clear each of its three lists',
	request: 'PATCH /v3/brand-glossaries/{brand_glossary_id}',
	fields: [
		{ ...brandGlossary, required: true },
		{
			...glossaryName,
			displayName: 'New Name',
			required: false,
			description: 'The new name, 1 to 64 characters. Leave empty to keep the present one.',
		},
		...listChanges,
	],
	check: (values) => {
		const {
			terms,
			do_not_translate_terms: kept,
			forced_translations: fixed,
		} = readTermLists(values);
		const { termsChange, untranslatedChange, forcedChange } = values;
		return [
			missing('Pronunciations', termsChange, terms),
			missing('Words Not to Translate', untranslatedChange, kept),
			missing('Fixed Translations', forcedChange, fixed),
			isEmptyUpdate(values, [termsChange, untranslatedChange, forcedChange]) &&
				'There is nothing to change: give a "New Name", or choose Replace or Clear for one of the lists',
		];
	},
	body: ({ values, payload }) => {
		const {
			terms,
			do_not_translate_terms: kept,
			forced_translations: fixed,
		} = readTermLists(values);
		return {
			...payload,
			...applyUpdateMode('terms', values.termsChange, terms, []),
			...applyUpdateMode('do_not_translate_terms', values.untranslatedChange, kept, []),
			...applyUpdateMode('forced_translations', values.forcedChange, fixed, []),
		};
	},
});
