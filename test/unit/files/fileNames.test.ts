/** Names of downloaded files: readable, different, and accepted by every file system. */
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import {
	buildFileNameCandidates,
	storeUniquelyNamedFile,
	type FileNameInputs,
} from '../../../nodes/core/files/fileNames';

const mp4 = { mimeType: 'video/mp4', extension: 'mp4' };
const jpg = { mimeType: 'image/jpeg', extension: 'jpg' };

const namesOf = (parts: Partial<FileNameInputs>, type = mp4) =>
	buildFileNameCandidates({ id: 'v1', kind: 'video', isFirst: true, ...parts }, type);
const nameOf = (parts: Partial<FileNameInputs>, type = mp4) => namesOf(parts, type)[0];

describe('the parts of a name', () => {
	test.each<[string, Partial<FileNameInputs>, string]>([
		['title', { title: 'Welcome Anna' }, 'Welcome Anna.mp4'],
		['title and language', { title: 'Welcome Anna', language: 'de' }, 'Welcome Anna.de.mp4'],
		[
			'kind',
			{ title: 'Welcome', kind: 'captioned', includesKindInName: true },
			'Welcome.captioned.mp4',
		],
		['ID without a title', {}, 'v1.mp4'],
		['ID with a language', { language: 'German' }, 'v1.German.mp4'],
		['title with dots', { title: 'Dr. Anna v1.2' }, 'Dr. Anna v1.2.mp4'],
		['title that is a file name', { title: 'talk.MOV', language: 'de' }, 'talk.de.mp4'],
		['File Name', { title: 'Welcome', language: 'de', fileName: 'anna' }, 'anna.mp4'],
		['File Name with an extension', { fileName: 'anna.mp4' }, 'anna.mp4'],
		['File Name that ends like a language', { fileName: 'Anna.de' }, 'Anna.de.mp4'],
		['File Name with the extension of another type', { fileName: 'anna.webm' }, 'anna.mp4'],
		['File Name with another extension of the type', { fileName: 'anna.M4V' }, 'anna.m4v'],
		['File Name with a space after its extension', { fileName: 'anna.webm ' }, 'anna.mp4'],
		['title of one letter and an extension', { title: 'a.mov' }, 'a.mp4'],
		['title with another extension of the type', { title: 'talk.m4v' }, 'talk.m4v'],
		['title that is only a word like an extension', { title: 'mp4' }, 'mp4.mp4'],
		['title that is empty before its extension', { title: '/.m4v' }, 'v1.mp4'],
		['title that several results share', { title: 'Hi', isShared: true }, 'Hi.mp4'],
		['File Name that is empty when cleaned', { fileName: ' /./ ', title: 'Hi' }, 'Hi.mp4'],
	])('%s', (_, parts, name) => {
		expect(nameOf(parts)).toBe(name);
	});

	test('further files of an item have the File Name with their extension or kind', () => {
		const further = { fileName: 'anna.mp4', isFirst: false };
		expect(nameOf({ ...further, kind: 'thumbnail' }, jpg)).toBe('anna.jpg');
		expect(nameOf({ ...further, kind: 'captioned', includesKindInName: true })).toBe(
			'anna.captioned.mp4',
		);
	});

	test('equal names get the ID, a File Name gets the language first', () => {
		expect(namesOf({ title: 'Hi', language: 'de' })).toEqual([
			'Hi.de.mp4',
			'Hi.de.v1.mp4',
			'Hi.de.video.v1.mp4',
		]);
		expect(namesOf({ title: 'Hi', language: 'de', fileName: 'talk' })).toEqual([
			'talk.mp4',
			'talk.de.mp4',
			'talk.de.v1.mp4',
			'talk.de.video.v1.mp4',
		]);
	});

	test('a File Name gets the kind only if the extension does not show it, or for another file', () => {
		const captioned = { fileName: 'anna', kind: 'captioned', includesKindInName: true };
		expect(namesOf(captioned)).toStrictEqual([
			'anna.mp4',
			'anna.captioned.mp4',
			'anna.captioned.v1.mp4',
			'anna.captioned.v1.mp4',
		]);
		expect(nameOf({ ...captioned, isFirst: undefined })).toBe('anna.captioned.mp4');
		expect(namesOf({ fileName: 'anna', isShared: true })).toStrictEqual([
			'anna.v1.mp4',
			'anna.video.v1.mp4',
		]);
	});
});

