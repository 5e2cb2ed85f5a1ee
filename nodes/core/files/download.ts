/** Downloads files into n8n as streams. */
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { createOperationError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import { readContentLength } from './byteRanges';
import {
	requestFile,
	getStream,
	createResumingStream,
	type FileDownload,
} from './resumableDownload';
import {
	createTransferFailure,
	repeatTransfer,
	createIncompleteFileError,
	createStorageFailure,
	getBinaryLength,
	type TransferFailure,
	type TransferResult,
} from './transfer';

/** File to download. Its source is read again for each attempt, because its URL expires. */
export interface DownloadSource {
	url: string;
	fileName: string;
	/** Media type to use if the response has none. */
	mimeType: string;
	/**
	 * Whether the URL is fixed, so that a refusal by the storage is final.
	 */
	fixed?: boolean;
}

/**
 * Streams a file into n8n. A file that is shorter than announced is an error, never a result. After
 * a broken connection, the download resumes at the byte where it stopped if the storage supports
 * ranges; otherwise it starts over.
 *
 * @param source called before each attempt; throws if the file does not exist
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
			getStream(response).destroy();
		}
	});
}

/** Returns the media type of a response, without parameters. */
const getMediaType = ({ response: { headers } }: FileDownload) =>
	String(headers['content-type'] ?? '')
		.split(';')[0]
		?.trim();

/** Returns the failure of a response that is not the file, or undefined if it is the file. */
function checkIsFile(
	download: FileDownload,
	{ fixed, mimeType }: DownloadSource,
): TransferFailure | undefined {
	const { client, response } = download;
	if (response.statusCode !== 200) return createStorageFailure(client, response.statusCode, fixed);
	const type = getMediaType(download);
	if (type !== 'text/html' || mimeType === type) return undefined;
	return {
		error: createOperationError(
			client.node,
			'The URL of the file leads to a web page',
			'The URL may have expired, or require a login. Check it, or get a new one.',
			{ code: 'not_a_file' },
		),
		retryable: !fixed,
	};
}

async function storeDownload(
	download: FileDownload,
	{ fileName, mimeType }: DownloadSource,
): Promise<TransferResult<IBinaryData>> {
	const { host, client, response, url } = download;
	const type = getMediaType(download);
	const announced = readContentLength(response.headers);
	let failed: TransferFailure | undefined;
	try {
		const binary = await host.helpers.prepareBinaryData(
			createResumingStream(download, (failure) => (failed = failure)),
			fileName,
			type && type !== 'application/octet-stream' ? type : mimeType,
		);
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
		return failed ?? createTransferFailure(client, url, error, 'ECONNRESET');
	}
}
