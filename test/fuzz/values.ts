/** Values that a field of a form may get from an expression: any JSON, hostile or large. */
import fc from 'fast-check';
import type { GenericValue } from 'n8n-workflow';

/**
 * Recipe of a value. Large values are generated as recipes, so that a failing input can be shown in
 * one line and made smaller.
 */
export type Recipe =
	| { json: unknown }
	| { repeat: string; times: number; before: string; after: string }
	| { nest: 'list' | 'object'; depth: number }
	/** The current value of the field, in which one part is replaced. */
	| { part: number; with: Recipe };

/** Pieces of the syntaxes that our code reads. */
const pieces = [
	...[
		'a',
		' ',
		'\n',
		'\t',
		',',
		'(',
		')',
		':',
		'/',
		'\\',
		'"',
		"'",
		'=',
		'.',
		'%',
		'@',
		'-',
		'_',
		'0',
	],
	...[
		'<',
		'<break',
		'<break ',
		'<break time=',
		'<break time="1s"/>',
		'{',
		'{{',
		'${',
		'[',
		'[[',
		'{"a":',
	],
	...[
		'http://',
		'https://a/',
		'//',
		'../',
		'&',
		'?',
		'#',
		'\0',
		'\u200d',
		'\ud800',
		'😀',
		'é',
		'a:',
	],
	...['a,', '(,', 'a: b\n', ' :', '1', '1e', ';', '|', '*', '+', '~', '\r\n', '\u2028'],
];

