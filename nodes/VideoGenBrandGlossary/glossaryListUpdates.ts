import type { Field } from '../core/form/field';
import { createUpdateModeField } from '../fields/updateMode';
import {
	termTranslationFields,
	pronunciationFields,
	termListSourceField,
	untranslatedTermFields,
} from './termLists';

/**
 * Creates the form fields for updating one list of a brand glossary. In the first field, the user
 * chooses whether to keep, replace or clear the list. The other fields, for the new list, are shown
 * only if the user chooses to replace it.
 */
const createListChange = <const N extends string, F extends Field>(
	name: N,
	label: string,
	listFields: readonly F[],
) => [
	{
		...createUpdateModeField(
			'Remove all entries from the list',
			'Keep the list unchanged',
			'Replace the whole list with the one below',
		),
		displayName: `Change ${label}`,
		name,
		description: `What to do with the list of ${label.toLowerCase()}`,
	},
	...listFields.map((field) => ({
		...field,
		displayOptions: { show: { ...field.displayOptions?.show, [name]: ['replace'] } },
	})),
];

/**
 * Form fields for updating a brand glossary's term lists. The service keeps a list that is missing
 * from the update request, and clears a list that is empty in the request.
 */
export const glossaryListUpdateFields = [
	termListSourceField,
	...createListChange('termsChange', 'Pronunciations', pronunciationFields),
	...createListChange('untranslatedChange', 'Words Not to Translate', untranslatedTermFields),
	...createListChange('forcedChange', 'Fixed Translations', termTranslationFields),
] as const;
