/** The three lists of a glossary, by rows of a form or by JSON (docs/service.md, Resources). */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { addProblem } from '../core/form/validation';
import type { Field } from '../core/form/field';
import { createInputFormat } from '../fields/inputFormat';
import { createOpenObject } from '../fields/jsonSchemas';

/** The service compares terms without case and refuses one that is there twice in a list. */
function rejectDuplicates(
	entries: ReadonlyArray<{ term: string }>,
	context: z.RefinementCtx,
): void {
	const seen = new Set<string>();
	const told = new Set<string>();
	for (const { term } of entries) {
		const folded = term.toLowerCase();
		if (seen.has(folded) && !told.has(folded)) {
			told.add(folded);
			addProblem(
				context,
				`has the term "${term}" more than once: each term may be there only once, in capitals or not`,
			);
		}
		seen.add(folded);
	}
}

const termText = z.string().min(1);
const pronunciationEntry = z.object({ term: termText, pronunciation: termText });
const untranslatedEntry = z.object({ term: termText });
const forcedEntry = z.object({ term: termText, translation: termText });
/** The specification does not show this entry: JSON may give it other keys. */
const openEntry = createOpenObject({ term: termText, pronunciation: termText.optional() });

/** The name; the service counts its characters without blanks around it. */
export const glossaryName = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Product names',
	description:
		'The name of the glossary, 1 to 64 characters. No two glossaries of a workspace have the same one.',
	schema: z
		.string()
		.trim()
		.max(64)
		.refine((trimmed) => trimmed !== '', 'holds nothing but blanks'),
} as const satisfies Field;

/** How the lists are given. */
export const termsFormat = {
	displayName: 'Lists From',
	name: 'listsFrom',
	...createInputFormat('Add row after row', 'Give each list as JSON, of a sheet for instance'),
	description: 'How the lists of terms are given',
} as const satisfies Field;

/** What stands in a row. */
const createColumn = { type: 'string', default: '', required: true } as const;

const term = {
	...createColumn,
	displayName: 'Term',
	name: 'term',
	placeholder: 'e.g. GIF',
	description: 'The word or words as they are written',
} as const satisfies Field;

/** A list as rows of the form: terms, and what is said of each. */
const createRowsField = (...said: readonly Field[]) =>
	({
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		default: {},
		placeholder: 'Add Term',
		displayOptions: { show: { listsFrom: ['form'] } },
		options: [{ displayName: 'Term', name: 'entry', values: [term, ...said] }],
		in: 'local',
	}) as const;

/** The same list as JSON. */
const createJsonField = {
	type: 'json',
	default: '',
	displayOptions: { show: { listsFrom: ['json'] } },
	in: 'local',
} as const;

export const terms = [
	{
		...createRowsField({
			...createColumn,
			displayName: 'Pronunciation',
			name: 'pronunciation',
			placeholder: 'e.g. jif',
			description: 'How it is spoken, written as it sounds',
		}),
		displayName: 'Pronunciations',
		name: 'terms',
		description: 'How words are spoken',
		schema: z.array(pronunciationEntry).superRefine(rejectDuplicates),
	},
	{
		...createJsonField,
		displayName: 'Pronunciations (JSON)',
		name: 'terms_json',
		placeholder: '[{ "term": "GIF", "pronunciation": "jif" }]',
		description: 'How words are spoken: a list of objects with term and pronunciation',
		schema: z.array(openEntry).superRefine(rejectDuplicates),
	},
] as const satisfies readonly Field[];

export const untranslated = [
	{
		...createRowsField(),
		displayName: 'Words Not to Translate',
		name: 'do_not_translate_terms',
		description: 'Words that stay as they are in every language',
		schema: z.array(untranslatedEntry).superRefine(rejectDuplicates),
	},
	{
		...createJsonField,
		displayName: 'Words Not to Translate (JSON)',
		name: 'do_not_translate_terms_json',
		placeholder: '[{ "term": "Night Bus" }]',
		description: 'Words that stay as they are in every language: a list of objects with term',
		schema: z.array(createOpenObject(untranslatedEntry.shape)).superRefine(rejectDuplicates),
	},
] as const satisfies readonly Field[];

export const forced = [
	{
		...createRowsField({
			...createColumn,
			displayName: 'Translation',
			name: 'translation',
			placeholder: 'e.g. Kasse',
			description: 'What stands in its place, exactly as written here',
		}),
		displayName: 'Fixed Translations',
		name: 'forced_translations',
		description: 'Words whose translation you decide',
		schema: z.array(forcedEntry).superRefine(rejectDuplicates),
	},
	{
		...createJsonField,
		displayName: 'Fixed Translations (JSON)',
		name: 'forced_translations_json',
		placeholder: '[{ "term": "checkout", "translation": "Kasse" }]',
		description: 'Words whose translation you decide: a list of objects with term and translation',
		schema: z.array(createOpenObject(forcedEntry.shape)).superRefine(rejectDuplicates),
	},
] as const satisfies readonly Field[];

/** The lists by the names of the API, whichever way they were given. */
export const readTermLists = (values: IDataObject) => ({
	terms: values.terms ?? values.terms_json,
	do_not_translate_terms: values.do_not_translate_terms ?? values.do_not_translate_terms_json,
	forced_translations: values.forced_translations ?? values.forced_translations_json,
});
