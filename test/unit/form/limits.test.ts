/**
 * The schema of a field defines its limits. If the description or `typeOptions` repeats a limit, it
 * must be the same one.
 */
import { loadOperations } from '../../../tools/nodes';
import { readBounds, type Bounds } from '../../integration/support/bounds';
import {
	getNonOptionFields,
	getOptionFields,
	getSchema,
	type Field,
	type FixedCollectionGroup,
} from '../../integration/support/core';

interface Said {
	words: string;
	min?: number;
	max?: number;
}

const amount = String.raw`(-?\d[\d,]*(?:\.\d+)?|one|two|three|four|five|ten)`;
const forms: Array<[RegExp, (first: number, second: number) => Omit<Said, 'words'>]> = [
	[new RegExp(`${amount} to ${amount}`, 'gi'), (min, max) => ({ min, max })],
	[new RegExp(`(?:at most|up to|no more than) ${amount}`, 'gi'), (max) => ({ max })],
	[
		new RegExp(String.raw`(?:at least|more than|from) ${amount}(?![\d.,]*\d| to )`, 'gi'),
		(min) => ({ min }),
	],
	[new RegExp(`${amount}(?: seconds)? or (?:more|higher|later)`, 'gi'), (min) => ({ min })],
];
const words = ['zero', 'one', 'two', 'three', 'four', 'five', '', '', '', '', 'ten'];
const numberOf = (text = '') =>
	words.includes(text.toLowerCase())
		? words.indexOf(text.toLowerCase())
		: Number(text.replaceAll(',', ''));

/** What follows a number that is not a limit of this kind of value. */
const elsewhere: Partial<Record<Bounds['kind'], RegExp>> = {
	string: /^(?! characters)/,
	array: /^(?::\d| ?[KMG]i?B\b| (?:seconds|minutes|hours|bytes|characters|pixels)\b)/,
};

/** The limits in a description: in its first sentence, outside of parentheses. */
function saidIn(description: string, kind: Bounds['kind']): Said[] {
	const [sentence = ''] = description.replace(/ ?\([^)]*\)/g, '').split(/\.(?: |$)/);
	return forms
		.flatMap(([form, limits]) => [...sentence.matchAll(form)].map((match) => ({ match, limits })))
		.filter(({ match: { 0: text, index } }) => {
			const after = sentence.slice(index + text.length);
			return (
				!elsewhere[kind]?.test(after) &&
				!/\b(beside|next to|in addition to|with|no) $/.test(sentence.slice(0, index))
			);
		})
		.sort((a, b) => a.match.index - b.match.index)
		.map(({ match, limits }) => ({
			words: match[0],
			...limits(numberOf(match[1]), numberOf(match[2])),
		}));
}

/** Sentences about the limits of a field that contradict its schema. */
function contradictions(field: Field): { wrong: string[]; compared: number } {
	const bounds = readBounds(getSchema(field));
	const wrong: string[] = [];
	let compared = 0;
	if (!['string', 'number', 'array'].includes(bounds.kind)) return { wrong, compared };
	// An empty text is never sent.
	const own = { min: bounds.min ?? (bounds.kind === 'string' ? 1 : undefined), max: bounds.max };
	const allows = `the schema allows ${own.min ?? 'any'}${bounds.isExclusive ? ' (itself not)' : ''} to ${own.max ?? 'any'}`;

	const said = saidIn(field.description ?? '', bounds.kind);
	for (const end of ['min', 'max'] as const) {
		// Only the first limit is about the value itself, later ones are about its parts.
		const first = said.find((one) => one[end] !== undefined);
		if (!first) continue;
		compared++;
		if (first[end] !== own[end]) {
			wrong.push(
				`${allows}, but the description says "${first.words}": change the one that differs from simulator/openapi.yaml`,
			);
		}
	}

	const step = 10 ** -(field.typeOptions?.numberPrecision ?? 0);
	for (const [end, key] of [
		['min', 'minValue'],
		['max', 'maxValue'],
	] as const) {
		const given = field.typeOptions?.[key];
		if (given === undefined) continue;
		compared++;
		const nextTo = end === 'min' && bounds.isExclusive && given === (own.min ?? NaN) + step;
		if (given !== own[end] && !nextTo) {
			wrong.push(
				`${allows}, but typeOptions.${key} is ${given}: make it the same as in the schema, or remove it`,
			);
		}
	}
	return { wrong, compared };
}