/** Objects with keys that have a meaning for JavaScript, n8n or zod. */
const hostile = fc.oneof(
	fc
		.tuple(
			fc.constantFrom(
				...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'toJSON', 'then'],
				...['length', '__rl', 'mode', 'value', 'type', 'json', 'binary', 'error', 'hasOwnProperty'],
			),
			fc.jsonValue({ maxDepth: 2 }),
		)
		// A literal would set the prototype instead of the key.
		.map(
			([key, value]) => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`) as unknown,
		),
	fc.record({
		__rl: fc.constant(true),
		mode: fc.oneof(fc.constantFrom('id', 'url', 'list', 'binary', 'name'), fc.jsonValue()),
		value: fc.jsonValue(),
	}),
	fc.constantFrom<unknown>('__proto__', 'constructor', 'toString', 'null', 'undefined', 'NaN'),
);

const scalars = fc.oneof(
	fc.constantFrom<unknown>(null, true, false, '', ' ', 0, -1, 1e308, -1e308, 5e-324, 2 ** 53, 0.1),
	fc.integer(),
	fc.double({ noNaN: true, noDefaultInfinity: true }),
	fc.integer().map(String),
	fc.string({ unit: 'binary', maxLength: 40 }),
	fc.webUrl(),
	fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);

const json = fc.oneof(
	{ weight: 4, arbitrary: scalars },
	{ weight: 3, arbitrary: fc.jsonValue() },
	{ weight: 2, arbitrary: hostile },
	// Text of JSON fields.
	{ weight: 2, arbitrary: fc.json() },
);

/** Sizes around the limits of the service, and up to 1 MB. */
const smallTimes = fc.oneof(
	fc.integer({ min: 1, max: 300 }),
	fc.constantFrom(255, 256, 257, 999, 1000, 1001, 4999, 5000, 5001, 9999, 10_000, 10_001),
);
const largeBytes = fc.integer({ min: 50_000, max: 1_000_000 });

const repeats = (size: fc.Arbitrary<number>, isBytes: boolean): fc.Arbitrary<Recipe> =>
	fc
		.record({
			repeat: fc.oneof(fc.constantFrom(...pieces), fc.string({ minLength: 1, maxLength: 4 })),
			times: size,
			before: fc.oneof(fc.constant(''), fc.constantFrom(...pieces)),
			after: fc.oneof(fc.constant(''), fc.constantFrom(...pieces)),
		})
		.map((one) =>
			isBytes ? { ...one, times: Math.ceil(one.times / Buffer.byteLength(one.repeat)) } : one,
		);

const plain = json.map((value): Recipe => ({ json: value }));

export const recipes: fc.Arbitrary<Recipe> = fc.oneof(
	{ weight: 60, arbitrary: plain },
	{
		weight: 20,
		arbitrary: fc.record({ part: fc.nat(1000), with: fc.oneof(plain, repeats(smallTimes, false)) }),
	},
	{ weight: 14, arbitrary: repeats(smallTimes, false) },
	{ weight: 4, arbitrary: repeats(largeBytes, true) },
	{
		weight: 2,
		arbitrary: fc.record({
			nest: fc.constantFrom<'list' | 'object'>('list', 'object'),
			depth: fc.integer({ min: 10, max: 400 }),
		}),
	},
);

/** Recipe of a text. */
export type Text = { json: string } | Extract<Recipe, { repeat: string }>;

/** Texts of all sizes up to 1 MB, most of them short. */
export const texts: fc.Arbitrary<Text> = fc.oneof(
	{
		weight: 50,
		arbitrary: fc
			.oneof(
				fc.string({ unit: 'binary', maxLength: 60 }),
				fc.string({ unit: fc.constantFrom(...pieces), maxLength: 12 }),
				fc.constantFrom(
					'CON',
					'nul.txt',
					'com1',
					'..',
					'.',
					'',
					'~',
					'a.mp4',
					'x.exe',
					'\u202egpj.exe',
				),
				fc.integer().map(String),
				fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
			)
			.map((value) => ({ json: value })),
	},
	{ weight: 20, arbitrary: repeats(smallTimes, false) as fc.Arbitrary<Text> },
	{ weight: 1, arbitrary: repeats(largeBytes, true) as fc.Arbitrary<Text> },
);

export const buildText = (text: Text) => String(buildValue(text, undefined));

/** A plain text of the same size. */
export const toPlainText = (text: Text) =>
	({ repeat: 'a', times: buildText(text).length, before: '', after: '' }) satisfies Text;

type Path = ReadonlyArray<string | number>;

/** The paths of all parts of a value. */
function listPaths(value: unknown, path: Path = []): Path[] {
	if (value === null || typeof value !== 'object') return [path];
	return [
		path,
		...Object.entries(value).flatMap(([key, entry]) => listPaths(entry, [...path, key])),
	];
}

/** A copy of a value in which one part is replaced. */
function replacePart(value: unknown, [key, ...rest]: Path, part: unknown): unknown {
	if (key === undefined) return part;
	const copy = structuredClone(value) as Record<string | number, unknown>;
	copy[key] = replacePart(copy[key], rest, part);
	return copy;
}

/** Builds the value of a recipe. */
export function buildValue(recipe: Recipe, current: unknown): GenericValue {
	if ('json' in recipe) return recipe.json as GenericValue;
	if ('repeat' in recipe) {
		return recipe.before + recipe.repeat.repeat(recipe.times) + recipe.after;
	}
	if ('nest' in recipe) {
		let value: unknown = 0;
		for (let i = 0; i < recipe.depth; i++) value = recipe.nest === 'list' ? [value] : { a: value };
		return value as GenericValue;
	}
	const isText = typeof current === 'string' && /^\s*[[{]/.test(current);
	const parsed: unknown = isText ? JSON.parse(current) : current;
	const paths = listPaths(parsed);
	const path = paths[recipe.part % paths.length] ?? [];
	const changed = replacePart(parsed, path, buildValue(recipe.with, undefined));
	return (isText ? JSON.stringify(changed) : changed) as GenericValue;
}

/** A plain recipe whose value has the same size. */
export function toPlain(recipe: Recipe): Recipe {
	if ('repeat' in recipe) {
		const { before, repeat, times, after } = recipe;
		const length = before.length + repeat.length * times + after.length;
		return { repeat: 'a', times: length, before: '', after: '' };
	}
	return 'part' in recipe ? { ...recipe, with: toPlain(recipe.with) } : recipe;
}
