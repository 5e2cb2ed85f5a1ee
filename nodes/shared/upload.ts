/**
 * Uploads files from the binary fields of items to the service, which stores them as assets
 * (service.md, Files and assets).
 */
import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { otherLimits } from '../apiLimits';
import { createOperationError, toNodeError } from '../core/errors/nodeErrors';
import { normalizeMediaType } from '../core/files/fileType';
import {
	createStorageError,
	getBinaryLength,
	retryTransfer,
	tryRequestWithoutCredential,
} from '../core/files/transfer';
import type { Client } from '../core/http/client';
import type { ByteStream } from '../core/http/receivedDataLimits';
import { isStream } from '../core/http/reply';
import { readObject, readText, toNumber, toText } from '../core/json';
import type { BinaryInputUploader, IdempotencyKeyInputs, UploadContext } from '../core/operation';
import { createSemaphore } from '../core/semaphore';

/** Time in milliseconds after which an upload without progress fails. */
const uploadTimeout = 3_600_000;

export interface FileToUpload {
	name: string;
	mimeType: string;
	bytes: number;
	/** Opens the file's content from the first byte. Can be called several times. */
	open: () => Promise<ByteStream | Buffer>;
}

export async function prepareFileToUpload(
	n8n: IExecuteFunctions,
	itemIndex: number,
	field: string,
	{ name, mimeType }: { name?: string; mimeType?: string } = {},
): Promise<FileToUpload> {
	const binary = n8n.helpers.assertBinaryData(itemIndex, field);
	return {
		name: name ?? binary.fileName ?? `${field}.${binary.fileExtension ?? 'bin'}`,
		mimeType: normalizeMediaType(mimeType ?? binary.mimeType),
		bytes: await getBinaryLength(n8n, binary),
		open: async () =>
			binary.id ? await n8n.helpers.getBinaryStream(binary.id) : Buffer.from(binary.data, 'base64'),
	};
}

export async function* readChunks(content: ByteStream | Buffer): AsyncGenerator<Buffer> {
	if (Buffer.isBuffer(content)) yield content;
	else for await (const chunk of content) yield chunk as Buffer;
}

/**
 * Streams a file to the storage URL that the service returned. The URL is outside the API, so the
 * request contains the headers from the service, but no credential. Follows no redirects, because
 * the HTTP client would have to hold the whole file in memory to send it again.
 */
export async function putFile(
	n8n: IExecuteFunctions,
	client: Client,
	{ name, bytes, open }: FileToUpload,
	target: IDataObject,
): Promise<void> {
	const most = toNumber(target.max_bytes ?? Infinity);
	if (bytes > most) {
		throw createOperationError(
			client.node,
			`"${name}" has ${bytes} bytes, more than the ${most} that the service accepts`,
			'Use a smaller file.',
			{ code: 'file_too_large' },
		);
	}
	await retryTransfer(client, async () => {
		const result = await client.runTransfer(async () => {
			const content = await open();
			try {
				return await tryRequestWithoutCredential(n8n, client, {
					method: 'PUT',
					url: toText(target.upload_url),
					headers: { ...readObject(target.upload_headers), 'Content-Length': bytes },
					body: content as unknown as IHttpRequestOptions['body'],
					disableFollowRedirect: true,
					timeout: uploadTimeout,
					// Otherwise, n8n would read the whole body, however long. Only the status
					// matters.
					encoding: 'stream',
				});
			} finally {
				// If the storage server rejects early, the rest of the stream is never read and
				// would keep its file open.
				if (!Buffer.isBuffer(content)) content.destroy();
			}
		});
		if ('error' in result) return result;
		const { statusCode, body } = result.response;
		if (isStream(body)) body.destroy();
		if (statusCode >= 200 && statusCode < 300) return { value: undefined };
		return {
			error: createStorageError(
				client,
				statusCode,
				`The service's storage did not accept "${name}"`,
				'Try again later.',
			),
			retryable: statusCode === 429 || statusCode >= 500,
		};
	});
}

/**
 * Media types of files that can be uploaded as form data, each mapped to the media type that the
 * service accepts (service.md, Files and assets).
 */
const formMediaTypes = new Map([
	['image/png', 'image/png'],
	['image/jpeg', 'image/jpeg'],
	['image/jpg', 'image/jpeg'],
	['video/mp4', 'video/mp4'],
	['video/webm', 'video/webm'],
	['audio/mpeg', 'audio/mpeg'],
	['audio/mp3', 'audio/mpeg'],
	['audio/wav', 'audio/wav'],
	['audio/wave', 'audio/wav'],
	['audio/x-wav', 'audio/wav'],
	['audio/vnd.wave', 'audio/wav'],
	['application/pdf', 'application/pdf'],
	['application/x-subrip', 'application/x-subrip'],
	['text/srt', 'application/x-subrip'],
]);

/**
 * Maximum size in bytes of a file that is uploaded as form data. A megabyte is taken as 1,000,000
 * bytes, the smaller of the two common meanings.
 */
const maxFormBytes = otherLimits.formUploadMegabytes * 1_000_000;
/**
 * Timeout in milliseconds for uploading a file as multipart form data. Long enough for the largest
 * file on a slow connection.
 */
const formTimeout = 600_000;
/**
 * Runs a form upload once enough memory is free. All form uploads in this n8n process together hold
 * at most 64 MB.
 */
const runInFormMemory = createSemaphore(64_000_000);

/**
 * Returns a file's name, media type and size in bytes, as the request for a direct upload expects
 * them.
 */
const buildDirectUploadSpec = ({ name, mimeType, bytes }: FileToUpload) => ({
	filename: name,
	content_type: mimeType,
	size_bytes: bytes,
});