describe('a title from anywhere', () => {
	test.each<[string, string, string]>([
		['path', '../../etc/passwd', 'etc passwd.mp4'],
		['Windows path', 'C:\\Videos\\a', 'C Videos a.mp4'],
		['characters that Windows rejects', 'Who? "A" <b>|c*: d', 'Who A b c d.mp4'],
		['leading dots', '..hidden', 'hidden.mp4'],
		['trailing dots and spaces', 'The end. . ', 'The end.mp4'],
		['lines', 'one\r\ntwo\tthree\u2028four', 'one two three four.mp4'],
		['control characters', 'a\u0000b\u001b[31mc\u007f', 'ab[31mc.mp4'],
		['direction marks', 'photo\u202Egpj\u200f.\u2066exe', 'photogpj.exe.mp4'],
		['an invisible BOM', '\ufeffHi\u200b', 'Hi.mp4'],
		['half an emoji', 'Hi \ud83d', 'Hi.mp4'],
		['a reserved name', 'CON', '_CON.mp4'],
		['a reserved name with a dot', 'aux.talk', '_aux.talk.mp4'],
		['a reserved number', 'com¹', '_com¹.mp4'],
		['a name that only begins like one', 'Console', 'Console.mp4'],
		['nothing visible', '\u202e \u200d..', 'v1.mp4'],
		['separate accents', 'Ame\u0301lie', 'Am\u00e9lie.mp4'],
		[
			'an emoji family',
			'Us \u{1F468}\u200d\u{1F469}\u200d\u{1F467}',
			'Us \u{1F468}\u200d\u{1F469}\u200d\u{1F467}.mp4',
		],
	])('%s', (_, title, name) => {
		expect(nameOf({ title })).toBe(name);
	});

	test('with a reserved language still gives a safe name', () => {
		expect(nameOf({ title: 'nul', language: '../de' })).toBe('_nul.de.mp4');
	});

	test.each([
		['letters', 'a'.repeat(5000)],
		['characters of three bytes', '長'.repeat(300)],
		['emoji of several code points', '👩🏽‍🚀'.repeat(100)],
		['one endless character', `a${'\u0301'.repeat(5000)}`],
	])('of many %s is cut between characters', (_, title) => {
		for (const name of namesOf({ title, language: 'x'.repeat(500), id: 'i'.repeat(500) })) {
			expect(Buffer.byteLength(name)).toBeLessThanOrEqual(143);
			expect(name).toMatch(/\.mp4$/);
			expect(name).not.toMatch(/\p{Cs}/u);
			expect(name.startsWith('.')).toBe(false);
		}
		const emoji = nameOf({ title }) ?? '';
		if (title.startsWith('👩')) expect(emoji).toMatch(/^(?:👩🏽‍🚀)+\.mp4$/u);
	});

	test('of many letters is cut to exactly 140 bytes', () => {
		expect(nameOf({ title: 'a'.repeat(200) })).toBe(`${'a'.repeat(136)}.mp4`);
		expect(nameOf({ title: 'a'.repeat(200), language: 'b'.repeat(31) })).toBe(
			`${'a'.repeat(105)}.${'b'.repeat(30)}.mp4`,
		);
	});

	test('that leaves no room for the language gives way to the ID', () => {
		const title = `a${'\u0301'.repeat(60)}`;
		expect(nameOf({ title })).toBe(`${title.normalize('NFC')}.mp4`);
		expect(nameOf({ title, language: 'b'.repeat(30) })).toBe(`v1.${'b'.repeat(30)}.mp4`);
	});

	test('counts as empty if nothing is usable in its first thousand characters', () => {
		expect(nameOf({ title: `${'/'.repeat(999)}Hi` })).toBe('H.mp4');
		expect(nameOf({ title: `${'/'.repeat(1000)}Hi` })).toBe('v1.mp4');
	});

	test('gives a name even if the ID is unusable', () => {
		expect(nameOf({ id: '/' })).toBe('file.mp4');
	});
});

describe('names of one run', () => {
	const createRun = () => ({
		helpers: {
			prepareBinaryData: async (_: unknown, fileName?: string, mimeType = '') =>
				({ data: '', mimeType, fileName }) satisfies IBinaryData,
		} as unknown as IExecuteFunctions['helpers'],
	});
	const store = async (run: ReturnType<typeof createRun>, parts: Partial<FileNameInputs>) => {
		const all = { id: 'v1', kind: 'video', isFirst: true, ...parts };
		return (await storeUniquelyNamedFile(run, Buffer.from('x'), all, mp4)).fileName;
	};
	const storeAll = async (...all: Array<Partial<FileNameInputs>>) => {
		const run = createRun();
		return await Promise.all(all.map(async (parts) => await store(run, parts)));
	};

	test('the first file keeps its name, later ones of the same name get their ID', async () => {
		expect(
			await storeAll(
				{ id: '1', title: 'Hi' },
				{ id: '2', title: 'hI' },
				{ id: '3', title: 'Ho' },
				{ id: '4', title: 'Hi' },
			),
		).toEqual(['Hi.mp4', 'hI.2.mp4', 'Ho.mp4', 'Hi.4.mp4']);
	});

	test('a name with an ID that another file has is avoided, too', async () => {
		expect(
			await storeAll(
				{ id: '1', title: 'Hi.2' },
				{ id: '3', title: 'Hi' },
				{ id: '2', title: 'Hi' },
			),
		).toEqual(['Hi.2.mp4', 'Hi.mp4', 'Hi.video.2.mp4']);
	});

	test('the language distinguishes results of one input item, without one the ID', async () => {
		const shared = { fileName: 'talk', isShared: true };
		expect(
			await storeAll(
				{ ...shared, id: '1', language: 'de' },
				{ ...shared, id: '2', language: 'fr' },
				{ ...shared, id: '3' },
				{ ...shared, id: '4' },
			),
		).toEqual(['talk.de.mp4', 'talk.fr.mp4', 'talk.3.mp4', 'talk.4.mp4']);
	});

	test('two kinds with one extension and one ID differ', async () => {
		expect(await storeAll({ kind: 'video' }, { kind: 'audio' })).toEqual([
			'v1.mp4',
			'v1.audio.mp4',
		]);
	});

	test('the same file has one name, also when its download is repeated', async () => {
		expect(await storeAll({ title: 'Hi' }, { title: 'Hi' })).toEqual(['Hi.mp4', 'Hi.mp4']);
	});

	test('if all names are taken, a file shares the longest one', async () => {
		expect(await storeAll({ id: 'a/b' }, { id: 'a:b' }, { id: 'a?b' })).toStrictEqual([
			'a b.mp4',
			'a b.video.mp4',
			'a b.video.mp4',
		]);
	});

	test('each run begins anew', async () => {
		expect(await store(createRun(), { id: '1', title: 'Hi' })).toBe('Hi.mp4');
		expect(await store(createRun(), { id: '2', title: 'Hi' })).toBe('Hi.mp4');
	});
});
