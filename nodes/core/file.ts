/**
 * Files between n8n and the service, as streams both ways: nothing holds a video in memory.
 * (Small files go up as a form, and all forms together hold no more than `mostHeld`.)
 *
 * Rendered files and upload targets are pre-signed addresses outside the API. They are called
 * without the credential, and never with redirects followed on uploads (a client that follows
 * redirects keeps the whole body in memory to send it again).
 */
import { createHash } from 'crypto';
import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	IWebhookFunctions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { clock } from './clock';
import { connection, connectionError, operationError } from './errors';
import { derivedKey } from './idempotency';
import { codeOf, type Client, type FileStream } from './request';

type FileHost = IExecuteFunctions | IWebhookFunctions;

/** Tries to move a file before giving up; every try of a download reads a fresh address. */
const maxTries = 4;
/** A file that does not move at all for this long has failed (milliseconds). */
const uploadTimeout = 3_600_000;

/** A binary field of the item, uploaded before the request is sent. */
export interface BinaryInput {
	type: 'binary';
	field: string;
	/** The item that holds the file; set by the core. */
	item?: number;
	/** `id`: the API wants the bare asset id in this place. */
	as?: 'id';
}

/** A file field of the form as its checked value: what the API takes, or a binary field. */
export type AssetInput =
	| { type: 'url'; url: string }
	| { type: 'asset_id'; asset_id: string }
	| { type: 'base64'; media_type: string; data: string }
	| BinaryInput;

/** What is to be downloaded, read anew for every try because its address expires. */
export interface Source {
	url: string;
	fileName: string;
	/** Used when the answer does not tell the type. */
	mimeType: string;
	/** There is no way to read the address anew: what the storage refuses stays refused. */
	fixed?: boolean;
}

type Tried<T> = { value: T } | { error: NodeApiError | NodeOperationError; again: boolean };

async function repeat<T>(client: Client, task: () => Promise<Tried<T>>): Promise<T> {
	for (let tries = 1; ; tries++) {
		const result = await task();
		if ('value' in result) return result.value;
		if (!result.again || tries >= maxTries || client.signal.aborted) throw result.error;
		await clock
			.sleep(500 * 2 ** tries * (0.5 + Math.random() / 2), client.signal)
			.catch(() => undefined);
	}
}

/** What to do when the place of a file is out of reach. Its address is not told whole: it may be signed. */
function unreached(url: string): string {
	const host = URL.canParse(url) ? new URL(url).host : 'The address';
	return `${host} cannot be reached from this n8n. Check the address of the file, and the network and proxy of n8n.`;
}

/** A request without the credential: the response, or the connection error. */
async function plain(
	host: FileHost,
	client: Client,
	options: IHttpRequestOptions,
): Promise<{ response: IN8nHttpFullResponse } | { error: NodeApiError; again: boolean }> {
	try {
		const response = (await host.helpers.httpRequest({
			...options,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			abortSignal: client.signal,
		})) as IN8nHttpFullResponse;
		return { response };
	} catch (error) {
		const code = codeOf(error) ?? 'unknown';
		return {
			error: connectionError(
				client.node,
				code,
				(error as Error).message,
				connection(code) === 'broken' ? undefined : unreached(String(options.url)),
				'The place of the file',
			),
			again: connection(code) !== 'other',
		};
	}
}

const storageFailed = (client: Client, status: number, what: string, description: string) =>
	operationError(client.node, `${what} (HTTP status ${status})`, description, { status });

async function storedBytes(host: FileHost, binary: IBinaryData): Promise<number> {
	if (typeof binary.bytes === 'number') return binary.bytes;
	if (binary.id) return (await host.helpers.getBinaryMetadata(binary.id)).fileSize;
	return Buffer.byteLength(binary.data, 'base64');
}

/**
 * Streams a rendered file into n8n. A file that arrives shorter than announced is an error, never
 * a result.
 *
 * @param source read before every try; may throw when the file does not exist
 */
export async function download(
	host: FileHost,
	client: Client,
	source: () => Promise<Source>,
): Promise<IBinaryData> {
	return await repeat<IBinaryData>(client, async () => {
		// Read outside the slot: it takes one of its own.
		const found = await source();
		return await client.slot(async () => await store(host, client, found));
	});
}

async function store(
	host: FileHost,
	client: Client,
	{ url, fileName, mimeType, fixed }: Source,
): Promise<Tried<IBinaryData>> {
	const result = await plain(host, client, {
		method: 'GET',
		url,
		encoding: 'stream',
		// What is packed would arrive unpacked, and not with the length that was announced.
		headers: { 'Accept-Encoding': 'identity' },
	});
	if ('error' in result) return result;
	const { statusCode, headers, body } = result.response;
	const stream = body as unknown as FileStream;
	if (statusCode !== 200) {
		stream.destroy();
		return {
			error: storageFailed(
				client,
				statusCode,
				'The file could not be downloaded',
				fixed
					? 'Addresses of files expire after a while. Check that it is still good.'
					: 'Addresses of rendered files expire; the node has read a fresh one for every try. Run again later.',
			),
			again: !fixed || statusCode === 429 || statusCode >= 500,
		};
	}
	const type = String(headers['content-type'] ?? '')
		.split(';')[0]
		?.trim();
	const announced =
		headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
	try {
		const binary = await host.helpers.prepareBinaryData(
			stream,
			fileName,
			type && type !== 'application/octet-stream' ? type : mimeType,
		);
		const bytes = await storedBytes(host, binary);
		// Some storages pack all the same: then more arrives than was announced.
		if (announced !== undefined && bytes < announced) {
			return { error: shortened(client, bytes, announced), again: true };
		}
		return { value: binary };
	} catch (error) {
		const code = codeOf(error) ?? 'ECONNRESET';
		return {
			error: connectionError(
				client.node,
				code,
				(error as Error).message,
				undefined,
				'The place of the file',
			),
			again: true,
		};
	}
}

