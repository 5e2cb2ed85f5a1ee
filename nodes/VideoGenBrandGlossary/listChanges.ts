/** What an update does with each list: what is not sent stays, an empty list clears. */
import type { Field } from '../core/form/field';
import { createUpdateMode } from '../fields/updateMode';
import { forced, termsFormat, terms, untranslated } from './terms';

/** What becomes of a list, and the list itself, which is asked for only where it is replaced. */
const createListChange = <const N extends string, F extends Field>(
	name: N,
	label: string,
	what: string,
	list: readonly F[],
) => [
	{
		...createUpdateMode(
			'The list is empty afterwards',
			'The list stays as it is',
			'The whole list is the one given below',
		),
		displayName: `Change ${label}`,
		name,
		description: `What becomes of the list of ${what}`,
	},
	...list.map((field) => ({
		...field,
		displayOptions: { show: { ...field.displayOptions?.show, [name]: ['replace'] } },
	})),
];

export const listChanges = [
	termsFormat,
	...createListChange('termsChange', 'Pronunciations', 'pronunciations', terms),
	...createListChange(
		'untranslatedChange',
		'Words Not to Translate',
		'words that are not translated',
		untranslated,
	),
	...createListChange('forcedChange', 'Fixed Translations', 'fixed translations', forced),
] as const;
