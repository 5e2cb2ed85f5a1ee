import type { Field } from '../core/form/field';
import { createUpdateModeField } from '../fields/updateMode';
import {
	termTranslationFields,
	pronunciationFields,
	termListFormatField,
	untranslatedTermFields,
} from './termLists';

/**
 * Creates the form fields for changing one list of a brand glossary: the choice to keep, replace or
 * clear the list, and the new list, which is visible only if the user chooses to replace it.
 */
const createListChange = <const N extends string, F extends Field>(
	name: N,
	label: string,
	listFields: readonly F[],
) => [
	{
		...createUpdateModeField(
			'Remove all entries of the list',
			'Keep the list unchanged',
			'Replace the whole list with the one below',
		),
		displayName: `Change ${label}`,
		name,
		description: `Change that the update makes to the list of ${label.toLowerCase()}`,
	},
	...listFields.map((field) => ({
		...field,
		displayOptions: { show: { ...field.displayOptions?.show, [name]: ['replace'] } },
	})),
];

/**
 * Form fields for changing the term lists of a brand glossary. The service keeps a list that the
 * update request omits, and clears a list that is sent empty.
 */
export const glossaryListUpdateFields = [
	termListFormatField,
	...createListChange('termsChange', 'Pronunciations', pronunciationFields),
	...createListChange('untranslatedChange', 'Words Not to Translate', untranslatedTermFields),
	...createListChange('forcedChange', 'Fixed Translations', termTranslationFields),
] as const;
