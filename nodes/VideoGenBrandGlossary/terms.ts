/** The three lists of a glossary, by rows of a form or by JSON (docs/service.md, Resources). */
import { z } from 'zod';
import { addComplaint } from '../core/form/complaints';
import type { Field } from '../core/form/field';
import { formOrJson } from '../fields/formOrJson';
import { openObject } from '../fields/json';

/** The service compares terms without case and refuses one that is there twice in a list. */
function once(entries: ReadonlyArray<{ term: string }>, context: z.RefinementCtx): void {
	const seen = new Set<string>();
	const told = new Set<string>();
	for (const { term } of entries) {
		const folded = term.toLowerCase();
		if (seen.has(folded) && !told.has(folded)) {
			told.add(folded);
			addComplaint(
				context,
				`has the term "${term}" more than once: each term may be there only once, in capitals or not`,
			);
		}
		seen.add(folded);
	}
}

const text = z.string().min(1);
const spoken = z.object({ term: text, pronunciation: text });
const kept = z.object({ term: text });
const translated = z.object({ term: text, translation: text });
/** The specification does not show this entry: JSON may give it other keys. */
const open = openObject({ term: text, pronunciation: text.optional() });

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
export const listsFrom = {
	displayName: 'Lists From',
	name: 'listsFrom',
	...formOrJson('Add row after row', 'Give each list as JSON, of a sheet for instance'),
	description: 'How the lists of terms are given',
} as const satisfies Field;

const term = {
	displayName: 'Term',
	name: 'term',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. GIF',
	description: 'The word or words as they are written',
	schema: text,
} as const satisfies Field;

export const terms = {
	displayName: 'Pronunciations',
	name: 'terms',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	default: {},
	placeholder: 'Add Term',
	displayOptions: { show: { listsFrom: ['form'] } },
	description: 'How words are spoken',
	options: [
		{
			displayName: 'Term',
			name: 'entry',
			values: [
				term,
				{
					displayName: 'Pronunciation',
					name: 'pronunciation',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. jif',
					description: 'How it is spoken, written as it sounds',
					schema: text,
				},
			],
		},
	],
	schema: z.array(spoken).superRefine(once),
	in: 'local',
} as const satisfies Field;

export const termsJson = {
	displayName: 'Pronunciations (JSON)',
	name: 'terms_json',
	type: 'json',
	default: '',
	placeholder: '[{ "term": "GIF", "pronunciation": "jif" }]',
	displayOptions: { show: { listsFrom: ['json'] } },
	description: 'How words are spoken: a list of objects with term and pronunciation',
	schema: z.array(open).superRefine(once),
	in: 'local',
} as const satisfies Field;

export const untranslated = {
	displayName: 'Words Not to Translate',
	name: 'do_not_translate_terms',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	default: {},
	placeholder: 'Add Term',
	displayOptions: { show: { listsFrom: ['form'] } },
	description: 'Words that stay as they are in every language',
	options: [{ displayName: 'Term', name: 'entry', values: [term] }],
	schema: z.array(kept).superRefine(once),
	in: 'local',
} as const satisfies Field;

export const untranslatedJson = {
	displayName: 'Words Not to Translate (JSON)',
	name: 'do_not_translate_terms_json',
	type: 'json',
	default: '',
	placeholder: '[{ "term": "Night Bus" }]',
	displayOptions: { show: { listsFrom: ['json'] } },
	description: 'Words that stay as they are in every language: a list of objects with term',
	schema: z.array(openObject(kept.shape)).superRefine(once),
	in: 'local',
} as const satisfies Field;

export const forced = {
	displayName: 'Fixed Translations',
	name: 'forced_translations',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	default: {},
	placeholder: 'Add Term',
	displayOptions: { show: { listsFrom: ['form'] } },
	description: 'Words whose translation you decide',
	options: [
		{
			displayName: 'Term',
			name: 'entry',
			values: [
				term,
				{
					displayName: 'Translation',
					name: 'translation',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. Kasse',
					description: 'What stands in its place, exactly as written here',
					schema: text,
				},
			],
		},
	],
	schema: z.array(translated).superRefine(once),
	in: 'local',
} as const satisfies Field;

export const forcedJson = {
	displayName: 'Fixed Translations (JSON)',
	name: 'forced_translations_json',
	type: 'json',
	default: '',
	placeholder: '[{ "term": "checkout", "translation": "Kasse" }]',
	displayOptions: { show: { listsFrom: ['json'] } },
	description: 'Words whose translation you decide: a list of objects with term and translation',
	schema: z.array(openObject(translated.shape)).superRefine(once),
	in: 'local',
} as const satisfies Field;
