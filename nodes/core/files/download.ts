/** Rendered files into n8n, as streams. */
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

/** What is to be downloaded, read anew for every try because its address expires. */
export interface DownloadSource {
	url: string;
	fileName: string;
	/** Used when the answer does not tell the type. */
	mimeType: string;
	/** There is no way to read the address anew: what the storage refuses stays refused. */
	fixed?: boolean;
}

/**
 * Streams a rendered file into n8n. A file that arrives shorter than announced is an error, never
 * a result. Where the connection breaks, it goes on at the byte where it stopped, if the storage
 * gives parts of files; else it begins anew.
 *
 * @param source read before every try; may throw when the file does not exist
 */
export async function downloadFile(
	host: IExecuteFunctions,
	client: Client,
	source: () => Promise<DownloadSource>,
): Promise<IBinaryData> {
	return await repeatTransfer<IBinaryData>(client, async () => {
		const found = await source();
		const result = await requestFile(host, client, found.url);
		if ('error' in result) return result;
		const { response } = result;
		const coming = { host, client, source, url: found.url, response };
		const other = checkIsFile(coming, found);
		try {
			return other ?? (await storeDownload(coming, found));
		} finally {
			getStream(response).destroy();
		}
	});
}

/** The media type of an answer, without parameters. */
const getMediaType = ({ response: { headers } }: FileDownload) =>
	String(headers['content-type'] ?? '')
		.split(';')[0]
		?.trim();

/** Why an answer is not the file. */
function checkIsFile(
	coming: FileDownload,
	{ fixed, mimeType }: DownloadSource,
): TransferFailure | undefined {
	const { client, response } = coming;
	if (response.statusCode !== 200) return createStorageFailure(client, response.statusCode, fixed);
	const type = getMediaType(coming);
	if (type !== 'text/html' || mimeType === type) return undefined;
	return {
		error: createOperationError(
			client.node,
			'A web page came in place of the file',
			'Its address may have expired, or lead to a page that asks for a login. Check it, or read it anew.',
			{ code: 'not_a_file' },
		),
		retryable: !fixed,
	};
}

async function storeDownload(
	coming: FileDownload,
	{ fileName, mimeType }: DownloadSource,
): Promise<TransferResult<IBinaryData>> {
	const { host, client, response, url } = coming;
	const type = getMediaType(coming);
	const announced = readContentLength(response.headers);
	let failed: TransferFailure | undefined;
	try {
		const binary = await host.helpers.prepareBinaryData(
			createResumingStream(coming, (why) => (failed = why)),
			fileName,
			type && type !== 'application/octet-stream' ? type : mimeType,
		);
		const bytes = await getBinaryLength(host, binary);
		if (bytes === 0) {
			const what = 'The file that came is empty';
			const error = createOperationError(client.node, what, 'Run again later.', {
				code: 'empty_file',
			});
			return { error, retryable: true };
		}
		// Some storages pack all the same: then more arrives than was announced.
		if (announced !== undefined && bytes < announced) {
			return { error: createIncompleteFileError(client, bytes, announced), retryable: true };
		}
		return { value: binary };
	} catch (error) {
		return failed ?? createTransferFailure(client, url, error, 'ECONNRESET');
	}
}
