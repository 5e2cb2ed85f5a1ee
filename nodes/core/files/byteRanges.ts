/** Parts of files: how the rest of a file is asked for, and whether what comes is that. Pure. */
import type { IDataObject } from 'n8n-workflow';
import { readText } from '../json';

/** What tells whether two answers hold the same file. */
export interface FileVersion {
	/** Strong: equal only where all bytes are. */
	etag?: string;
	/** A date, as the storage writes it. */
	modified?: string;
	/** Length of the whole file. */
	bytes?: number;
}

/** The length that an answer announces of itself. */
export const readContentLength = (headers: IDataObject): number | undefined =>
	headers['content-length'] === undefined ? undefined : Number(headers['content-length']);

/** What the first answer of a file, a whole one, tells about it. */
export function readFileVersion(headers: IDataObject): FileVersion {
	const etag = readText(headers.etag);
	return {
		etag: etag?.startsWith('W/') ? undefined : etag,
		modified: readText(headers['last-modified']),
		bytes: readContentLength(headers),
	};
}

/** Whether the rest of the file can be told from that of another one. */
export const hasVersion = ({ etag, modified, bytes }: FileVersion) =>
	etag !== undefined || modified !== undefined || bytes !== undefined;

/** Headers that ask for a file from that byte on; for the whole, where it is another file by now. */
export function buildRangeHeaders(at: number, { etag, modified }: FileVersion): IDataObject {
	const same = etag ?? modified;
	return { Range: `bytes=${at}-`, ...(same === undefined ? {} : { 'If-Range': same }) };
}

/** Whether an answer is the rest of that file, from that byte to its end. */
export function isRequestedRange(
	status: number,
	headers: IDataObject,
	at: number,
	mark: FileVersion,
): boolean {
	const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(readText(headers['content-range']) ?? '');
	if (status !== 206 || !range || Number(range[1]) !== at) return false;
	const total = range[3] === '*' ? undefined : Number(range[3]);
	const { etag } = readFileVersion(headers);
	if (mark.etag !== undefined && etag !== undefined && etag !== mark.etag) return false;
	if (total === undefined) return mark.etag !== undefined;
	if (Number(range[2]) !== total - 1) return false;
	return mark.bytes === undefined || total === mark.bytes;
}
