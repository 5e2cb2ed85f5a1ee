/**
 * Uploads files from the binary fields of items as assets of the service
 * (docs/service.md, Files and assets).
 */
import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { toNodeError } from '../core/errors/nodeErrors';
import {
	readChunks,
	prepareFileToUpload,
	putFile,
	type FileToUpload,
} from '../core/files/transfer';
import { readText, toText } from '../core/json';
import { createMemoryBudget, withMemoryBudget } from '../core/files/memoryBudget';
import type { BinaryInputUploader, UploadContext } from '../core/operation';

/**
 * Media types that the service accepts in a form upload (docs/service.md, Files and assets).
 * Alternative names are mapped to the accepted ones.
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
 * Maximum size of a form upload in bytes. The documented limit is 32 MB; to be safe, it is taken as
 * 32,000,000 bytes, the smaller meaning of the unit.
 */
const maxFormBytes = 32_000_000;
/** Timeout of a form upload in milliseconds, enough for the largest form on a slow connection. */
const formTimeout = 600_000;
/** Memory budget in bytes that all form uploads of this n8n process share. */
const formMemory = createMemoryBudget(64_000_000);

/**
 * Builds the request body that announces a file for a direct upload: its name, media type and size
 * in bytes.
 */
const describeFile = ({ name, mimeType, bytes }: FileToUpload) => ({
	filename: name,
	content_type: mimeType,
	size_bytes: bytes,
});

/**
 * Builds the request body that announces a file for a direct upload, including its SHA-256
 * checksum. Reads the whole file to calculate the checksum.
 */
export async function describeFileWithChecksum(file: FileToUpload) {
	const hash = createHash('sha256');
	for await (const chunk of readChunks(await file.open())) hash.update(chunk);
	return { ...describeFile(file), checksum_sha256: hash.digest('hex') };
}

/** Returns the data that identifies an upload and from which its idempotency key is derived. */
const identifyUpload = (
	line: string,
	{ itemIndex, field, isRequest }: UploadSource,
	content: unknown,
) => ({
	line,
	...(isRequest ? {} : { name: `file ${itemIndex} ${field}` }),
	content,
});

/** Asset that an upload has created. */
interface StoredAsset {
	asset: IDataObject;
	/** SHA-256 checksum of the file in hex, if it was calculated. */
	checksum?: string;
}

/**
 * Uploads a small file as a form, in one request.
 *
 * The whole form is held in memory. Unlike a stream, it can be sent again by a retry, or by n8n
 * after it renews an access token.
 */
async function uploadForm(
	source: UploadSource,
	file: FileToUpload,
	more: IDataObject,
): Promise<StoredAsset> {
	const { client, keys } = source;
	return await withMemoryBudget(formMemory, file.bytes, async () => {
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

/** Uploads a file of any size and type directly to the service's storage. */
async function uploadDirect(
	source: UploadSource,
	file: FileToUpload,
	more: IDataObject,
): Promise<StoredAsset> {
	const { n8n, client, keys } = source;
	// Keys that outlive the execution depend on the content. Only then is the file read twice.
	const announcement: IDataObject = keys.outlivesExecution
		? await describeFileWithChecksum(file)
		: describeFile(file);
	const line = 'POST /v3/assets/direct-uploads';
	const target = await client.fetchData({
		line,
		body: { ...announcement, ...more },
		// An upload without its completion creates no asset, so every step may be repeated.
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

/** File to upload: the name of its binary field, and the context of the upload. */
interface UploadSource extends UploadContext {
	field: string;
	/**
	 * Whether the upload is the operation's own request, instead of providing a file for another
	 * request.
	 */
	isRequest?: boolean;
}

/**
 * Uploads a file as a form if the service accepts its type and size, and otherwise directly to the
 * service's storage.
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
 * Uploads the file of a binary field that a request refers to. Returns the ID of the new asset and
 * a string that identifies the file's content.
 */
export const uploadBinaryInput: BinaryInputUploader = async (context, field) => {
	const file = await prepareFileToUpload(context.n8n, context.itemIndex, field);
	const { asset, checksum } = await storeFile({ ...context, field }, file, {});
	return {
		id: toText(asset.asset_id),
		content: `${file.mimeType} ${file.name} ${checksum ?? file.bytes}`,
	};
};
