/** A file as one stream over several connections: each continues where the last one broke. */
import type { IDataObject, IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { toNodeError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import { waitForClose, findErrorCode, type FileStream } from '../http/reply';
import {
	hasVersion,
	isRequestedRange,
	readFileVersion,
	buildRangeHeaders,
	type FileVersion,
} from './byteRanges';
import {
	createTransferFailure,
	maxTransferAttempts,
	pauseBeforeTransfer,
	requestWithoutCredential,
	createIncompleteFileError,
	createStorageFailure,
	type TransferFailure,
} from './transfer';

/** A file whose download has begun. */
export interface FileDownload {
	host: IExecuteFunctions;
	client: Client;
	/** Reads its URL, which expires. */
	source: () => Promise<{
		url: string;
		/** The URL will be the same the next time. */
		fixed?: boolean;
	}>;
	/** The first response, with the whole file. */
	response: IN8nHttpFullResponse;
	/** Where the first response came from. */
	url: string;
}

export const getStream = (response: IN8nHttpFullResponse) => response.body as unknown as FileStream;

/** Requests a file, or its rest. The slot becomes free when the response is read or closed. */
export const requestFile = async (
	host: IExecuteFunctions,
	client: Client,
	url: string,
	headers: IDataObject = {},
) =>
	await client.runInSlot(
		async () =>
			await requestWithoutCredential(host, client, {
				method: 'GET',
				url,
				encoding: 'stream',
				// A compressed file would arrive decompressed, with another length than announced.
				headers: { 'Accept-Encoding': 'identity', ...headers },
			}),
		(result) => ('response' in result ? waitForClose(getStream(result.response)) : undefined),
	);

/** After this many bytes, the attempts are counted from the beginning. */
const progressBytes = 1024 * 1024;

/** The rest of a file from that byte on, or no stream if the download has to start over. */
async function requestRest(
	{ host, client, source }: FileDownload,
	from: number,
	version: FileVersion,
): Promise<{ stream?: FileStream } | TransferFailure> {
	const { url, fixed } = await source();
	const result = await requestFile(host, client, url, buildRangeHeaders(from, version));
	if ('error' in result) return result;
	const { statusCode, headers } = result.response;
	const stream = getStream(result.response);
	if (isRequestedRange(statusCode, headers, from, version)) return { stream };
	stream.destroy();
	// The storage does not support ranges, or the file has changed.
	return [200, 206, 416].includes(statusCode)
		? {}
		: createStorageFailure(client, statusCode, fixed);
}

/** Opens a connection for the rest of a file. Returns its stream and the attempts so far. */
async function reconnect(
	download: FileDownload,
	from: number,
	version: FileVersion,
	broken: TransferFailure,
	attemptsBefore: number,
): Promise<{ stream: FileStream; attempts: number } | TransferFailure> {
	const { client } = download;
	let failure = broken;
	for (let attempts = attemptsBefore; ; attempts++) {
		if (attempts >= maxTransferAttempts || !failure.retryable || client.signal.aborted) {
			return { ...failure, retryable: false };
		}
		await pauseBeforeTransfer(attempts, client.signal);
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

/** Whether the storage has compressed the file all the same: its byte counts do not fit then. */
const isDecompressed = (error: unknown, received: number, { bytes = Infinity }: FileVersion) =>
	received > bytes || findErrorCode(error)?.startsWith('Z_') === true;

/** Yields the chunks of a stream, and returns the error that broke it, if any. */
async function* readUntilError(stream: FileStream): AsyncGenerator<Buffer, unknown> {
	const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
	for (;;) {
		let next: IteratorResult<Buffer>;
		try {
			next = await chunks.next();
		} catch (error) {
			return error;
		}
		if (next.done) return undefined;
		// Outside of the try: errors thrown here come from the reader of the chunk.
		yield next.value;
	}
}

async function* readBytes(
	download: FileDownload,
	version: FileVersion,
	onFailure: (failure: TransferFailure) => void,
) {
	const { client, url } = download;
	let stream = getStream(download.response);
	let received = 0;
	let attempts = 1;
	try {
		for (;;) {
			const before = received;
			const chunks = readUntilError(stream);
			let chunk = await chunks.next();
			for (; !chunk.done; chunk = await chunks.next()) {
				received += chunk.value.length;
				yield chunk.value;
			}
			const error = chunk.value;
			const announced = version.bytes ?? received;
			if (error === undefined && received >= announced) return;
			const broken =
				error === undefined
					? { error: createIncompleteFileError(client, received, announced), retryable: true }
					: createTransferFailure(client, url, error, 'ECONNRESET');
			const hasProgress = received - before >= progressBytes;
			const mustStartOver = received === 0 || isDecompressed(error, received, version);
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
 * The content of a file as one stream. After a broken connection, the rest comes over the next one,
 * from a fresh URL. If the storage does not support ranges, the stream fails.
 *
 * @param onFailure receives why the stream fails, and whether starting over may help
 */
export function createResumingStream(
	download: FileDownload,
	onFailure: (failure: TransferFailure) => void,
): FileStream {
	const stream = getStream(download.response);
	const { headers } = download.response;
	const version = readFileVersion(headers);
	if (!hasVersion(version) || headers['accept-ranges'] === 'none') return stream;
	// Created by the class of the stream at hand: n8n does not let nodes import one.
	const { from } = stream.constructor as unknown as {
		from(chunks: AsyncIterable<Buffer>): FileStream;
	};
	return from(readBytes(download, version, onFailure));
}
