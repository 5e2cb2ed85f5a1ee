/** Determines a downloaded file's media type and extension, and makes them match. */
import { getOwnProperty } from '../json';

/** Media type and extension of a file. The extension has no dot, and may be empty. */
export interface FileType {
	mimeType: string;
	extension: string;
}

/** Media types by file extension. New file names use the first extension of a media type. */
const typesByExtension: Record<string, string> = {
	mp4: 'video/mp4',
	m4v: 'video/mp4',
	webm: 'video/webm',
	mov: 'video/quicktime',
	mkv: 'video/x-matroska',
	avi: 'video/x-msvideo',
	wav: 'audio/wav',
	mp3: 'audio/mpeg',
	m4a: 'audio/mp4',
	aac: 'audio/aac',
	ogg: 'audio/ogg',
	flac: 'audio/flac',
	srt: 'application/x-subrip',
	vtt: 'text/vtt',
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	png: 'image/png',
	gif: 'image/gif',
	webp: 'image/webp',
	svg: 'image/svg+xml',
	pdf: 'application/pdf',
	zip: 'application/zip',
	json: 'application/json',
	txt: 'text/plain',
	ttf: 'font/ttf',
	otf: 'font/otf',
};

/** Standard media types, keyed by nonstandard names that some storage servers return. */
const typeAliases: Record<string, string> = {
	'audio/x-wav': 'audio/wav',
	'audio/wave': 'audio/wav',
	'audio/vnd.wave': 'audio/wav',
	'audio/mp3': 'audio/mpeg',
	'audio/x-m4a': 'audio/mp4',
	'image/jpg': 'image/jpeg',
	'text/srt': 'application/x-subrip',
	'application/srt': 'application/x-subrip',
	'application/x-zip-compressed': 'application/zip',
};

/** Media types that storage servers may return for any file, such as plain text for subtitles. */
const genericTypes = ['', 'application/octet-stream', 'binary/octet-stream', 'text/plain'];

export const getMediaTypeOfExtension = (extension: string): string | undefined =>
	getOwnProperty(typesByExtension, extension.toLowerCase());

/** Returns a media type in lower case, without parameters such as `; charset=utf-8`. */
export const normalizeMediaType = (type: string) => type.replace(/;.*/s, '').trim().toLowerCase();

function readExtension(url: string): string | undefined {
	const path = URL.canParse(url) ? new URL(url).pathname : '';
	return /[^/]\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase();
}

const checkedBytes = 100;

/** Returns the type of content that begins like HTML or JSON, otherwise an empty string. */
export function detectHtmlOrJson(beginning: Buffer): string {
	const text = beginning.subarray(0, checkedBytes).toString('utf8').trimStart();
	if (/^<(!doctype html|html)/i.test(text)) return 'text/html';
	return /^[{[]/.test(text) ? 'application/json' : '';
}

/**
 * Returns a file's type. If the type in the response is generic, returns the type that belongs to
 * the URL's extension, or else the expected type.
 *
 * @param contentType media type of the response, without parameters
 */
export function determineFileType(url: string, contentType: string, expected: FileType): FileType {
	const inUrl = readExtension(url);
	const isKnown = inUrl !== undefined && getMediaTypeOfExtension(inUrl) !== undefined;
	const extension = isKnown ? inUrl : expected.extension;
	const lowerCase = contentType.toLowerCase();
	const type = getOwnProperty(typeAliases, lowerCase) ?? lowerCase;
	if (genericTypes.includes(type)) {
		return { extension, mimeType: getMediaTypeOfExtension(extension) ?? expected.mimeType };
	}
	const usual = Object.keys(typesByExtension).filter((one) => typesByExtension[one] === type);
	const fits = usual.length === 0 || usual.includes(extension);
	return { mimeType: type, extension: fits ? extension : (usual[0] ?? '') };
}
