/**
 * Transfers files between n8n and storage outside the API. Files are streamed, so that no video is
 * held in memory.
 *
 * Rendered files and upload targets have pre-signed URLs, so they get no credential. Uploads do not
 * follow redirects: the client would keep the whole body in memory to send it again.
 */
import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { clock } from '../clock';
import { classifyConnectionError } from '../errors/connection';
import { createConnectionError, createOperationError, type NodeError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import { findErrorCode, findErrorMessage, type FileStream } from '../http/reply';
import { readObject } from '../json';

/** Maximum number of attempts to transfer a file. Each attempt of a download gets a fresh URL. */
export const maxTransferAttempts = 4;
/** Milliseconds without progress after which an upload fails. */
const uploadTimeout = 3_600_000;

/** Failure of a transfer, and whether another attempt may help. */
export type TransferFailure = { error: NodeError; retryable: boolean };
/** Result of one attempt to transfer a file. */
export type TransferResult<T> = { value: T } | TransferFailure;

/** Pauses before the next attempt. Resolves early if the signal aborts. */
export const pauseBeforeTransferRetry = async (attempts: number, signal: AbortSignal) =>
	await clock.sleep(500 * 2 ** attempts * (0.5 + Math.random() / 2), signal).catch(() => undefined);

/** Repeats a transfer until it succeeds, fails for good, or is aborted. */
export async function repeatTransfer<T>(
	client: Client,
	transfer: () => Promise<TransferResult<T>>,
): Promise<T> {
	for (let attempts = 1; ; attempts++) {
		const result = await transfer();
		if ('value' in result) return result.value;
		if (!result.retryable || attempts >= maxTransferAttempts || client.signal.aborted) {
			throw result.error;
		}
		await pauseBeforeTransferRetry(attempts, client.signal);
	}
}

/**
 * Describes the storage of a file for error messages. The full URL is not shown, because it may be
 * signed.
 */
function describeFileHost(url: string) {
	const host = URL.canParse(url) ? new URL(url).host : 'The host';
	return {
		name: 'The host of the file',
		unreachableAdvice: `${host} cannot be reached from this n8n. Check the URL of the file, and the network and proxy of n8n.`,
	};
}

/** Creates the failure of a transfer whose connection failed or broke. */
export function createTransferFailure(
	client: Client,
	url: string,
	error: unknown,
	defaultCode = 'unknown',
): TransferFailure {
	const code = findErrorCode(error) ?? defaultCode;
	const target = describeFileHost(url);
	const isImpossible = classifyConnectionError(code) === 'impossible';
	const hint = isImpossible ? target.unreachableAdvice : undefined;
	return {
		error: createConnectionError(client.node, code, findErrorMessage(error), { hint, target }),
		retryable: !isImpossible,
	};
}

/** Sends a request without the credential. Returns the response, or the failure as a value. */
export async function requestWithoutCredential(
	host: IExecuteFunctions,
	client: Client,
	options: IHttpRequestOptions,
): Promise<{ response: IN8nHttpFullResponse } | TransferFailure> {
	if (!/^https?:\/\//i.test(options.url)) {
		const scheme = options.url.split(':')[0]?.slice(0, 20) ?? '';
		const message = `A file cannot be downloaded from a URL that begins with "${scheme}:"`;
		const error = createOperationError(client.node, message, 'Use a URL that begins with https://');
		return { error, retryable: false };
	}
	try {
		const response = (await host.helpers.httpRequest({
			...options,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			abortSignal: client.signal,
		})) as IN8nHttpFullResponse;
		return { response };
	} catch (error) {
		return createTransferFailure(client, options.url, error);
	}
}

/** Creates the error for a refusal of the storage. */
const createStorageError = (client: Client, status: number, message: string, advice: string) =>
	createOperationError(client.node, `${message} (HTTP status ${status})`, advice, { status });

/**
 * Creates the failure of a download that the storage refuses.
 *
 * @param fixed whether no fresh URL can be read
 */
export const createStorageFailure = (
	client: Client,
	status: number,
	fixed = false,
): TransferFailure => ({
	error: createStorageError(
		client,
		status,
		'The file could not be downloaded',
		fixed
			? 'URLs of files expire after a while. Check whether this one is still valid.'
			: 'URLs of rendered files expire. The node has used a fresh one for each attempt. Run again later.',
	),
	retryable: !fixed || status === 429 || status >= 500,
});

/** Creates the error for a file that is shorter than announced. Lengths are in bytes. */
export const createIncompleteFileError = (client: Client, bytes: number, announced: number) =>
	createOperationError(
		client.node,
		`The file arrived incomplete: ${bytes} of ${announced} bytes`,
		'Run again later.',
		{ code: 'incomplete_file' },
	);

/** Returns the length of a binary field in bytes. */
export async function getBinaryLength(
	host: IExecuteFunctions,
	binary: IBinaryData,
): Promise<number> {
	if (typeof binary.bytes === 'number') return binary.bytes;
	if (binary.id) return (await host.helpers.getBinaryMetadata(binary.id)).fileSize;
	return Buffer.byteLength(binary.data, 'base64');
}

/** File of an item to be uploaded. */
export interface OutgoingFile {
	name: string;
	mimeType: string;
	bytes: number;
	/** Opens the content from the beginning. May be called repeatedly. */
	open: () => Promise<FileStream | Buffer>;
}

/** Returns the file in a binary field of an item. */
export async function openOutgoingFile(
	n8n: IExecuteFunctions,
	itemIndex: number,
	field: string,
	{ name, mimeType }: { name?: string; mimeType?: string } = {},
): Promise<OutgoingFile> {
	const binary = n8n.helpers.assertBinaryData(itemIndex, field);
	return {
		name: name ?? binary.fileName ?? `${field}.${binary.fileExtension ?? 'bin'}`,
		// Parameters such as a charset are dropped.
		mimeType: (mimeType ?? binary.mimeType).split(';')[0]?.trim().toLowerCase() ?? '',
		bytes: await getBinaryLength(n8n, binary),
		open: async () =>
			binary.id ? await n8n.helpers.getBinaryStream(binary.id) : Buffer.from(binary.data, 'base64'),
	};
}

/** Yields the bytes of a file in chunks. */
export async function* readChunks(content: FileStream | Buffer): AsyncGenerator<Buffer> {
	if (Buffer.isBuffer(content)) yield content;
	else for await (const chunk of content) yield chunk as Buffer;
}

/**
 * Streams a file to the URL that the service returned for a direct upload. The URL is outside the
 * API, so the request has the returned headers and no credential.
 */
export async function putFile(
	n8n: IExecuteFunctions,
	client: Client,
	{ name, bytes, open }: OutgoingFile,
	target: IDataObject,
): Promise<void> {
	const most = Number(target.max_bytes ?? Infinity);
	if (bytes > most) {
		throw createOperationError(
			client.node,
			`"${name}" has ${bytes} bytes, more than the ${most} that the service accepts`,
			'Use a smaller file.',
			{ code: 'file_too_large' },
		);
	}
	await repeatTransfer(client, async () => {
		const result = await client.runInSlot(async () => {
			const content = await open();
			try {
				return await requestWithoutCredential(n8n, client, {
					method: 'PUT',
					url: String(target.upload_url),
					headers: { ...readObject(target.upload_headers), 'Content-Length': bytes },
					body: content as unknown as IHttpRequestOptions['body'],
					disableFollowRedirect: true,
					timeout: uploadTimeout,
				});
			} finally {
				// After an early refusal, the rest of the stream is not read and would keep its file open.
				if (!Buffer.isBuffer(content)) content.destroy();
			}
		});
		if ('error' in result) return result;
		const { statusCode } = result.response;
		if (statusCode >= 200 && statusCode < 300) return { value: true };
		return {
			error: createStorageError(
				client,
				statusCode,
				`The storage of the service did not accept "${name}"`,
				'Run again later.',
			),
			retryable: statusCode === 429 || statusCode >= 500,
		};
	});
}
