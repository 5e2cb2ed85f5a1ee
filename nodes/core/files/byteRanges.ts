/** Range requests: asks for the rest of a file, and recognizes it in the response. Pure. */
import type { IDataObject } from 'n8n-workflow';
import { readText } from '../json';

/** Identifies a version of a file, so that the rest of another version is not appended. */
export interface FileVersion {
	/** Strong: equal only if all bytes are. */
	etag?: string;
	/** The date in the storage's own format. */
	modified?: string;
	/** Length of the whole file. */
	bytes?: number;
}

/** The length that a response announces, in bytes. */
export const readContentLength = (headers: IDataObject): number | undefined =>
	headers['content-length'] === undefined ? undefined : Number(headers['content-length']);

/** The version of a file, from the headers of a response with the whole file. */
export function readFileVersion(headers: IDataObject): FileVersion {
	const etag = readText(headers.etag);
	return {
		etag: etag?.startsWith('W/') ? undefined : etag,
		modified: readText(headers['last-modified']),
		bytes: readContentLength(headers),
	};
}

/** Whether a file can be resumed: its rest can be distinguished from that of another version. */
export const hasVersion = ({ etag, modified, bytes }: FileVersion) =>
	etag !== undefined || modified !== undefined || bytes !== undefined;

/** Headers that request a file from that byte on; the whole file if its version has changed. */
export function buildRangeHeaders(from: number, { etag, modified }: FileVersion): IDataObject {
	const version = etag ?? modified;
	return { Range: `bytes=${from}-`, ...(version === undefined ? {} : { 'If-Range': version }) };
}

/** Whether a response is the rest of that version of a file, from that byte to its end. */
export function isRequestedRange(
	status: number,
	headers: IDataObject,
	from: number,
	version: FileVersion,
): boolean {
	const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(readText(headers['content-range']) ?? '');
	if (status !== 206 || !range || Number(range[1]) !== from) return false;
	const total = range[3] === '*' ? undefined : Number(range[3]);
	const { etag } = readFileVersion(headers);
	if (version.etag !== undefined && etag !== undefined && etag !== version.etag) return false;
	if (total === undefined) return version.etag !== undefined;
	if (Number(range[2]) !== total - 1) return false;
	return version.bytes === undefined || total === version.bytes;
}
