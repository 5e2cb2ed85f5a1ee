/**
 * Transfers files to and from storage outside the service's API. Files are streamed, so that a whole
 * video is never held in memory. The URLs are pre-signed, so requests to them contain no credential.
 */
import type {
	IBinaryData,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { clock } from '../clock';
import { getRequestSendState } from '../errors/errorDetails';
import {
	createConnectionError,
	createOperationError,
	type ConnectionTarget,
	type NodeError,
} from '../errors/nodeErrors';
import type { Client } from '../http/client';
import { closeConnectionOnDestroy } from '../http/receivedDataLimits';
import { findThrownErrorCode, findThrownErrorMessage, isStream } from '../http/reply';

export const maxTransferAttempts = 4;

export type TransferFailure = { error: NodeError; retryable: boolean };
export type TransferResult<T> = { value: T } | TransferFailure;

/** Pauses before a file transfer is retried. Resolves early if the signal aborts. */
export const pauseBeforeTransferRetry = async (attempts: number, signal: AbortSignal) =>
	await clock.sleep(500 * 2 ** attempts * (0.5 + Math.random() / 2), signal).catch(() => undefined);

export async function retryTransfer<T>(
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

/** Waits for all transfers, even if one fails, so that none is still running when the node ends. */
export async function awaitAllTransfers<T>(transfers: ReadonlyArray<Promise<T>>): Promise<T[]> {
	await Promise.allSettled(transfers);
	return await Promise.all(transfers);
}

/** Describes a file's host for errors, without the full URL, which may include a signature. */
function describeFileHost(url: string): ConnectionTarget {
	const host = URL.canParse(url) ? new URL(url).host : 'The host';
	const advice = `${host} cannot be reached from this n8n instance. Check the URL of the file, and n8n's network and proxy settings.`;
	return {
		name: 'The file host',
		unreachableAdvice: advice,
		handshakeAdvice: advice,
		unsendableAdvice: advice,
	};
}

export function createTransferFailure(
	client: Client,
	url: string,
	error: unknown,
	defaultCode = 'unknown',
): TransferFailure {
	const code = findThrownErrorCode(error) ?? defaultCode;
	const reason = findThrownErrorMessage(error);
	return {
		error: createConnectionError(client.node, code, reason, {}, describeFileHost(url)),
		retryable: getRequestSendState(code) !== 'impossible',
	};
}

const storageProblems: Record<string, string> = {
	ENOSPC: 'its disk is full',
	EDQUOT: 'its disk quota is used up',
	EROFS: 'its disk is read-only',
};

/** Explains an error of n8n's own file storage. n8n has already deleted the incomplete file. */
export function createN8nStorageFailure(
	client: Client,
	error: unknown,
): TransferFailure | undefined {
	const problem = storageProblems[findThrownErrorCode(error) ?? ''];
	if (problem === undefined) return undefined;
	return {
		error: createOperationError(
			client.node,
			`n8n could not store the file: ${problem}`,
			"Free up space on n8n's disk, then retry the execution. Or use the file's URL instead of downloading the file.",
			{ code: 'storage_full' },
		),
		retryable: false,
	};
}

/** Requests a file, without a credential. Returns errors instead of throwing them. */
export async function tryRequestWithoutCredential(
	host: IExecuteFunctions,
	client: Client,
	options: IHttpRequestOptions,
): Promise<{ response: IN8nHttpFullResponse } | TransferFailure> {
	if (!/^https?:\/\//i.test(options.url)) {
		const scheme = options.url.replace(/(?<=:).*/s, '').slice(0, 20);
		const message = `A file cannot be downloaded from a URL that begins with "${scheme}"`;
		const error = createOperationError(client.node, message, 'Use a URL that begins with https://');
		return { error, retryable: false };
	}
	const connection = new AbortController();
	try {
		const response = (await host.helpers.httpRequest({
			...options,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			abortSignal: AbortSignal.any([client.signal, connection.signal]),
		})) as IN8nHttpFullResponse;
		if (isStream(response.body)) closeConnectionOnDestroy(response.body, connection);
		return { response };
	} catch (error) {
		return createTransferFailure(client, options.url, error);
	}
}

export const createStorageError = (
	client: Client,
	status: number,
	message: string,
	advice: string,
) => createOperationError(client.node, `${message} (HTTP status ${status})`, advice, { status });

/** Creates the result of a failed download. `fixed`: whether the node cannot get a fresh URL. */
export const createDownloadFailure = (
	client: Client,
	status: number,
	fixed = false,
): TransferFailure => ({
	error: createStorageError(
		client,
		status,
		'The file could not be downloaded',
		fixed
			? 'File URLs expire after a while. Check whether this one is still valid.'
			: 'URLs of rendered files expire, but the node used a fresh one for each attempt. Try again later.',
	),
	retryable: !fixed || status === 429 || status >= 500,
});

/**
 * Creates the error for a download that ended before the end of the file.
 *
 * @param announced size of the file in bytes, or 0 if unknown
 * @param reason limit that ended the download, if any
 */
export const createIncompleteFileError = (
	client: Client,
	bytes: number,
	announced: number,
	reason?: string,
) =>
	createOperationError(
		client.node,
		`The downloaded file is incomplete: ${bytes}${announced > 0 ? ` of ${announced}` : ''} bytes${reason === undefined ? '' : ` (${reason})`}`,
		'Try again later.',
		{ code: 'incomplete_file' },
	);

export async function getBinaryLength(
	host: IExecuteFunctions,
	binary: IBinaryData,
): Promise<number> {
	if (typeof binary.bytes === 'number') return binary.bytes;
	if (binary.id) return (await host.helpers.getBinaryMetadata(binary.id)).fileSize;
	return Buffer.byteLength(binary.data, 'base64');
}
