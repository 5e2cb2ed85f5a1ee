/** References to binary fields in form values: which there are, which lack a file, and their upload. */
import {
	describeMissingFiles,
	findBinaryInputs,
	uploadBinaryInputs,
	type BinaryInput,
} from '../../../nodes/core/files/binaryInputs';

const talk: BinaryInput = { type: 'binary', field: 'talk' };
const logo: BinaryInput = { type: 'binary', field: 'logo', item: 2, as: 'id' };

/** A form whose values refer to two files, and contain others that only look like references. */
const form = {
	title: 'Hi',
	count: 3,
	nothing: null,
	missing: undefined,
	video: talk,
	scenes: [{ logo }, 'text', { type: 'url', field: 'talk' }, { type: 'binary', field: 7 }],
};

test.each<[string, unknown, BinaryInput[]]>([
	['a reference', talk, [talk]],
	['a form', form, [talk, logo]],
	['a reference inside an object of its type', { type: 'binary', field: logo }, [logo]],
	['a text', 'talk', []],
	['no value', null, []],
])('all references are found in %s', (_, value, references) => {
	expect(findBinaryInputs(value)).toStrictEqual(references);
});

describe('the message about a missing file', () => {
	const file = { data: 'eA==', mimeType: 'image/png' };
	const createFiles = (count: number) =>
		Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, file]));
	const listed = '"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9"';

	test.each([
		['that it has none', undefined, undefined, 'it has no files'],
		['that it has none, without the hint', { other: undefined as never }, '!', 'it has no files'],
		['its only one', { ...createFiles(1), talk: undefined as never }, undefined, '"f0"'],
		['the hint', createFiles(2), '; enter * for all', '"f0", "f1"; enter * for all'],
		['up to ten of them', createFiles(10), undefined, listed],
		['only ten of eleven', createFiles(11), '!', `${listed} and others!`],
	])('names the fields of the item: %s', (_, binary, hint, list) => {
		const existing = list.startsWith('"') ? `its binary fields are ${list}` : list;
		expect(describeMissingFiles({ ...talk, hint }, binary)).toStrictEqual([
			`The item has no file in the binary field "talk": ${existing}`,
		]);
	});

	test('is omitted for each file that exists', () => {
		expect(describeMissingFiles(form, { talk: file })).toStrictEqual([
			'The item has no file in the binary field "logo": its binary fields are "talk"',
		]);
		expect(describeMissingFiles(form, { talk: file, logo: file })).toStrictEqual([]);
	});
});

test('an upload replaces each reference with its asset, or with the ID alone', async () => {
	const uploaded: BinaryInput[] = [];
	const upload = async (input: BinaryInput) => {
		uploaded.push(input);
		return await Promise.resolve(`asset of ${input.field}`);
	};
	const { scenes, ...others } = form;
	expect(await uploadBinaryInputs(form, upload)).toStrictEqual({
		...others,
		video: { type: 'asset_id', asset_id: 'asset of talk' },
		scenes: [{ logo: 'asset of logo' }, ...scenes.slice(1)],
	});
	expect(uploaded).toStrictEqual([talk, logo]);
	expect(await uploadBinaryInputs(logo, upload)).toBe('asset of logo');
});
