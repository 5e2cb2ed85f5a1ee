/** The bytes of a file over as many connections as it takes: each goes on where the last one broke. */
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

/** A file on its way. */
export interface FileDownload {
	host: IExecuteFunctions;
	client: Client;
	/** Reads its address, which expires, and whether it could be another the next time. */
	source: () => Promise<{ url: string; fixed?: boolean }>;
	/** Its first answer, of the whole file, and where that came from. */
	response: IN8nHttpFullResponse;
	url: string;
}

export const getStream = (response: IN8nHttpFullResponse) => response.body as unknown as FileStream;

/** Asks for a file, or for the rest of one. Its place is free when the answer is read or closed. */
export const requestFile = async (
	host: IExecuteFunctions,
	client: Client,
	url: string,
	headers: IDataObject = {},
) =>
	await client.slot(
		async () =>
			await requestWithoutCredential(host, client, {
				method: 'GET',
				url,
				encoding: 'stream',
				// What is packed would arrive unpacked, and not with the length that was announced.
				headers: { 'Accept-Encoding': 'identity', ...headers },
			}),
		(result) => ('response' in result ? waitForClose(getStream(result.response)) : undefined),
	);

/** So many bytes make up for a connection that broke. */
const progressBytes = 1024 * 1024;

/** The rest of a file from that byte on. Nothing where it has to be read from its beginning. */
async function requestRest(
	{ host, client, source }: FileDownload,
	at: number,
	mark: FileVersion,
): Promise<{ stream?: FileStream } | TransferFailure> {
	const { url, fixed } = await source();
	const result = await requestFile(host, client, url, buildRangeHeaders(at, mark));
	if ('error' in result) return result;
	const { statusCode, headers } = result.response;
	const stream = getStream(result.response);
	if (isRequestedRange(statusCode, headers, at, mark)) return { stream };
	stream.destroy();
	// A storage that gives no parts, or another file by now.
	return [200, 206, 416].includes(statusCode)
		? {}
		: createStorageFailure(client, statusCode, fixed);
}

/** The connection with the rest of a file that broke off, and how many tries it took; or the end. */
async function reconnect(
	coming: FileDownload,
	at: number,
	mark: FileVersion,
	broken: TransferFailure,
	triesBefore: number,
): Promise<{ stream: FileStream; tries: number } | TransferFailure> {
	const { client } = coming;
	let failed = broken;
	for (let tries = triesBefore; ; tries++) {
		if (tries >= maxTransferAttempts || !failed.retryable || client.signal.aborted) {
			return { ...failed, retryable: false };
		}
		await pauseBeforeTransfer(tries, client.signal);
		try {
			const rest = await requestRest(coming, at, mark);
			if ('error' in rest) failed = rest;
			else if (rest.stream) return { stream: rest.stream, tries: tries + 1 };
			else return broken;
		} catch (error) {
			// The file does not exist any more.
			return { error: toNodeError(client.node, error), retryable: false };
		}
	}
}

/** Whether the bytes that came are not those that the storage counts: some pack all the same. */
const isDecompressed = (cut: unknown, at: number, { bytes = Infinity }: FileVersion) =>
	at > bytes || findErrorCode(cut)?.startsWith('Z_') === true;

/** Hands on what a stream gives, and returns what broke it. */
async function* readUntilError(stream: FileStream): AsyncGenerator<Buffer, unknown> {
	const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
	for (;;) {
		let next: IteratorResult<Buffer>;
		try {
			next = await pieces.next();
		} catch (error) {
			return error;
		}
		if (next.done) return undefined;
		// Not tried: what is thrown here comes from who takes the piece.
		yield next.value;
	}
}

async function* readBytes(
	coming: FileDownload,
	mark: FileVersion,
	told: (failed: TransferFailure) => void,
) {
	const { client, url } = coming;
	let stream = getStream(coming.response);
	let at = 0;
	let tries = 1;
	try {
		for (;;) {
			const before = at;
			const pieces = readUntilError(stream);
			let piece = await pieces.next();
			for (; !piece.done; piece = await pieces.next()) {
				at += piece.value.length;
				yield piece.value;
			}
			const whole = mark.bytes ?? at;
			if (piece.value === undefined && at >= whole) return;
			const broken =
				piece.value === undefined
					? { error: createIncompleteFileError(client, at, whole), retryable: true }
					: createTransferFailure(client, url, piece.value, 'ECONNRESET');
			const enough = at - before >= progressBytes;
			const fromTheBeginning = at === 0 || isDecompressed(piece.value, at, mark);
			const next = fromTheBeginning
				? broken
				: await reconnect(coming, at, mark, broken, enough ? 1 : tries);
			if ('error' in next) {
				told(next);
				throw next.error;
			}
			({ stream, tries } = next);
		}
	} finally {
		stream.destroy();
	}
}

/**
 * The content of a file as one stream. Where a connection breaks, the rest comes over the next one,
 * from an address that is read anew; where the storage gives no parts, the stream fails.
 *
 * @param told why the stream fails, and whether it may help to begin anew
 */
export function createResumingStream(
	coming: FileDownload,
	told: (failed: TransferFailure) => void,
): FileStream {
	const stream = getStream(coming.response);
	const { headers } = coming.response;
	const mark = readFileVersion(headers);
	if (!hasVersion(mark) || headers['accept-ranges'] === 'none') return stream;
	// Made by the class of the stream at hand: n8n lets nodes import none.
	const { from } = stream.constructor as unknown as {
		from(pieces: AsyncIterable<Buffer>): FileStream;
	};
	return from(readBytes(coming, mark, told));
}