/** A field and all fields inside it, each with its path. */
function within(place: string, field: Field): Array<[string, Field]> {
	const here = `${place} → ${field.displayName} (${field.name})`;
	const inner = ['collection', 'fixedCollection'].includes(field.type)
		? (field.options as ReadonlyArray<Field | FixedCollectionGroup>)
		: [];
	return [
		[here, field],
		...inner.flatMap((one) =>
			('values' in one ? one.values : [one]).flatMap((child) => within(here, child)),
		),
	];
}

const rows = loadOperations();
const withOperations = [...new Set(rows.map(({ folder }) => folder))];

const fieldsOf = (node: string): Array<[string, Field]> =>
	rows
		.filter(({ folder }) => folder === node)
		.flatMap(({ operation }) =>
			[...getNonOptionFields(operation), ...getOptionFields(operation)].flatMap((field) =>
				within(`${node}, ${operation.name}`, field),
			),
		);

test.each(withOperations)('%s states the same limits everywhere', (node) => {
	const wrong = fieldsOf(node).flatMap(([place, field]) =>
		contradictions(field).wrong.map((what) => `${place}: ${what}`),
	);
	expect([...new Set(wrong)]).toEqual([]);
});

test.each(withOperations)('every field of %s has a schema', (node) => {
	const open = fieldsOf(node).flatMap(([place, field]) =>
		field.type === 'notice' || getSchema(field)
			? []
			: [`Give a schema to ${place}: only for texts and booleans does the type say enough`],
	);
	expect([...new Set(open)]).toEqual([]);
});

test('the limits in descriptions are found', () => {
	const all = withOperations.flatMap(fieldsOf);
	const compared = all.reduce((sum, [, field]) => sum + contradictions(field).compared, 0);
	// Only limits in descriptions: those of the form come from the schemas.
	expect(compared).toBeGreaterThan(400);
});

test.each<[Bounds['kind'], string, Array<Omit<Said, 'words'>>]>([
	['string', 'The name, 1 to 10,000 characters', [{ min: 1, max: 10_000 }]],
	['string', 'The words, 1 to 50 characters and at least 1 second', [{ min: 1, max: 50 }]],
	['number', 'Higher or lower, -50 to 1.5', [{ min: -50, max: 1.5 }]],
	['number', 'Opacity, from 0 (invisible) to 1 (solid)', [{ min: 0, max: 1 }]],
	['number', 'How long a picture is shown, up to 300 seconds', [{ max: 300 }]],
	['number', 'Where it ends; must be more than 0 and after the start', [{ min: 0 }]],
	['number', 'The version, 1 or higher; without it the latest', [{ min: 1 }]],
	['number', 'Where it begins, 0 seconds or later', [{ min: 0 }]],
	['number', 'How long to wait. Later looks are up to 30 seconds apart.', []],
	['number', 'Which matches: 0 the first ones, 1 the next ones', []],
	['array', 'The looks that appear, one to three', [{ min: 1, max: 3 }]],
	['array', 'Files, at most 20: PNG or PDF of up to 32 MB each', [{ max: 20 }]],
	['array', 'Pictures (at most 9) and films (at most 3) to follow', []],
	['array', 'Sound, at most 3, beside at least one picture', [{ max: 3 }]],
])('the limits of a field of the kind %s are read from "%s"', (kind, description, limits) => {
	expect(saidIn(description, kind).map(({ words: _, ...said }) => said)).toEqual(limits);
});
