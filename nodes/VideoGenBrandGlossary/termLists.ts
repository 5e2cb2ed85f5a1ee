/**
 * Defines the form fields for the term lists of a brand glossary. Users enter each list either as
 * form rows or as JSON (service.md, Resources).
 */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { apiLimits } from '../apiLimits';
import type { Field } from '../core/form/field';
import { addSchemaIssue, createTextSchema, formatRange } from '../core/form/validation';
import { createInputFormatField } from '../fields/inputFormat';
import { createOpenObjectSchema } from '../fields/jsonSchemas';

/**
 * Adds a validation problem for each term that appears more than once in a list (ignoring case),
 * because the service rejects duplicates.
 */
function rejectDuplicates(
	entries: ReadonlyArray<{ term: string }>,
	context: z.RefinementCtx,
): void {
	const seen = new Set<string>();
	const reported = new Set<string>();
	for (const { term } of entries) {
		const key = term.toLowerCase();
		if (seen.has(key) && !reported.has(key)) {
			reported.add(key);
			addSchemaIssue(
				context,
				`has the term "${term}" more than once: terms must be unique, regardless of case`,
			);
		}
		seen.add(key);
	}
}

const termText = z.string().min(1);
const pronunciationEntry = z.object({ term: termText, pronunciation: termText });
const untranslatedEntry = z.object({ term: termText });
const forcedEntry = z.object({ term: termText, translation: termText });
/**
 * Schema for an entry of a pronunciation list that the user enters as JSON. Additional keys are
 * allowed, because the specification does not document the entry format.
 */
const pronunciationJsonEntry = createOpenObjectSchema({
	term: termText,
	pronunciation: termText.optional(),
});

const { name: glossaryName } = apiLimits['POST /v3/brand-glossaries'];

/**
 * Form field for a glossary's name. Leading and trailing spaces are removed, because the service
 * does not count them toward the maximum length.
 */
export const glossaryNameField = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Product names',
	description: `Name of the glossary, ${formatRange(glossaryName)} characters. It must be unique in the workspace.`,
	schema: z
		.string()
		.trim()
		.pipe(createTextSchema({ ...glossaryName, min: 0 }))
		.refine((trimmed) => trimmed !== '', 'must not be blank'),
} as const satisfies Field;

export const termListSourceField = {
	displayName: 'Specify Lists',
	name: 'listsFrom',
	...createInputFormatField(
		'Add the terms row by row',
		'Enter each list as JSON, for example from a spreadsheet',
	),
	description: 'How to enter the lists',
} as const satisfies Field;

const textColumn = { type: 'string', default: '', required: true } as const;

const term = {
	...textColumn,
	displayName: 'Term',
	name: 'term',
	placeholder: 'e.g. GIF',
	description: 'Written form of the word or phrase',
} as const satisfies Field;

/**
 * Creates the settings for a form field where users enter terms row by row. Each row contains a
 * term and the given additional fields.
 */
const createRowsField = (...columns: readonly Field[]) =>
	({
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		default: {},
		placeholder: 'Add Term',
		displayOptions: { show: { listsFrom: ['form'] } },
		options: [{ displayName: 'Term', name: 'entry', values: [term, ...columns] }],
		in: 'local',
	}) as const;

/** Settings for a form field where users enter a list of terms as JSON. */
const jsonListField = {
	type: 'json',
	default: '',
	displayOptions: { show: { listsFrom: ['json'] } },
	in: 'local',
} as const;

export const pronunciationFields = [
	{
		...createRowsField({
			...textColumn,
			displayName: 'Pronunciation',
			name: 'pronunciation',
			placeholder: 'e.g. jif',
			description: 'Term spelled the way it sounds',
		}),
		displayName: 'Pronunciations',
		name: 'terms',
		description: 'Pronunciations of words',
		schema: z.array(pronunciationEntry).superRefine(rejectDuplicates),
	},
	{
		...jsonListField,
		displayName: 'Pronunciations (JSON)',
		name: 'terms_json',
		placeholder: '[{ "term": "GIF", "pronunciation": "jif" }]',
		description:
			'Word pronunciations: a list of objects, each with term and pronunciation properties',
		schema: z.array(pronunciationJsonEntry).superRefine(rejectDuplicates),
	},
] as const satisfies readonly Field[];

export const untranslatedTermFields = [
	{
		...createRowsField(),
		displayName: 'Words Not to Translate',
		name: 'do_not_translate_terms',
		description: 'Words that stay the same in every language',
		schema: z.array(untranslatedEntry).superRefine(rejectDuplicates),
	},
	{
		...jsonListField,
		displayName: 'Words Not to Translate (JSON)',
		name: 'do_not_translate_terms_json',
		placeholder: '[{ "term": "Night Bus" }]',
		description:
			'Words that stay the same in every language: a list of objects, each with a term property',
		schema: z.array(createOpenObjectSchema(untranslatedEntry.shape)).superRefine(rejectDuplicates),
	},
] as const satisfies readonly Field[];

export const termTranslationFields = [
	{
		...createRowsField({
			...textColumn,
			displayName: 'Translation',
			name: 'translation',
			placeholder: 'e.g. Kasse',
			description: 'Translation to use, exactly as written here',
		}),
		displayName: 'Fixed Translations',
		name: 'forced_translations',
		description: 'Words with a fixed translation',
		schema: z.array(forcedEntry).superRefine(rejectDuplicates),
	},
	{
		...jsonListField,
		displayName: 'Fixed Translations (JSON)',
		name: 'forced_translations_json',
		placeholder: '[{ "term": "checkout", "translation": "Kasse" }]',
		description:
			'Words with a fixed translation: a list of objects, each with term and translation properties',
		schema: z.array(createOpenObjectSchema(forcedEntry.shape)).superRefine(rejectDuplicates),
	},
] as const satisfies readonly Field[];

/**
 * Returns a glossary's three term lists under their API names, whether the user entered them as
 * form rows or as JSON.
 */
export const readTermLists = (values: IDataObject) => ({
	terms: values.terms ?? values.terms_json,
	do_not_translate_terms: values.do_not_translate_terms ?? values.do_not_translate_terms_json,
	forced_translations: values.forced_translations ?? values.forced_translations_json,
});
