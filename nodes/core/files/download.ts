/** Downloads files as streams and stores them as n8n binary data. */
import type {
	IBinaryData,
	IExecuteFunctions,
	IDataObject,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { clock } from '../clock';
import { createOperationError, toNodeError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import {
	receivedDataLimits,
	type ByteStream,
	getReceiveErrorCode,
	receiveChunks,
} from '../http/receivedDataLimits';
import { findThrownErrorCode } from '../http/reply';
import { readText } from '../json';
import { storeUniquelyNamedFile, type FileNameInputs } from './fileNames';
import { detectHtmlOrJson, determineFileType, normalizeMediaType, type FileType } from './fileType';
import {
	createN8nStorageFailure,
	createTransferFailure,
	retryTransfer,
	createIncompleteFileError,
	createDownloadFailure,
	getBinaryLength,
	type TransferFailure,
	type TransferResult,
	maxTransferAttempts,
	pauseBeforeTransferRetry,
	tryRequestWithoutCredential,
} from './transfer';

/**
 * Where to download a file from, and its type if neither the response nor the URL indicates one.
 * Determined again for each attempt, because URLs expire.
 */
export interface DownloadSource extends FileType {
	url: string;
	name: FileNameInputs;
	/** Whether this is the file's only URL, so that it cannot be replaced after it expires. */
	fixed?: boolean;
}

/**
 * Streams a file to n8n's binary data. Resumes after a broken connection, or starts over if the
 * storage server does not support ranges. Throws if fewer bytes arrive than announced.
 *
 * @param source called before each attempt. Throws if the file does not exist
 */
export async function downloadFile(
	host: IExecuteFunctions,
	client: Client,
	source: () => Promise<DownloadSource>,
): Promise<IBinaryData> {
	const attemptDownload = async (): Promise<TransferResult<IBinaryData>> => {
		const file = await source();
		const result = await requestFile(host, client, file.url);
		if ('error' in result) return result;
		const download = { host, client, source, file, response: result.response };
		const stream = getBodyStream(result.response);
		// The stream has no other listener until it is read. An unhandled error would crash n8n.
		stream.on('error', () => undefined);
		try {
			return checkResponse(download) ?? (await storeDownload(download));
		} finally {
			stream.destroy();
		}
	};
	return await retryTransfer(client, async () => await client.runTransfer(attemptDownload));
}

const getMediaType = ({ response: { headers } }: StartedDownload) =>
	normalizeMediaType(String(headers['content-type'] ?? ''));

/** Media types of error pages that gateways sometimes send with status 200 instead of a file. */
const pageTypes = /^(text\/html|application\/(xhtml\+xml|([\w.-]+\+)?json))$/;

const isPage = (type: string, expected: string) =>
	type === 'text/html'
		? expected !== type
		: pageTypes.test(type) && /^(video|audio|image)\//.test(expected);

/** Returns an error if a media type or a file's first bytes are those of an error page. */
function checkType(
	{ client, file: { fixed, mimeType } }: StartedDownload,
	type: string,
): TransferFailure | undefined {
	if (!isPage(type, mimeType)) return undefined;
	return {
		error: createOperationError(
			client.node,
			`The file URL returns ${type.includes('html') ? 'a web page' : 'a message'} (${type})`,
			'The URL may have expired or may require a login. Check the URL, or get a new one.',
			{ code: 'not_a_file' },
		),
		retryable: !fixed,
	};
}

/** Returns an error if the status or type of a response is not that of a file. */
function checkResponse(download: StartedDownload): TransferFailure | undefined {
	const { client, file, response } = download;
	return response.statusCode === 200
		? checkType(download, getMediaType(download))
		: createDownloadFailure(client, response.statusCode, file.fixed);
}

async function storeDownload(download: StartedDownload): Promise<TransferResult<IBinaryData>> {
	const { host, client, response, file } = download;
	const type = determineFileType(file.url, getMediaType(download), file);
	const announced = readContentLength(response.headers) ?? 0;
	let failed: TransferFailure | undefined;
	try {
		const onFailure = (failure: TransferFailure) => void (failed = failure);
		const content = createResumableStream(download, onFailure);
		const binary = await storeUniquelyNamedFile(host, content, file.name, type);
		const bytes = await getBinaryLength(host, binary);
		if (bytes === 0) {
			const error = createOperationError(
				client.node,
				'The downloaded file is empty',
				'Try again later.',
				{ code: 'empty_file' },
			);
			return { error, retryable: true };
		}
		// Some storage servers compress files anyway, so that more bytes than announced arrive.
		if (bytes < announced) {
			return { error: createIncompleteFileError(client, bytes, announced), retryable: true };
		}
		return { value: binary };
	} catch (error) {
		return (
			failed ??
			createN8nStorageFailure(client, error) ??
			createTransferFailure(client, file.url, error, 'ECONNRESET')
		);
	}
}

/** Identifies a file's version: a download can resume only if the file has not changed. */
export interface FileVersion {
	etag?: string;
	/** The `Last-Modified` date, exactly as the storage server sent it. */
	modified?: string;
	bytes?: number;
}

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

/** Whether the headers would reveal a changed file. If not, resuming could mix two versions. */
export const canDetectFileChange = ({ etag, modified, bytes }: FileVersion) =>
	etag !== undefined || modified !== undefined || bytes !== undefined;

/** Returns headers that request a file from byte `from` on, or the whole file if it has changed. */
export function buildRangeHeaders(from: number, { etag, modified }: FileVersion): IDataObject {
	const version = etag ?? modified;
	return { Range: `bytes=${from}-`, ...(version === undefined ? {} : { 'If-Range': version }) };
}

/**
 * Whether a response contains exactly the bytes from offset `from` to the end of the file, and the
 * file has not changed since.
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
	/** Returns the file with its current URL. Called for each new connection: URLs expire. */
	source: () => Promise<DownloadSource>;
	file: DownloadSource;
	/** First response of the download. Its body is a stream of the whole file. */
	response: IN8nHttpFullResponse;
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

/** Bytes that a connection must deliver to reset the count of failed attempts. */
const progressBytes = 1024 * 1024;

/** Reconnects until a response continues the file at byte `from`, or all attempts have failed. */
async function reconnect(
	{ host, client, source }: StartedDownload,
	from: number,
	version: FileVersion,
	broken: TransferFailure,
	attemptsBefore: number,
): Promise<{ stream: ByteStream; attempts: number } | TransferFailure> {
	let failure = broken;
	for (let attempts = attemptsBefore; ; attempts++) {
		if (attempts >= maxTransferAttempts || !failure.retryable || client.signal.aborted) {
			return { ...failure, retryable: false };
		}
		await pauseBeforeTransferRetry(attempts, client.signal);
		try {
			const { url, fixed } = await source();
			const result = await requestFile(host, client, url, buildRangeHeaders(from, version));
			if ('error' in result) {
				failure = result;
				continue;
			}
			const { statusCode, headers } = result.response;
			const stream = getBodyStream(result.response);
			if (isRequestedRange(statusCode, headers, from, version)) {
				return { stream, attempts: attempts + 1 };
			}
			stream.destroy();
			// The server does not support ranges, or the file has changed: the download must start over.
			if ([200, 206, 416].includes(statusCode)) return broken;
			failure = createDownloadFailure(client, statusCode, fixed);
		} catch (error) {
			// `source` throws if the file no longer exists.
			return { error: toNodeError(client.node, error), retryable: false };
		}
	}
}

/** Whether the HTTP client has decompressed the file, which makes byte positions meaningless. */
const isDecompressed = (error: unknown, received: number, { bytes = Infinity }: FileVersion) =>
	received > bytes || findThrownErrorCode(error)?.startsWith('Z_') === true;

function createBrokenFailure(
	{ client, file: { url } }: StartedDownload,
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
		// If a limit on size or time was exceeded, another attempt would exceed it again.
		retryable: code === undefined || code === 'NO_DATA',
	};
}

async function* readBytes(
	download: StartedDownload,
	onFailure: (failure: TransferFailure) => void,
) {
	const { response } = download;
	const version = readFileVersion(response.headers);
	const canResume = canDetectFileChange(version) && response.headers['accept-ranges'] !== 'none';
	const { bytes, seconds, silence } = receivedDataLimits.file;
	const startedAt = clock.elapsed();
	let stream = getBodyStream(response);
	let received = 0;
	let attempts = 1;
	const fail = (failure: TransferFailure) => {
		onFailure(failure);
		return failure.error;
	};
	try {
		for (;;) {
			const before = received;
			const secondsLeft = seconds - (clock.elapsed() - startedAt) / 1000;
			const limits = { silence, bytes: bytes - received, seconds: secondsLeft };
			const chunks = receiveChunks(stream, limits);
			// Catches only errors of the connection, not those of this stream's reader.
			const readNext = async () => await chunks.next().catch((error: unknown) => ({ error }));
			let read = await readNext();
			for (; 'value' in read && !read.done; read = await readNext()) {
				const page = received === 0 && checkType(download, detectHtmlOrJson(read.value));
				if (page) throw fail(page);
				received += read.value.length;
				yield read.value;
			}
			const error = 'error' in read ? read.error : undefined;
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
			if ('error' in next) throw fail(next);
			({ stream, attempts } = next);
		}
	} finally {
		stream.destroy();
	}
}

/** Creates a stream of the same class as `existing`, because nodes cannot import that class. */
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
 * Fails if that is impossible, for example because the storage server does not support ranges.
 *
 * @param onFailure receives the error, and whether starting the download over may help
 */
export const createResumableStream = (
	download: StartedDownload,
	onFailure: (failure: TransferFailure) => void,
) => createStreamFromChunks(getBodyStream(download.response), readBytes(download, onFailure));
