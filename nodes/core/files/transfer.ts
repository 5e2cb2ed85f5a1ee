/**
 * Files between n8n and storage outside the API, as streams: nothing holds a video in memory.
 *
 * Rendered files and upload targets are pre-signed addresses. They are called without the
 * credential, and never with redirects followed on uploads (a client that follows redirects keeps
 * the whole body in memory to send it again).
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

/** Tries to move a file before giving up; every try of a download reads a fresh address. */
export const maxTransferAttempts = 4;
/** A file that does not move at all for this long has failed (milliseconds). */
const uploadTimeout = 3_600_000;

/** Why a try to move a file failed, and whether another may help. */
export type TransferFailure = { error: NodeError; retryable: boolean };
/** What one try to move a file came to. */
export type TransferResult<T> = { value: T } | TransferFailure;

/** The pause after so many tries. Ends early, and without an error, with the signal. */
export const pauseBeforeTransfer = async (tries: number, signal: AbortSignal) =>
	await clock.sleep(500 * 2 ** tries * (0.5 + Math.random() / 2), signal).catch(() => undefined);

/** Tries to move a file until it is there, or cannot be. */
export async function repeatTransfer<T>(
	client: Client,
	task: () => Promise<TransferResult<T>>,
): Promise<T> {
	for (let tries = 1; ; tries++) {
		const result = await task();
		if ('value' in result) return result.value;
		if (!result.retryable || tries >= maxTransferAttempts || client.signal.aborted)
			throw result.error;
		await pauseBeforeTransfer(tries, client.signal);
	}
}

/** The place of a file in sentences. Its address is not told whole: it may be signed. */
function describeFileHost(url: string) {
	const host = URL.canParse(url) ? new URL(url).host : 'The address';
	return {
		name: 'The place of the file',
		unreached: `${host} cannot be reached from this n8n. Check the address of the file, and the network and proxy of n8n.`,
	};
}

/** The error of a file whose connection failed, and whether a further try may help. */
export function createTransferFailure(
	client: Client,
	url: string,
	error: unknown,
	otherwise = 'unknown',
): TransferFailure {
	const code = findErrorCode(error) ?? otherwise;
	const place = describeFileHost(url);
	const impossible = classifyConnectionError(code) === 'impossible';
	const hint = impossible ? place.unreached : undefined;
	return {
		error: createConnectionError(client.node, code, findErrorMessage(error), { hint, place }),
		retryable: !impossible,
	};
}

/** A request without the credential: the response, or the connection error. */
export async function requestWithoutCredential(
	host: IExecuteFunctions,
	client: Client,
	options: IHttpRequestOptions,
): Promise<{ response: IN8nHttpFullResponse } | TransferFailure> {
	if (!/^https?:\/\//i.test(options.url)) {
		const scheme = options.url.split(':')[0]?.slice(0, 20) ?? '';
		const what = `A file cannot be fetched from an address that begins with "${scheme}:"`;
		const error = createOperationError(
			client.node,
			what,
			'Use an address that begins with https://',
		);
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

/** The error of a storage that refused. */
const createStorageError = (client: Client, status: number, what: string, description: string) =>
	createOperationError(client.node, `${what} (HTTP status ${status})`, description, { status });

/** The storage's refusal of a download. `fixed`: its address cannot be read anew. */
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
			? 'Addresses of files expire after a while. Check that it is still good.'
			: 'Addresses of rendered files expire; the node has read a fresh one for every try. Run again later.',
	),
	retryable: !fixed || status === 429 || status >= 500,
});

/** The error of a file of which not all arrived. */
export const createIncompleteFileError = (client: Client, bytes: number, announced: number) =>
	createOperationError(
		client.node,
		`The file arrived incomplete: ${bytes} of ${announced} bytes`,
		'Run again later.',
		{ code: 'incomplete_file' },
	);

/** The length of a binary field in bytes. */
export async function getBinaryLength(
	host: IExecuteFunctions,
	binary: IBinaryData,
): Promise<number> {
	if (typeof binary.bytes === 'number') return binary.bytes;
	if (binary.id) return (await host.helpers.getBinaryMetadata(binary.id)).fileSize;
	return Buffer.byteLength(binary.data, 'base64');
}

/** A file of an item on its way up. */
export interface OutgoingFile {
	name: string;
	mimeType: string;
	bytes: number;
	/** Reads it from its beginning, as often as needed. */
	open: () => Promise<FileStream | Buffer>;
}

/** The file in a binary field of an item. */
export async function openOutgoingFile(
	n8n: IExecuteFunctions,
	itemIndex: number,
	field: string,
	{ name, mimeType }: { name?: string; mimeType?: string } = {},
): Promise<OutgoingFile> {
	const binary = n8n.helpers.assertBinaryData(itemIndex, field);
	return {
		name: name ?? binary.fileName ?? `${field}.${binary.fileExtension ?? 'bin'}`,
		// Without parameters such as a charset.
		mimeType: (mimeType ?? binary.mimeType).split(';')[0]?.trim().toLowerCase() ?? '',
		bytes: await getBinaryLength(n8n, binary),
		open: async () =>
			binary.id ? await n8n.helpers.getBinaryStream(binary.id) : Buffer.from(binary.data, 'base64'),
	};
}

/** The bytes of a file, piece by piece. */
export async function* readChunks(content: FileStream | Buffer): AsyncGenerator<Buffer> {
	if (Buffer.isBuffer(content)) yield content;
	else for await (const chunk of content) yield chunk as Buffer;
}

/**
 * Streams a file to the address that a direct upload was given. The address is outside the API:
 * it gets the headers that came with it, and no credential.
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
			`"${name}" has ${bytes} bytes, more than the ${most} that the service takes`,
			'Use a smaller file.',
			{ code: 'file_too_large' },
		);
	}
	await repeatTransfer(client, async () => {
		const result = await client.slot(async () => {
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
				// What is refused early is not read to its end, and would keep its file open.
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
				`The storage of the service did not take "${name}"`,
				'Run again later.',
			),
			retryable: statusCode === 429 || statusCode >= 500,
		};
	});
}