const shortened = (client: Client, bytes: number, announced: number) =>
	operationError(
		client.node,
		`The file arrived incomplete: ${bytes} of ${announced} bytes`,
		'Run again later.',
		{ code: 'incomplete_file' },
	);

/** A binary field of an item: how large it is, and how to read it, as often as needed. */
export async function binaryOf(n8n: IExecuteFunctions, itemIndex: number, field: string) {
	const binary = n8n.helpers.assertBinaryData(itemIndex, field);
	const bytes = await storedBytes(n8n, binary);
	const open = async (): Promise<FileStream | Buffer> =>
		binary.id ? await n8n.helpers.getBinaryStream(binary.id) : Buffer.from(binary.data, 'base64');
	return { binary, bytes, open };
}

/** Media types that go up as a form (api.md, 11), by all names that they go by. */
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

let held = 0;
const waiting: Array<() => void> = [];

/** Does something that holds so many bytes in memory, once there is room for them. */
async function holding<T>(bytes: number, task: () => Promise<T>): Promise<T> {
	while (held > 0 && held + bytes > mostHeld) {
		await new Promise<void>((resolve) => waiting.push(resolve));
	}
	held += bytes;
	try {
		return await task();
	} finally {
		held -= bytes;
		for (const resume of waiting.splice(0)) resume();
	}
}

/** A file of an item on its way up. */
export interface Outgoing {
	name: string;
	mimeType: string;
	bytes: number;
	/** Reads it from its beginning, as often as needed. */
	open: () => Promise<FileStream | Buffer>;
}

/** How a file is uploaded other than by default. */
export interface UploadOptions {
	/** Name and media type that the asset gets instead of the file's own. */
	name?: string;
	mimeType?: string;
	/** The user's own idempotency key; only forms take one. */
	idempotencyKey?: string;
	/** Further fields of the request. */
	more?: IDataObject;
}

/** The file in a binary field of an item. */
export async function outgoing(
	n8n: IExecuteFunctions,
	itemIndex: number,
	field: string,
	{ name, mimeType }: UploadOptions = {},
): Promise<Outgoing> {
	const { binary, bytes, open } = await binaryOf(n8n, itemIndex, field);
	return {
		name: name ?? binary.fileName ?? `${field}.${binary.fileExtension ?? 'bin'}`,
		// Without parameters such as a charset.
		mimeType: (mimeType ?? binary.mimeType).split(';')[0]?.trim().toLowerCase() ?? '',
		bytes,
		open,
	};
}

async function* chunksOf(content: FileStream | Buffer): AsyncGenerator<Buffer> {
	if (Buffer.isBuffer(content)) yield content;
	else for await (const chunk of content) yield chunk as Buffer;
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
 * Streams a file to the address that a direct upload was given. The address is outside the API:
 * it gets the headers that came with it, and no credential.
 */
export async function put(
	n8n: IExecuteFunctions,
	client: Client,
	{ name, bytes, open }: Outgoing,
	target: IDataObject,
): Promise<void> {
	const most = Number(target.max_bytes ?? Infinity);
	if (bytes > most) {
		throw operationError(
			client.node,
			`"${name}" has ${bytes} bytes, more than the ${most} that the service takes`,
			'Use a smaller file.',
			{ code: 'file_too_large' },
		);
	}
	await repeat(client, async () => {
		const result = await client.slot(async () => {
			const content = await open();
			try {
				return await plain(n8n, client, {
					method: 'PUT',
					url: String(target.upload_url),
					headers: {
						...(target.upload_headers as IDataObject | undefined),
						'Content-Length': bytes,
					},
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
			error: storageFailed(
				client,
				statusCode,
				`The storage of the service did not take "${name}"`,
				'Run again later.',
			),
			again: statusCode === 429 || statusCode >= 500,
		};
	});
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
	return await holding(file.bytes, async () => {
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
	more?: IDataObject,
): Promise<IDataObject> {
	const announcement = await announced(file);
	// The repeat of any step is harmless: an upload that is not completed is no asset.
	const target = await client.data({
		line: 'POST /v3/assets/direct-uploads',
		body: { ...announcement, ...more },
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
		: await uploadDirect(n8n, client, file, options.more);
}

const isBinaryInput = (value: unknown): value is BinaryInput =>
	value !== null &&
	typeof value === 'object' &&
	(value as IDataObject).type === 'binary' &&
	typeof (value as IDataObject).field === 'string';

/** The binary fields that a value refers to, wherever they are in it. */
export function binaryInputs(value: unknown): BinaryInput[] {
	if (isBinaryInput(value)) return [value];
	if (value === null || typeof value !== 'object') return [];
	return Object.values(value).flatMap(binaryInputs);
}

/** The same value with every binary field uploaded and named by its asset id. */
export async function withUploads<T>(
	value: T,
	upload: (input: BinaryInput) => Promise<string>,
): Promise<T> {
	if (isBinaryInput(value)) {
		const id = await upload(value);
		return (value.as === 'id' ? id : { type: 'asset_id', asset_id: id }) as T;
	}
	if (Array.isArray(value)) {
		return (await Promise.all(value.map(async (one) => await withUploads(one, upload)))) as T;
	}
	if (value !== null && typeof value === 'object') {
		const entries = await Promise.all(
			Object.entries(value).map(async ([key, one]) => [key, await withUploads(one, upload)]),
		);
		return Object.fromEntries(entries) as T;
	}
	return value;
}