/**
 * Returns a file's name, media type, size and SHA-256 checksum, as the request for a direct upload
 * expects them. Reads the whole file to calculate the checksum.
 */
export async function buildDirectUploadSpecWithChecksum(file: FileToUpload) {
	const hash = createHash('sha256');
	for await (const chunk of readChunks(await file.open())) hash.update(chunk);
	return { ...buildDirectUploadSpec(file), checksum_sha256: hash.digest('hex') };
}

/**
 * Returns the data from which an upload's idempotency key is derived. If keys outlive the
 * execution, this data includes the file's content, because users may reuse their own key for a
 * different file, in another node, or in another batch.
 */
function identifyUpload(
	line: string,
	{ itemIndex, field, isRequest, keys }: UploadSource,
	content: unknown,
): IdempotencyKeyInputs {
	if (isRequest) return { line, content };
	const name = ['file', itemIndex, field, ...(keys.outlivesExecution ? [content] : [])];
	return { line, name: JSON.stringify(name), content };
}

/** Asset that the service created from an uploaded file. */
interface StoredAsset {
	asset: IDataObject;
	/** SHA-256 checksum of the file in hex, if it was calculated. */
	checksum?: string;
}

/**
 * Uploads a small file as form data, in one request. Unlike a stream, the form data is held in
 * memory, so it can be sent again if the node retries the request or n8n renews the access token.
 */
async function uploadForm(
	source: UploadSource,
	file: FileToUpload,
	more: IDataObject,
): Promise<StoredAsset> {
	const { client, keys } = source;
	return await runInFormMemory(file.bytes, client.signal, async () => {
		const hash = createHash('sha256');
		const chunks: Array<Uint8Array<ArrayBuffer>> = [];
		for await (const chunk of readChunks(await file.open())) {
			hash.update(chunk);
			chunks.push(new Uint8Array(chunk));
		}
		const form = new FormData();
		for (const [name, value] of Object.entries(more)) {
			form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
		}
		form.append('file', new Blob(chunks, { type: formMediaTypes.get(file.mimeType) }), file.name);
		const line = 'POST /v3/assets';
		const checksum = hash.digest('hex');
		const content = [file.name, file.mimeType, checksum, more];
		const asset = await client.fetchData({
			line,
			body: form,
			idempotencyKey: keys.getKey(identifyUpload(line, source, content)),
			timeout: formTimeout,
		});
		return { asset, checksum };
	});
}

/** Uploads a file of any size and type directly to the service's file storage. */
async function uploadDirect(
	source: UploadSource,
	file: FileToUpload,
	more: IDataObject,
): Promise<StoredAsset> {
	const { n8n, client, keys } = source;
	// Keys that outlive the execution depend on the content, so the file must be read twice.
	const announcement: IDataObject = keys.outlivesExecution
		? await buildDirectUploadSpecWithChecksum(file)
		: buildDirectUploadSpec(file);
	const line = 'POST /v3/assets/direct-uploads';
	const target = await client.fetchData({
		line,
		body: { ...announcement, ...more },
		// Only completing an upload creates an asset, so every step may be repeated.
		repeatable: true,
		...(keys.outlivesExecution
			? { idempotencyKey: keys.getKey(identifyUpload(line, source, announcement)) }
			: {}),
	});
	const checksum = readText(announcement.checksum_sha256);
	const complete = async () => ({
		asset: await client.fetchData({
			line: 'POST /v3/assets/{asset_id}/complete',
			path: { asset_id: toText(target.asset_id) },
			body: checksum === undefined ? {} : { checksum_sha256: checksum },
			repeatable: true,
		}),
		checksum,
	});
	try {
		await putFile(n8n, client, file, target);
	} catch (error) {
		// The key may belong to an upload of an earlier run, whose target no longer accepts a file.
		if (!keys.outlivesExecution) throw toNodeError(client.node, error);
		return await complete().catch(() => {
			throw toNodeError(client.node, error);
		});
	}
	return await complete();
}

/**
 * File to upload, identified by its input item and binary field, with the client and the
 * idempotency keys for the upload requests.
 */
interface UploadSource extends UploadContext {
	field: string;
	/**
	 * Whether the user runs an upload operation, rather than another operation that uploads the
	 * file as one of its steps.
	 */
	isRequest?: boolean;
}

/**
 * Uploads a file as form data if the service accepts this for files of its type and size.
 * Otherwise, uploads it directly to the service's file storage.
 */
const storeFile = async (source: UploadSource, file: FileToUpload, more: IDataObject) =>
	formMediaTypes.has(file.mimeType) && file.bytes <= maxFormBytes
		? await uploadForm(source, file, more)
		: await uploadDirect(source, file, more);

/**
 * Uploads the file in a binary field and returns the new asset.
 *
 * @param more additional fields of the upload request
 */
export async function uploadBinary(
	source: UploadSource,
	names: { name?: string; mimeType?: string } = {},
	more: IDataObject = {},
): Promise<IDataObject> {
	const file = await prepareFileToUpload(source.n8n, source.itemIndex, source.field, names);
	return (await storeFile(source, file, more)).asset;
}

/**
 * Uploads the file in a binary field that a request refers to. Returns the new asset's ID and a
 * string that identifies the file by its type, name, and checksum or size.
 */
export const uploadBinaryInput: BinaryInputUploader = async (context, field) => {
	const file = await prepareFileToUpload(context.n8n, context.itemIndex, field);
	const { asset, checksum } = await storeFile({ ...context, field }, file, {});
	return {
		id: toText(asset.asset_id),
		content: `${file.mimeType} ${file.name} ${checksum ?? file.bytes}`,
	};
};
