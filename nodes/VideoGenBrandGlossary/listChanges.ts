import type { Field } from '../core/form/field';
import { createUpdateModeField } from '../fields/updateMode';
import {
	termTranslationFields,
	pronunciationFields,
	termsFormatField,
	untranslatedFields,
} from './termLists';

/**
 * Creates the form fields with which an update changes one list: the update mode, and the new list
 * for Replace.
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
 * Form fields with which an update changes the lists of a glossary. The service keeps a list that
 * is not sent, and clears a list that is sent empty.
 */
export const listChanges = [
	termsFormatField,
	...createListChange('termsChange', 'Pronunciations', pronunciationFields),
	...createListChange('untranslatedChange', 'Words Not to Translate', untranslatedFields),
	...createListChange('forcedChange', 'Fixed Translations', termTranslationFields),
] as const;
