/**
 * Supports resuming interrupted downloads: builds requests for the remaining bytes of a file, and
 * checks that the response contains them.
 */
import type { IDataObject } from 'n8n-workflow';
import { readText } from '../json';

/**
 * Values from response headers that identify a version of a file. A download can be resumed only if
 * the file has not changed in the meantime.
 */
export interface FileVersion {
	/** The file's strong ETag, which changes whenever a byte changes. */
	etag?: string;
	/** The file's `Last-Modified` date, exactly as the storage server sent it. */
	modified?: string;
	/** Size of the whole file in bytes. */
	bytes?: number;
}

/** Returns a response's content length in bytes, or `undefined` if the header is missing. */
export const readContentLength = (headers: IDataObject): number | undefined =>
	headers['content-length'] === undefined ? undefined : Number(headers['content-length']);

/** Reads a file's version from the headers of a response that contains the whole file. */
export function readFileVersion(headers: IDataObject): FileVersion {
	const etag = readText(headers.etag);
	return {
		etag: etag?.startsWith('W/') ? undefined : etag,
		modified: readText(headers['last-modified']),
		bytes: readContentLength(headers),
	};
}

/**
 * Whether changes to a file can be detected. If not, its download cannot be resumed after an
 * interruption, because the remaining bytes could belong to another version.
 */
export const canDetectFileChange = ({ etag, modified, bytes }: FileVersion) =>
	etag !== undefined || modified !== undefined || bytes !== undefined;

/**
 * Builds request headers that ask for the part of a file from byte `from` to the end, or for the
 * whole file if it has changed.
 */
export function buildRangeHeaders(from: number, { etag, modified }: FileVersion): IDataObject {
	const version = etag ?? modified;
	return { Range: `bytes=${from}-`, ...(version === undefined ? {} : { 'If-Range': version }) };
}

/**
 * Returns whether a response contains exactly the requested bytes of a file: from the given
 * position to the end, and from the same version of the file.
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
