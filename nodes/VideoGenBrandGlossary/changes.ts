/** What an update does with each list: what is not sent stays, an empty list clears. */
import type { Field } from '../core/form/field';
import { changeChoice } from '../fields/change';
import {
	forced,
	forcedJson,
	listsFrom,
	terms,
	termsJson,
	untranslated,
	untranslatedJson,
} from './terms';

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

const inForm = { listsFrom: ['form'] } as const;
const inJson = { listsFrom: ['json'] } as const;

/** Each list is asked for only where it is replaced. */
export const changes = [
	listsFrom,
	termsChange,
	{ ...terms, displayOptions: { show: { ...inForm, termsChange: ['replace'] } } },
	{ ...termsJson, displayOptions: { show: { ...inJson, termsChange: ['replace'] } } },
	untranslatedChange,
	{ ...untranslated, displayOptions: { show: { ...inForm, untranslatedChange: ['replace'] } } },
	{ ...untranslatedJson, displayOptions: { show: { ...inJson, untranslatedChange: ['replace'] } } },
	forcedChange,
	{ ...forced, displayOptions: { show: { ...inForm, forcedChange: ['replace'] } } },
	{ ...forcedJson, displayOptions: { show: { ...inJson, forcedChange: ['replace'] } } },
] as const;
