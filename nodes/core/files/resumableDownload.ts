/**
 * Downloads a file as one continuous stream. If the connection breaks, a new connection continues
 * from the byte where the old one stopped.
 */
import type { IDataObject, IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { clock } from '../clock';
import { toNodeError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import {
	getReceiveErrorCode,
	receiveChunks,
	receiveLimits,
	type ByteStream,
} from '../http/receiveLimits';
import { findThrownErrorCode } from '../http/reply';
import { readText } from '../json';
import {
	createTransferFailure,
	maxTransferAttempts,
	pauseBeforeTransferRetry,
	tryRequestWithoutCredential,
	createIncompleteFileError,
	createDownloadFailure,
	type TransferFailure,
} from './transfer';

/** Identifies a version of a file. Only a file that has not changed can be resumed. */
export interface FileVersion {
	etag?: string;
	/** The `Last-Modified` date, exactly as the storage server sent it. */
	modified?: string;
	bytes?: number;
}

export const readContentLength = (headers: IDataObject): number | undefined =>
	headers['content-length'] === undefined ? undefined : Number(headers['content-length']);

/** Reads the headers of a response that contains the whole file. */
export function readFileVersion(headers: IDataObject): FileVersion {
	const etag = readText(headers.etag);
	return {
		etag: etag?.startsWith('W/') ? undefined : etag,
		modified: readText(headers['last-modified']),
		bytes: readContentLength(headers),
	};
}

/** If not, the remaining bytes could belong to another version. */
export const canDetectFileChange = ({ etag, modified, bytes }: FileVersion) =>
	etag !== undefined || modified !== undefined || bytes !== undefined;

/** Requests a file from byte `from` to the end, or the whole file if it has changed. */
export function buildRangeHeaders(from: number, { etag, modified }: FileVersion): IDataObject {
	const version = etag ?? modified;
	return { Range: `bytes=${from}-`, ...(version === undefined ? {} : { 'If-Range': version }) };
}

/**
 * Whether a response contains exactly the bytes from the position to the end, of the same version.
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

/** A file download whose first response has arrived. */
export interface StartedDownload {
	host: IExecuteFunctions;
	client: Client;
	/** Called before each new connection, because URLs expire. */
	source: () => Promise<{
		url: string;
		/** Whether the URL is always the same. */
		fixed?: boolean;
	}>;
	/** Its body is a stream of the whole file. */
	response: IN8nHttpFullResponse;
	url: string;
}

export const getBodyStream = (response: IN8nHttpFullResponse) =>
	response.body as unknown as ByteStream;

export const requestFile = async (
	host: IExecuteFunctions,
	client: Client,
	url: string,
	headers: IDataObject = {},
) =>
	await tryRequestWithoutCredential(host, client, {
		method: 'GET',
		url,
		encoding: 'stream',
		// If the file were compressed, it would be decompressed on arrival, and its length would
		// differ from the one announced.
		headers: { 'Accept-Encoding': 'identity', ...headers },
	});

/** Bytes that a connection must deliver to reset the count of attempts. */
const progressBytes = 1024 * 1024;

/** Returns an empty object if the download must start over: no ranges, or the file has changed. */
async function requestRest(
	{ host, client, source }: StartedDownload,
	from: number,
	version: FileVersion,
): Promise<{ stream?: ByteStream } | TransferFailure> {
	const { url, fixed } = await source();
	const result = await requestFile(host, client, url, buildRangeHeaders(from, version));
	if ('error' in result) return result;
	const { statusCode, headers } = result.response;
	const stream = getBodyStream(result.response);
	if (isRequestedRange(statusCode, headers, from, version)) return { stream };
	stream.destroy();
	// The storage server does not support ranges, or the file has changed.
	return [200, 206, 416].includes(statusCode)
		? {}
		: createDownloadFailure(client, statusCode, fixed);
}

/** Retries until a new connection succeeds or no attempts are left. */
async function reconnect(
	download: StartedDownload,
	from: number,
	version: FileVersion,
	broken: TransferFailure,
	attemptsBefore: number,
): Promise<{ stream: ByteStream; attempts: number } | TransferFailure> {
	const { client } = download;
	let failure = broken;
	for (let attempts = attemptsBefore; ; attempts++) {
		if (attempts >= maxTransferAttempts || !failure.retryable || client.signal.aborted) {
			return { ...failure, retryable: false };
		}
		await pauseBeforeTransferRetry(attempts, client.signal);
		try {
			const rest = await requestRest(download, from, version);
			if ('error' in rest) failure = rest;
			else if (rest.stream) return { stream: rest.stream, attempts: attempts + 1 };
			else return broken;
		} catch (error) {
			// The file no longer exists.
			return { error: toNodeError(client.node, error), retryable: false };
		}
	}
}

/** The HTTP client decompresses what a server compresses unasked. Positions then mean nothing. */
const isDecompressed = (error: unknown, received: number, { bytes = Infinity }: FileVersion) =>
	received > bytes || findThrownErrorCode(error)?.startsWith('Z_') === true;

/** Returns the error that broke the stream, or an empty object after the last chunk. */
async function readNextChunk(
	chunks: AsyncIterator<Buffer>,
): Promise<{ chunk: Buffer } | { error?: unknown }> {
	try {
		const { done, value } = await chunks.next();
		return done ? {} : { chunk: value };
	} catch (error) {
		return { error };
	}
}

function createBrokenFailure(
	{ client, url }: StartedDownload,
	error: unknown,
	received: number,
	announced: number,
): TransferFailure {
	const code = getReceiveErrorCode(error);
	if (error !== undefined && code === undefined) {
		return createTransferFailure(client, url, error, 'ECONNRESET');
	}
	const reason = code && (error as Error).message;
	return {
		error: createIncompleteFileError(client, received, announced, reason),
		// Another connection would exceed the other limits again.
		retryable: code === undefined || code === 'NO_DATA',
	};
}

async function* readBytes(
	download: StartedDownload,
	version: FileVersion,
	onFailure: (failure: TransferFailure) => void,
) {
	const { response } = download;
	const canResume = canDetectFileChange(version) && response.headers['accept-ranges'] !== 'none';
	const { bytes, seconds, silence } = receiveLimits.file;
	const startedAt = clock.elapsed();
	let stream = getBodyStream(response);
	let received = 0;
	let attempts = 1;
	try {
		for (;;) {
			const before = received;
			const secondsLeft = seconds - (clock.elapsed() - startedAt) / 1000;
			const limits = { silence, bytes: bytes - received, seconds: secondsLeft };
			const chunks = receiveChunks(stream, limits);
			let read = await readNextChunk(chunks);
			for (; 'chunk' in read; read = await readNextChunk(chunks)) {
				received += read.chunk.length;
				yield read.chunk;
			}
			const { error } = read;
			const announced = version.bytes ?? 0;
			const mustStartOver =
				!canResume || received === 0 || isDecompressed(error, received, version);
			// A connection may break after the last byte.
			const isWhole = received === version.bytes && !mustStartOver;
			if (isWhole || (error === undefined && received >= announced)) return;
			const broken = createBrokenFailure(download, error, received, announced);
			const hasProgress = received - before >= progressBytes;
			const next = mustStartOver
				? broken
				: await reconnect(download, received, version, broken, hasProgress ? 1 : attempts);
			if ('error' in next) {
				onFailure(next);
				throw next.error;
			}
			({ stream, attempts } = next);
		}
	} finally {
		stream.destroy();
	}
}

/**
 * @param existing stream whose class creates the new one: n8n does not let nodes import a stream
 * class
 */
export function createStreamFromChunks(
	existing: ByteStream,
	chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): ByteStream {
	const { from } = existing.constructor as unknown as {
		from(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): ByteStream;
	};
	return from(chunks);
}

/**
 * Streams a whole file. After a broken connection, continues at the same byte with a fresh URL.
 * Fails if it cannot, for example because the storage server does not support ranges.
 *
 * @param onFailure receives the error, and whether starting the download over may help
 */
export function createResumableStream(
	download: StartedDownload,
	onFailure: (failure: TransferFailure) => void,
): ByteStream {
	const { headers } = download.response;
	const chunks = readBytes(download, readFileVersion(headers), onFailure);
	return createStreamFromChunks(getBodyStream(download.response), chunks);
}
