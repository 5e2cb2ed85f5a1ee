/**
 * Resumes interrupted downloads: requests the remaining bytes of a file and checks that the
 * response contains them.
 */
import type { IDataObject } from 'n8n-workflow';
import { readText } from '../json';

/**
 * Properties that identify a version of a file. A download can be resumed only if the file has not
 * changed in the meantime.
 */
export interface FileVersion {
	/** Strong ETag, which is the same only if all bytes are the same. */
	etag?: string;
	/** Last-Modified date, in the format in which the storage sent it. */
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
 * Returns whether the version of a file is known, so that an interrupted download of it can be
 * resumed.
 */
export const canResumeDownload = ({ etag, modified, bytes }: FileVersion) =>
	etag !== undefined || modified !== undefined || bytes !== undefined;

/**
 * Builds request headers that ask for a file from the given byte on. If the file has changed, they
 * ask for the whole file.
 */
export function buildRangeHeaders(from: number, { etag, modified }: FileVersion): IDataObject {
	const version = etag ?? modified;
	return { Range: `bytes=${from}-`, ...(version === undefined ? {} : { 'If-Range': version }) };
}

/**
 * Returns whether a response contains the remaining bytes of this version of a file, from the
 * requested byte to the end.
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
