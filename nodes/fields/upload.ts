/** Files of items into assets of the service (docs/service.md, Files and assets). */
import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { chunksOf, outgoing, put, type Outgoing } from '../core/files/streams';
import type { Client } from '../core/http/client';
import { holding } from '../core/http/limits';
import { heldForms } from '../core/memory';
import type { Upload } from '../core/operation';
import { derivedKey } from '../core/run/keys';

/** Media types that go up as a form (docs/service.md, Files and assets), by all names that they go by. */
const formTypes = new Map([
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
const largestForm = 32_000_000;
/** Time for a form of that size on a slow line (milliseconds). */
const formTimeout = 600_000;
/** What the forms of this process may hold in memory together, in bytes. */
const mostHeld = 64_000_000;

/** How a file is uploaded other than by default. */
export interface UploadOptions {
	/** Name and media type that the asset gets instead of the file's own. */
	name?: string;
	mimeType?: string;
	/** The user's own idempotency key. */
	idempotencyKey?: string;
	/** Further fields of the request. */
	more?: IDataObject;
}

/** What a direct upload announces of a file. Reads the file once, for its checksum. */
export async function announced({ name, mimeType, bytes, open }: Outgoing) {
	const hash = createHash('sha256');
	for await (const chunk of chunksOf(await open())) hash.update(chunk);
	return {
		filename: name,
		content_type: mimeType,
		size_bytes: bytes,
		checksum_sha256: hash.digest('hex'),
	};
}

/**
 * Uploads a small file as a form, in one request.
 *
 * The form is in memory as a whole. In return it can be sent again, by us and by n8n after it has
 * renewed an access token, which a stream cannot.
 */
async function uploadForm(
	n8n: IExecuteFunctions,
	client: Client,
	itemIndex: number,
	field: string,
	file: Outgoing,
	{ idempotencyKey, more }: UploadOptions,
): Promise<IDataObject> {
	return await holding(heldForms, mostHeld, file.bytes, async () => {
		const hash = createHash('sha256');
		const chunks: Buffer[] = [];
		for await (const chunk of chunksOf(await file.open())) {
			hash.update(chunk);
			chunks.push(chunk);
		}
		const form = new FormData();
		for (const [name, value] of Object.entries(more ?? {})) {
			form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
		}
		form.append(
			'file',
			new Blob(chunks as Uint8Array<ArrayBuffer>[], { type: formTypes.get(file.mimeType) }),
			file.name,
		);
		const line = 'POST /v3/assets';
		return await client.data({
			line,
			body: form as unknown as IHttpRequestOptions['body'],
			idempotencyKey:
				idempotencyKey ??
				derivedKey(n8n, itemIndex, line, [
					field,
					file.name,
					file.mimeType,
					hash.digest('hex'),
					more ?? {},
				]),
			timeout: formTimeout,
		});
	});
}

/** Uploads a file of any size and type straight to the service's storage. */
async function uploadDirect(
	n8n: IExecuteFunctions,
	client: Client,
	file: Outgoing,
	{ idempotencyKey, more }: UploadOptions,
): Promise<IDataObject> {
	const announcement = await announced(file);
	// The repeat of any step is harmless: an upload that is not completed is no asset.
	const target = await client.data({
		line: 'POST /v3/assets/direct-uploads',
		body: { ...announcement, ...more },
		idempotencyKey,
		repeatable: true,
	});
	await put(n8n, client, file, target);
	return await client.data({
		line: 'POST /v3/assets/{asset_id}/complete',
		path: { asset_id: String(target.asset_id) },
		body: { checksum_sha256: announcement.checksum_sha256 },
		repeatable: true,
	});
}

/**
 * Uploads a binary field and returns the new asset: as a form where the service takes the file
 * that way, else straight to its storage.
 */
export async function uploadBinary(
	n8n: IExecuteFunctions,
	client: Client,
	itemIndex: number,
	field: string,
	options: UploadOptions = {},
): Promise<IDataObject> {
	const file = await outgoing(n8n, itemIndex, field, options);
	return formTypes.has(file.mimeType) && file.bytes <= largestForm
		? await uploadForm(n8n, client, itemIndex, field, file, options)
		: await uploadDirect(n8n, client, file, options);
}

/** The port through which the core uploads the binary fields that a request refers to. */
export const upload: Upload = async ({ n8n, client, itemIndex }, field) =>
	String((await uploadBinary(n8n, client, itemIndex, field)).asset_id);
