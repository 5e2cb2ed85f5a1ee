/** Files of items into assets of the service (docs/service.md, Files and assets). */
import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { toNodeError } from '../core/errors/nodeErrors';
import { readChunks, openOutgoingFile, putFile, type OutgoingFile } from '../core/files/transfer';
import { readText } from '../core/json';
import { withMemoryBudget } from '../core/files/memoryBudget';
import { uploadMemory } from '../core/memory';
import type { UploadBinaryInput, UploadContext } from '../core/operation';

/** Media types that go up as a form (docs/service.md, Files and assets), by all names that they go by. */
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

/** The largest form that the service takes: 32 MB, read as the smaller of its two meanings. */
const maxFormBytes = 32_000_000;
/** Time for a form of that size on a slow line (milliseconds). */
const formTimeout = 600_000;
/** What the forms of this process may hold in memory together, in bytes. */
const maxFormBytesInMemory = 64_000_000;

/** What a direct upload announces of a file. */
const describeFile = ({ name, mimeType, bytes }: OutgoingFile) => ({
	filename: name,
	content_type: mimeType,
	size_bytes: bytes,
});

/** The same with its checksum, for which the file is read once. */
export async function describeFileWithChecksum(file: OutgoingFile) {
	const hash = createHash('sha256');
	for await (const chunk of readChunks(await file.open())) hash.update(chunk);
	return { ...describeFile(file), checksum_sha256: hash.digest('hex') };
}

/** The upload among the creates of its request. */
const toKeyedUpload = (
	line: string,
	{ itemIndex, field, isRequest }: UploadSource,
	content: unknown,
) => ({
	line,
	...(isRequest ? {} : { name: `file ${itemIndex} ${field}` }),
	content,
});

/** A file that the service has now. */
interface StoredAsset {
	asset: IDataObject;
	/** SHA-256 of the file, in hex, where it was read for that. */
	checksum?: string;
}

/**
 * Uploads a small file as a form, in one request.
 *
 * The form is in memory as a whole. In return it can be sent again, by us and by n8n after it has
 * renewed an access token, which a stream cannot.
 */
async function uploadForm(
	source: UploadSource,
	file: OutgoingFile,
	more: IDataObject,
): Promise<StoredAsset> {
	const { client, keys } = source;
	return await withMemoryBudget(uploadMemory, maxFormBytesInMemory, file.bytes, async () => {
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
			idempotencyKey: keys.key(toKeyedUpload(line, source, content)),
			timeout: formTimeout,
		});
		return { asset, checksum };
	});
}

/** Uploads a file of any size and type straight to the service's storage. */
async function uploadDirect(
	source: UploadSource,
	file: OutgoingFile,
	more: IDataObject,
): Promise<StoredAsset> {
	const { n8n, client, keys } = source;
	// Only a key that is to last tells files by their content: a gigabyte is not read twice for less.
	const opening: IDataObject = keys.lasting
		? await describeFileWithChecksum(file)
		: describeFile(file);
	const line = 'POST /v3/assets/direct-uploads';
	const target = await client.fetchData({
		line,
		body: { ...opening, ...more },
		// Within an execution the repeat of any step is harmless: what is not completed is no asset.
		repeatable: true,
		...(keys.lasting ? { idempotencyKey: keys.key(toKeyedUpload(line, source, opening)) } : {}),
	});
	const checksum = readText(opening.checksum_sha256);
	const complete = async () => ({
		asset: await client.fetchData({
			line: 'POST /v3/assets/{asset_id}/complete',
			path: { asset_id: String(target.asset_id) },
			body: checksum === undefined ? {} : { checksum_sha256: checksum },
			repeatable: true,
		}),
		checksum,
	});
	try {
		await putFile(n8n, client, file, target);
	} catch (error) {
		// The target of an earlier run, which is there already, may take nothing any more.
		if (!keys.lasting) throw toNodeError(client.node, error);
		return await complete().catch(() => {
			throw toNodeError(client.node, error);
		});
	}
	return await complete();
}

/** A binary field of an item. */
interface UploadSource extends UploadContext {
	field: string;
	/** The upload is what was asked for, and not a part of something else. */
	isRequest?: boolean;
}

/** Uploads a file: as a form where the service takes it that way, else straight to its storage. */
const storeFile = async (source: UploadSource, file: OutgoingFile, more: IDataObject) =>
	formMediaTypes.has(file.mimeType) && file.bytes <= maxFormBytes
		? await uploadForm(source, file, more)
		: await uploadDirect(source, file, more);

/**
 * Uploads a binary field and returns the new asset.
 *
 * @param more further fields of the request
 */
export async function uploadBinary(
	source: UploadSource,
	names: { name?: string; mimeType?: string } = {},
	more: IDataObject = {},
): Promise<IDataObject> {
	const file = await openOutgoingFile(source.n8n, source.itemIndex, source.field, names);
	return (await storeFile(source, file, more)).asset;
}

/** The port through which the core uploads the binary fields that a request refers to. */
export const uploadBinaryInput: UploadBinaryInput = async (context, field) => {
	const file = await openOutgoingFile(context.n8n, context.itemIndex, field);
	const { asset, checksum } = await storeFile({ ...context, field }, file, {});
	return {
		id: String(asset.asset_id),
		content: `${file.mimeType} ${file.name} ${checksum ?? file.bytes}`,
	};
};
