/** A text of any length, from a public form for example, is rejected before a pattern reads it. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';
import type { Field } from '../../../nodes/core/form/field';
import { readParameters } from '../../../nodes/core/form/readParameters';
import { createTextSchema } from '../../../nodes/core/form/validation';
import { parseBaseUrl } from '../../../nodes/core/http/credentials';
import { toUnixSeconds } from '../../../nodes/core/time';
import { speechTextField } from '../../../nodes/VideoGenSpeech/speechText';
import { toApiVariables } from '../../../nodes/VideoGenTemplate/templateVariables';
import { outputLanguagesField } from '../../../nodes/VideoGenTranslation/translation';

const read = (field: Field, value: unknown) =>
	readParameters(
		{ getNodeParameter: () => value } as unknown as Pick<IExecuteFunctions, 'getNodeParameter'>,
		[field],
		[],
		0,
	);

const createField = (type: Field['type'], schema?: z.ZodTypeAny): Field => ({
	displayName: 'Value',
	name: 'value',
	type,
	default: '',
	schema,
});

const convertPhoto = (photo: string) => {
	const template: IDataObject = { variables: { photo: { type: 'image' } } };
	return toApiVariables(template, { photo }).problems;
};

/** CPU time in milliseconds. Other processes of the machine do not count, unlike in elapsed time. */
function measureCpuTime(act: () => void): number {
	const before = process.cpuUsage();
	act();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

const characters = (limit: string, length: string) =>
	`must have at most ${limit} characters, but has ${length}`;

test.each<[string, () => unknown, unknown]>([
	[
		'a speech of unfinished break tags',
		() => read(speechTextField, '<break'.repeat(80_000)).problems,
		[`"Text" ${characters('5,000', '480,000')}`],
	],
	[
		'a break tag of spaces',
		() => read(speechTextField, `<break time=${' '.repeat(80_000)}>`).problems,
		[`"Text" ${characters('5,000', '80,013')}`],
	],
	[
		'a list of languages that has only commas',
		() => read(outputLanguagesField, ','.repeat(120_000)).problems,
		[expect.stringContaining('must have at least 1 entry')],
	],
	[
		'a list of languages with unclosed parentheses',
		() => read(outputLanguagesField, 'a(,'.repeat(40_000)).problems,
		['"Output Language Names or IDs" must have at most 1,000 entries'],
	],
	[
		'a template variable of spaces',
		() => convertPhoto(`asset:${' '.repeat(80_000)}\nx`),
		[`"Variables → photo" ${characters('10,000', '80,008')}`],
	],
	['a base URL of slashes', () => parseBaseUrl(`https://x${'/'.repeat(80_000)}y`), undefined],
	['a date of parentheses', () => toUnixSeconds('('.repeat(1_000_000)), undefined],
])('takes little CPU time: %s', (_, act, expected) => {
	let result: unknown;
	// These took 3 to 40 seconds.
	expect(measureCpuTime(() => (result = act()))).toBeLessThan(500);
	expect(result).toEqual(expected);
});

test('a rule that is added to a text does not see text of an invalid length', () => {
	const checkRule = jest.fn(() => true);
	const text = createTextSchema({ min: 2, max: 5 }).refine(checkRule);
	expect(text.safeParse('too long').success).toBe(false);
	expect(text.safeParse('x').success).toBe(false);
	expect(checkRule).not.toHaveBeenCalled();
	expect(text.safeParse('short').success).toBe(true);
	expect(checkRule).toHaveBeenCalledTimes(1);
});

test('a text without a limit of the service has at most a million characters', () => {
	const checkRule = jest.fn(() => true);
	const anyText = createField('string', z.string().refine(checkRule));
	const tooLong = [`"Value" ${characters('1,000,000', '1,000,001')}`];
	expect(read(anyText, 'x'.repeat(1_000_001)).problems).toEqual(tooLong);
	expect(checkRule).not.toHaveBeenCalled();
	expect(read(anyText, '😀'.repeat(1_000_000)).problems).toEqual([]);
	// A name in a list, and the value of a resource locator.
	expect(read(createField('multiOptions'), ['x'.repeat(1_000_001)]).problems).toEqual(tooLong);
	const locator = { __rl: true, mode: 'id', value: 'x'.repeat(1_000_001) };
	expect(read(createField('resourceLocator'), locator).problems).toEqual(tooLong);
});

test('JSON may contain a file, and at most 100 levels', () => {
	const json = createField('json', z.unknown());
	const data = 'x'.repeat(1_000_001);
	expect(read(json, { data })).toEqual({ values: { value: { data } }, problems: [] });
	expect(read(json, JSON.stringify({ data })).problems).toEqual([]);
	const nest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
	const tooDeep = ['"Value" must have at most 100 levels of objects and lists'];
	expect(read(json, nest(100)).problems).toEqual([]);
	expect(read(json, nest(101)).problems).toEqual(tooDeep);
	expect(read(json, JSON.parse(nest(100_000))).problems).toEqual(tooDeep);
	expect(read(json, `{"toJSON": ${nest(100_000)}}`).problems).toEqual(tooDeep);
	const cycle: IDataObject = {};
	cycle.self = cycle;
	expect(read(json, cycle).problems).toEqual(tooDeep);
});

test.each([
	['en, fr,, de ', ['en', 'fr', 'de']],
	['Chinese (Mandarin, Simplified), English', ['Chinese (Mandarin, Simplified)', 'English']],
	['["German", "a, b", 7]', ['German', 'a, b', '7']],
	['[German, French', ['[German', 'French']],
	['a (b, c', ['a (b', 'c']],
	['a, b), c', ['a, b)', 'c']],
	['a (b, (c, d), e', ['a (b', '(c, d)', 'e']],
])('names in a text are split at commas outside of parentheses: %s', (text, names) => {
	expect(read(createField('multiOptions'), text).values.value).toEqual(names);
});
