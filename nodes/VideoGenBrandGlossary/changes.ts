/** What an update does with each list: what is not sent stays, an empty list clears. */
import type { Field } from '../core/form/field';
import { changeChoice } from '../fields/change';
import { forced, listsFrom, terms, untranslated } from './terms';

const change = changeChoice(
	'The list is empty afterwards',
	'The list stays as it is',
	'The whole list is the one given below',
);

const termsChange = {
	...change,
	displayName: 'Change Pronunciations',
	name: 'termsChange',
	description: 'What becomes of the list of pronunciations',
} as const satisfies Field;

const untranslatedChange = {
	...change,
	displayName: 'Change Words Not to Translate',
	name: 'untranslatedChange',
	description: 'What becomes of the list of words that are not translated',
} as const satisfies Field;

const forcedChange = {
	...change,
	displayName: 'Change Fixed Translations',
	name: 'forcedChange',
	description: 'What becomes of the list of fixed translations',
} as const satisfies Field;

/** A list, asked for only where it is replaced. */
const replaced = <F extends Field>(list: readonly F[], by: Field) =>
	list.map((field) => ({
		...field,
		displayOptions: { show: { ...field.displayOptions?.show, [by.name]: ['replace'] } },
	}));

export const changes = [
	listsFrom,
	termsChange,
	...replaced(terms, termsChange),
	untranslatedChange,
	...replaced(untranslated, untranslatedChange),
	forcedChange,
	...replaced(forced, forcedChange),
] as const;
