/** Event streams, file names and headers: what is read from texts, without n8n. */
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { readServerSentEvents, type ServerSentEvent } from '../../nodes/shared/serverSentEvents';
import { buildFileNameCandidates, type FileNameInputs } from '../../nodes/core/files/fileNames';
import { parseRetryAfterSeconds } from '../../nodes/core/http/reply';
import { property, WrongAcceptance } from './property';
import { texts, toPlainText, type Text, buildText } from './values';

/** Cuts bytes into chunks at any place, also inside a character. */
async function* cut(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
	const ends = [...new Set(cuts.map((one) => one % (bytes.length + 1)))].sort((a, b) => a - b);
	let from = 0;
	for (const end of [...ends, bytes.length]) {
		yield bytes.subarray(from, end);
		from = end;
	}
}

async function readEvents(text: string, cuts: readonly number[]): Promise<ServerSentEvent[]> {
	const events: ServerSentEvent[] = [];
	for await (const event of readServerSentEvents(Readable.from(cut(Buffer.from(text), cuts))))
		events.push(event);
	return events;
}

const cuts = fc.array(fc.nat(), { maxLength: 8 });
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');

/** A line of text without line breaks and without a byte order mark. */
const line = fc
	.string({ unit: 'grapheme', maxLength: 20 })
	.map((text) => text.replace(/[\r\n\ufeff]/g, ''));

const streamed = fc.record({
	event: fc.option(
		line.filter((text) => text !== ''),
		{ nil: undefined },
	),
	data: fc.array(line, { minLength: 1, maxLength: 4 }),
	comment: fc.option(line, { nil: undefined }),
	end: lineEnd,
	space: fc.constantFrom('', ' '),
});

property({
	name: 'Event streams, every event of the HTML standard is read, wherever its bytes are cut',
	inputs: 8_000,
	arbitrary: fc.record({ events: fc.array(streamed, { maxLength: 6 }), cuts, mark: fc.boolean() }),
	check: async ({ events, cuts: places, mark }) => {
		// A leading space of a value is dropped once, so a value that begins with one gets another.
		const field = (name: string, value: string, space: string) =>
			`${name}:${value.startsWith(' ') ? ' ' : space}${value}`;
		const text = events
			.map(({ event, data, comment, end, space }) =>
				[
					...(comment === undefined ? [] : [`:${comment}`]),
					...(event === undefined ? [] : [field('event', event, space)]),
					...data.map((value) => field('data', value, space)),
					'id: 7',
					'',
					'',
				].join(end),
			)
			.join('');
		const expected = events.map(({ event, data }) => ({
			event: event ?? 'message',
			data: data.join('\n'),
			ended: true,
		}));
		const actual = await readEvents(`${mark ? '\ufeff' : ''}${text}`, places);
		if (JSON.stringify(actual) !== JSON.stringify(expected)) {
			throw new WrongAcceptance(`read ${JSON.stringify(actual)}`);
		}
	},
});

property<{ text: Text; cuts: number[] }>({
	name: 'Event streams, any bytes end without a crash, in linear time',
	inputs: 4_000,
	arbitrary: fc.record({ text: texts, cuts }),
	// As many lines as a text of this size can have.
	control: ({ text, cuts: places }) => ({
		text: { repeat: '\n', times: buildText(text).length, before: '', after: '' },
		cuts: places,
	}),
	check: async ({ text, cuts: places }) => void (await readEvents(buildText(text), places)),
});

const maybeText = fc.option(texts, { nil: undefined });
type Named = Record<'title' | 'language' | 'fileName', Text | undefined> & {
	id: Text;
	flags: boolean[];
};

/** Device names of Windows, whatever extension follows. */
const isReserved = (name: string) =>
	/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i.test((name.split('.')[0] ?? '').trimEnd());

/** Why a file system rejects a name, or hides something in it. */
function findNameProblem(name: string): string | undefined {
	if (name === '') return 'is empty';
	if (/[\\/:*?"<>|]/.test(name)) return 'has a separator or a character that Windows rejects';
	const characters = [...name].map((one) => one.codePointAt(0) ?? 0);
	if (characters.some((code) => code < 32 || code === 127)) return 'has a control character';
	if (characters.some((code) => code >= 0xd800 && code < 0xe000)) return 'has half a character';
	if (/[\u202a-\u202e\u2066-\u2069]/.test(name)) return 'changes the direction of text';
	if (/^[.\s~]|[.\s]$/.test(name)) return 'begins or ends with a dot or a space';
	if (Buffer.byteLength(name) > 255) return 'is longer than 255 bytes';
	return isReserved(name) ? 'is a device of Windows' : undefined;
}

property<Named>({
	name: 'File names, every name is accepted by every file system and keeps its extension',
	inputs: 12_000,
	arbitrary: fc.record({
		id: texts,
		title: maybeText,
		language: maybeText,
		fileName: maybeText,
		flags: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
	}),
	control: (named) => ({
		...named,
		id: toPlainText(named.id),
		title: named.title && toPlainText(named.title),
		language: named.language && toPlainText(named.language),
		fileName: named.fileName && toPlainText(named.fileName),
	}),
	check: ({ id, title, language, fileName, flags }) => {
		const [includesKindInName, isFirst, isShared] = flags;
		const parts: FileNameInputs = {
			id: buildText(id),
			kind: 'captioned',
			title: title && buildText(title),
			language: language && buildText(language),
			fileName: fileName && buildText(fileName),
			...{ includesKindInName, isFirst, isShared },
		};
		const names = buildFileNameCandidates(parts, { extension: 'mp4', mimeType: 'video/mp4' });
		for (const name of names) {
			const problem = findNameProblem(name);
			if (problem) throw new WrongAcceptance(`${JSON.stringify(name)} ${problem}`);
			if (!/\.(mp4|m4v)$/.test(name)) throw new WrongAcceptance(`${name} has another extension`);
		}
	},
});

property<Text>({
	name: 'Retry-After, any header is a duration or ignored',
	inputs: 3_000,
	arbitrary: texts,
	control: toPlainText,
	check: (text) => {
		const seconds = parseRetryAfterSeconds(buildText(text), 1_800_000_000_000);
		if (seconds !== undefined && !(seconds >= 0 && Number.isFinite(seconds))) {
			throw new WrongAcceptance(`is ${seconds} seconds`);
		}
	},
});
