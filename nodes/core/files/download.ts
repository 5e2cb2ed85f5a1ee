/** Downloads files as streams and stores them as n8n binary data. */
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { clock } from '../clock';
import { createOperationError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import { receiveLimits, type ByteStream } from '../http/receiveLimits';
import { storeUniquelyNamedFile, type FileNameInputs } from './fileNames';
import { detectHtmlOrJson, determineFileType, normalizeMediaType } from './fileType';
import {
	requestFile,
	getBodyStream,
	createResumableStream,
	readContentLength,
	type StartedDownload,
} from './resumableDownload';
import {
	createN8nStorageFailure,
	createTransferFailure,
	retryTransfer,
	createIncompleteFileError,
	createDownloadFailure,
	getBinaryLength,
	type TransferFailure,
	type TransferResult,
} from './transfer';

/** File to download. Determined again for each attempt, because URLs expire. */
export interface DownloadSource {
	url: string;
	name: FileNameInputs;
	/** Used if neither the response nor the URL indicates a type. */
	mimeType: string;
	/** Without the dot. Used if neither the response nor the URL indicates one. */
	extension: string;
	/** Whether there is only this URL, so that an expired one cannot be replaced. */
	fixed?: boolean;
}

/**
 * Streams a file to n8n's binary data. Resumes after a broken connection, or starts over if the
 * storage does not support ranges. Throws if fewer bytes arrive than announced.
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
		const { response } = result;
		const download = { host, client, source, url: file.url, response };
		try {
			return (await checkIsFile(download, file)) ?? (await storeDownload(download, file));
		} finally {
			getBodyStream(response).destroy();
		}
	};
	return await retryTransfer(client, async () => await client.runTransfer(attemptDownload));
}

const getMediaType = ({ response: { headers } }: StartedDownload) =>
	normalizeMediaType(String(headers['content-type'] ?? ''));

/** Gateways sometimes send web pages and JSON messages with status 200 instead of the file. */
const pageTypes = /^(text\/html|application\/(xhtml\+xml|([\w.-]+\+)?json))$/;

const isPage = (type: string, expected: string) =>
	type === 'text/html'
		? expected !== type
		: pageTypes.test(type) && /^(video|audio|image)\//.test(expected);

function checkType(
	client: Client,
	type: string,
	{ fixed, mimeType }: DownloadSource,
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

/**
 * Returns the first bytes of a stream without removing them, or none if the stream ends, fails or
 * stays silent before any arrive.
 */
const peekAtBeginning = async (stream: ByteStream): Promise<Buffer> =>
	await new Promise((resolve) => {
		const peeked = new AbortController();
		const peek = () => {
			peeked.abort();
			stream.off('readable', peek).off('close', peek);
			const beginning = stream.read() as Buffer | null;
			if (beginning) stream.unshift(beginning);
			resolve(beginning ?? Buffer.alloc(0));
		};
		if (stream.closed) peek();
		else stream.once('readable', peek).once('close', peek);
		const silence = receiveLimits.file.silence * 1000;
		void clock.sleep(silence, peeked.signal).then(peek, () => undefined);
		// The stream has no other listener until it is read. An error without a listener would end n8n.
		stream.on('error', () => undefined);
	});

/**
 * Returns an error if the status, the media type or the first bytes show another content than the
 * file.
 */
async function checkIsFile(
	download: StartedDownload,
	file: DownloadSource,
): Promise<TransferFailure | undefined> {
	const { client, response } = download;
	if (response.statusCode !== 200) {
		return createDownloadFailure(client, response.statusCode, file.fixed);
	}
	const failure = checkType(client, getMediaType(download), file);
	if (failure) return failure;
	const beginning = await peekAtBeginning(getBodyStream(response));
	return checkType(client, detectHtmlOrJson(beginning), file);
}

async function storeDownload(
	download: StartedDownload,
	file: DownloadSource,
): Promise<TransferResult<IBinaryData>> {
	const { host, client, response, url } = download;
	const { name, mimeType, extension } = file;
	const type = determineFileType(url, getMediaType(download), { mimeType, extension });
	const announced = readContentLength(response.headers) ?? 0;
	let failed: TransferFailure | undefined;
	try {
		const onFailure = (failure: TransferFailure) => void (failed = failure);
		const content = createResumableStream(download, onFailure);
		const binary = await storeUniquelyNamedFile(host, content, name, type);
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
		// Some storage servers compress files anyway. More bytes than announced then arrive.
		if (bytes < announced) {
			return { error: createIncompleteFileError(client, bytes, announced), retryable: true };
		}
		return { value: binary };
	} catch (error) {
		return (
			failed ??
			createN8nStorageFailure(client, error) ??
			createTransferFailure(client, url, error, 'ECONNRESET')
		);
	}
}
