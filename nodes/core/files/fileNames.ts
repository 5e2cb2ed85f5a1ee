/**
 * Names downloaded files so that people recognize them and every file system accepts them.
 *
 * A name consists of the title, the language, the kind and the extension, such as `Welcome
 * Anna.de.mp4` or `Welcome Anna.captioned.mp4`. The rules:
 * - If there is no title, the name begins with the ID.
 * - The kind is included only if the extension does not show it.
 * - If another file of the run already has the name, the ID is added before the extension.
 * - If the user sets File Name, it replaces the title. If an item has one result, its first file
 *   gets exactly this name, without the kind. If an item has several results, all file names
 *   include the language or, if there is none, the ID.
 * - The extension always matches the content of the file.
 * - Characters that a file system rejects become spaces. Invisible characters are removed, and so
 *   are dots and spaces at both ends. Long titles are shortened.
 */
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { getMediaTypeOfExtension, type FileType } from './fileType';

/** Parts of a file name. They may contain characters that a file system rejects. */
export interface FileNameInputs {
	id: string;
	/** Kind of file, such as `captioned`. Distinguishes files that share an ID. */
	kind: string;
	/** Whether the name includes the kind, because other files of the job have the same extension. */
	includesKindInName?: boolean;
	title?: string;
	language?: string;
	fileName?: string;
	/** Whether this is the item's first file, which gets exactly the user's file name. */
	isFirst?: boolean;
	/** Whether several results, such as the clips of a video, share the user's file name. */
	isShared?: boolean;
}

/** Maximum bytes of a file name. Most file systems allow 255, eCryptfs folders only 143. */
const maxNameBytes = 140;

const maxIdBytes = 60;
const maxLabelBytes = 30;

const maxProcessedLength = 1000;

/** Names that Windows reserves for devices, such as `con` and `con.mp4`. */
const reservedName =
	/^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³]|conin\$|conout\$|clock\$)\s*(?:\.|$)/i;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Shortens text to a number of bytes. Never splits a character, such as a compound emoji. */
function cutToBytes(text: string, maxBytes: number): string {
	if (Buffer.byteLength(text) <= maxBytes) return text;
	let truncated = '';
	for (const { segment } of graphemes.segment(text)) {
		if (Buffer.byteLength(truncated) + Buffer.byteLength(segment) > maxBytes) break;
		truncated += segment;
	}
	return truncated;
}

/** Removes spaces, dots and joiners from both ends of a name, and tildes from its beginning. */
const trimName = (name: string) =>
	name.replace(/^[\s.~\u200c\u200d]+|(?<![\s.\u200c\u200d])[\s.\u200c\u200d]+$/g, '');

/** Makes text safe for every file system. Keeps joiners: emoji and some scripts need them. */
function cleanPart(text: string | undefined, maxBytes: number): string {
	const cleaned = (text ?? '')
		.slice(0, maxProcessedLength)
		.normalize('NFC')
		.replace(/[\s\\/:*?"<>|]/g, ' ')
		.replace(/(?![\u200c\u200d])\p{C}/gu, '')
		.replace(/ +/g, ' ');
	return trimName(cutToBytes(trimName(cleaned), maxBytes));
}

/** Splits a known extension off a file name. `Welcome Anna.de` has none. */
function splitExtension(text: string): { base: string; extension?: string } {
	const dot = text.lastIndexOf('.');
	const extension = text
		.slice(dot + 1)
		.trimEnd()
		.toLowerCase();
	if (dot === -1 || getMediaTypeOfExtension(extension) === undefined) return { base: text };
	return { base: text.slice(0, dot), extension };
}

/** Returns names for a file in order of preference. The file gets the first one that is free. */
export function buildFileNameCandidates(parts: FileNameInputs, type: FileType): string[] {
	const { kind, includesKindInName = false, isFirst = false, isShared = false } = parts;
	const entered = splitExtension(parts.fileName ?? '');
	const titled = splitExtension(parts.title ?? '');
	const fileName = cleanPart(entered.base, maxNameBytes);
	const title = cleanPart(titled.base, maxNameBytes);
	const id = cleanPart(parts.id, maxIdBytes) || 'file';
	const isNamed = fileName !== '';
	const base = fileName || title || id;

	const preferred = isNamed ? entered.extension : title === '' ? undefined : titled.extension;
	const fits = preferred !== undefined && getMediaTypeOfExtension(preferred) === type.mimeType;
	const extension = cleanPart(fits ? preferred : type.extension, maxLabelBytes);

	const language = cleanPart(parts.language, maxLabelBytes);
	const ownId = base === id ? '' : id;
	const label = includesKindInName ? kind : '';
	const endings = [
		...(isNamed && !isShared ? [[isFirst ? '' : label]] : []),
		...(isNamed && isShared && language === '' ? [] : [[language, label]]),
		[language, label, ownId],
		[language, kind, ownId],
	];
	return endings.map((labels) => {
		const suffixes = [...labels, extension].filter((suffix) => suffix !== '');
		const ending = suffixes.map((suffix) => `.${suffix}`).join('');
		const begin = trimName(cutToBytes(base, maxNameBytes - Buffer.byteLength(ending))) || id;
		const name = `${begin}${ending}`;
		return reservedName.test(name) ? `_${name}` : name;
	});
}

/** Returns the same key for names that a file system may confuse, such as `A.mp4` and `a.mp4`. */
const getNameKey = (name: string) => name.normalize('NFC').toLowerCase();

/** Files by name, for each execution context. n8n creates a context for each run of a node. */
const namesByRun = new WeakMap<object, Map<string, string>>();

/** Reserves the first free name for a file. A retried download of the file gets the same name. */
function reserveName(run: object, names: readonly string[], file: string): string {
	const owners = namesByRun.get(run) ?? new Map<string, string>();
	namesByRun.set(run, owners);
	const free = names.find((name) => (owners.get(getNameKey(name)) ?? file) === file);
	const name = free ?? names.at(-1) ?? file;
	owners.set(getNameKey(name), file);
	return name;
}

/**
 * Stores a file under the first free name. The file cannot be renamed later, because some nodes
 * read the name from n8n's storage.
 *
 * @param host execution context of the node run in which file names must be unique
 */
export async function storeUniquelyNamedFile(
	host: Pick<IExecuteFunctions, 'helpers'>,
	content: Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	parts: FileNameInputs,
	type: FileType,
): Promise<IBinaryData> {
	const names = buildFileNameCandidates(parts, type);
	const name = reserveName(host, names, `${parts.id} ${parts.kind}`);
	return await host.helpers.prepareBinaryData(content, name, type.mimeType);
}
