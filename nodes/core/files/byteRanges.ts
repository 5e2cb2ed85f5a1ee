/**
 * Supports resuming interrupted downloads: builds requests for the remaining bytes of a file, and
 * checks that the response contains them.
 */
import type { IDataObject } from 'n8n-workflow';
import { readText } from '../json';

/**
 * Values of response headers that identify a version of a file. A download can be resumed only if
 * the file has not changed in the meantime.
 */
export interface FileVersion {
	/** Strong ETag of the file, which changes whenever a byte changes. */
	etag?: string;
	/** `Last-Modified` date of the file, in the format in which the storage sent it. */
	modified?: string;
	/** Size of the whole file in bytes. */
	bytes?: number;
}

/** Returns the content length of a response in bytes, or undefined if the header is missing. */
export const readContentLength = (headers: IDataObject): number | undefined =>
	headers['content-length'] === undefined ? undefined : Number(headers['content-length']);

/** Reads the version of a file from the headers of a response that contains the whole file. */
export function readFileVersion(headers: IDataObject): FileVersion {
	const etag = readText(headers.etag);
	return {
		etag: etag?.startsWith('W/') ? undefined : etag,
		modified: readText(headers['last-modified']),
		bytes: readContentLength(headers),
	};
}

/**
 * Returns whether a change of a file can be detected, so that an interrupted download of it can be
 * resumed.
 */
export const canResumeDownload = ({ etag, modified, bytes }: FileVersion) =>
	etag !== undefined || modified !== undefined || bytes !== undefined;

/**
 * Builds request headers that ask for a file from byte `from` to its end, or for the whole file if
 * it has changed.
 */
export function buildRangeHeaders(from: number, { etag, modified }: FileVersion): IDataObject {
	const version = etag ?? modified;
	return { Range: `bytes=${from}-`, ...(version === undefined ? {} : { 'If-Range': version }) };
}

/**
 * Returns whether a response contains exactly the requested part of a file: from byte `from` to the
 * end of the same version.
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
