/**
 * Requests the rest of a partly downloaded file, and recognizes it in the response. Pure functions.
 */
import type { IDataObject } from 'n8n-workflow';
import { readText } from '../json';

/** Version of a file. The rest of a different version must not be appended. */
export interface FileVersion {
	/** Strong ETag: equal only if all bytes are equal. */
	etag?: string;
	/** Last-Modified date in the storage's own format. */
	modified?: string;
	/** Length of the whole file in bytes. */
	bytes?: number;
}

/** Returns the length that a response announces, in bytes. */
export const readContentLength = (headers: IDataObject): number | undefined =>
	headers['content-length'] === undefined ? undefined : Number(headers['content-length']);

/** Reads the version of a file from the headers of a response with the whole file. */
export function readFileVersion(headers: IDataObject): FileVersion {
	const etag = readText(headers.etag);
	return {
		etag: etag?.startsWith('W/') ? undefined : etag,
		modified: readText(headers['last-modified']),
		bytes: readContentLength(headers),
	};
}

/**
 * Whether a download of this file can be resumed: its version can be recognized in another
 * response.
 */
export const hasVersion = ({ etag, modified, bytes }: FileVersion) =>
	etag !== undefined || modified !== undefined || bytes !== undefined;

/**
 * Builds headers that request a file starting at a byte, or the whole file if its version has
 * changed.
 */
export function buildRangeHeaders(from: number, { etag, modified }: FileVersion): IDataObject {
	const version = etag ?? modified;
	return { Range: `bytes=${from}-`, ...(version === undefined ? {} : { 'If-Range': version }) };
}

/**
 * Whether a response contains the rest of this version of a file, from the requested byte to the
 * end.
 */
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
