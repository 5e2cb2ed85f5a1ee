/** Downloads files as streams and stores them as n8n binary data. */
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { createOperationError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import type { ByteStream } from '../http/reply';
import { readContentLength } from './byteRanges';
import { storeNamedFile, type FileNameParts } from './fileNames';
import { detectTextType, determineFileType } from './fileType';
import {
	createStream,
	requestFile,
	getBodyStream,
	createResumingStream,
	type FileDownload,
} from './resumableDownload';
import {
	createStorageFailure,
	createTransferFailure,
	repeatTransfer,
	createIncompleteFileError,
	createDownloadFailure,
	getBinaryLength,
	type TransferFailure,
	type TransferResult,
} from './transfer';

/** URL, name and expected type of a file. Requested for each attempt, because the URL expires. */
export interface DownloadSource {
	url: string;
	name: FileNameParts;
	/** Media type to use if neither the response nor the URL shows one. */
	mimeType: string;
	/** File extension without the dot, for the same case. */
	extension: string;
	/** Whether every attempt uses the same URL, so that an expired URL cannot be replaced. */
	fixed?: boolean;
}

/**
 * Downloads a file as a stream and stores it as n8n binary data. Throws if fewer bytes arrive than
 * the storage announced. If the connection breaks, the download resumes where it stopped. It starts
 * over if the storage does not support ranges.
 *
 * @param source returns the URL of the file. Called before each attempt; throws if the file does
 * not exist
 */
export async function downloadFile(
	host: IExecuteFunctions,
	client: Client,
	source: () => Promise<DownloadSource>,
): Promise<IBinaryData> {
	return await repeatTransfer<IBinaryData>(client, async () => {
		const file = await source();
		const result = await requestFile(host, client, file.url);
		if ('error' in result) return result;
		const { response } = result;
		const download = { host, client, source, url: file.url, response };
		try {
			return checkIsFile(download, file) ?? (await storeDownload(download, file));
		} finally {
			getBodyStream(response).destroy();
		}
	});
}

/** Returns the media type of a response without parameters such as `; charset=utf-8`. */
const getMediaType = ({ response: { headers } }: FileDownload) =>
	String(headers['content-type'] ?? '')
		.replace(/;.*/s, '')
		.trim()
		.toLowerCase();

/** Matches media types of web pages and of error messages, which gateways send with status 200. */
const pageTypes = /^(text\/html|application\/(xhtml\+xml|([\w.-]+\+)?json))$/;

/** Whether the response has the media type of a web page or a message instead of the file's. */
const isPage = (type: string, expected: string) =>
	type === 'text/html'
		? expected !== type
		: pageTypes.test(type) && /^(video|audio|image)\//.test(expected);

/** Returns an error if the media type of a file is that of a web page or of a message. */
function checkType(
	client: Client,
	type: string,
	{ fixed, mimeType }: DownloadSource,
): TransferFailure | undefined {
	if (!isPage(type, mimeType)) return undefined;
	return {
		error: createOperationError(
			client.node,
			`The URL of the file leads to ${type.includes('html') ? 'a web page' : 'a message'} (${type})`,
			'The URL may have expired, or require a login. Check it, or get a new one.',
			{ code: 'not_a_file' },
		),
		retryable: !fixed,
	};
}

/**
 * Returns an error if the response is not the requested file: it has an error status, or the media
 * type of a web page or of a JSON message. Returns `undefined` if it may be the file.
 */
function checkIsFile(download: FileDownload, file: DownloadSource): TransferFailure | undefined {
	const { client, response } = download;
	return response.statusCode === 200
		? checkType(client, getMediaType(download), file)
		: createDownloadFailure(client, response.statusCode, file.fixed);
}

/**
 * Returns a stream with the same content that fails if it begins like a web page or a message,
 * whatever media type the host of the file has announced.
 *
 * @param onFailure receives the error
 */
function rejectPages(
	content: ByteStream,
	client: Client,
	file: DownloadSource,
	onFailure: (failure: TransferFailure) => void,
): ByteStream {
	async function* readCheckedChunks() {
		let isFirst = true;
		for await (const chunk of content) {
			const failure = isFirst
				? checkType(client, detectTextType(chunk as Buffer), file)
				: undefined;
			if (failure) {
				onFailure(failure);
				throw failure.error;
			}
			isFirst = false;
			yield chunk as Buffer;
		}
	}
	return createStream(content, readCheckedChunks());
}

async function storeDownload(
	download: FileDownload,
	file: DownloadSource,
): Promise<TransferResult<IBinaryData>> {
	const { host, client, response, url } = download;
	const { name, mimeType, extension } = file;
	const type = determineFileType(url, getMediaType(download), { mimeType, extension });
	const announced = readContentLength(response.headers);
	let failed: TransferFailure | undefined;
	try {
		const onFailure = (failure: TransferFailure) => void (failed = failure);
		const content = createResumingStream(download, onFailure);
		const checked = rejectPages(content, client, file, onFailure);
		const binary = await storeNamedFile(host, checked, name, type);
		const bytes = await getBinaryLength(host, binary);
		if (bytes === 0) {
			const error = createOperationError(
				client.node,
				'The downloaded file is empty',
				'Run again later.',
				{ code: 'empty_file' },
			);
			return { error, retryable: true };
		}
		// Some storages compress files anyway. More bytes than announced arrive then.
		if (announced !== undefined && bytes < announced) {
			return { error: createIncompleteFileError(client, bytes, announced), retryable: true };
		}
		return { value: binary };
	} catch (error) {
		return (
			failed ??
			createStorageFailure(client, error) ??
			createTransferFailure(client, url, error, 'ECONNRESET')
		);
	}
}
