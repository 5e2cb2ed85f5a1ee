import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createInvalidParameterError } from '../../errors';
import { sendResponse } from '../../http/responses';
import { findSignatureError, sendStorageError } from '../../media';
import type { Service } from '../../service';

export const maxFormFileBytes = 32 * 1024 * 1024;
/** The service publishes no maximum. */
export const maxDirectUploadBytes = 16 * 1024 ** 3;
/** Larger files are served back as synthetic bytes, so that uploads never fill the memory. */
const maxKeptBytes = 8 * 1024 * 1024;

/** Reads a stream to its end. Returns the bytes of small files only. */
async function readStream(stream: Readable) {
	const hash = createHash('sha256');
	let size = 0;
	let kept: Buffer[] | null = [];
	for await (const piece of stream as AsyncIterable<Buffer>) {
		hash.update(piece);
		size += piece.length;
		if (size > maxKeptBytes) kept = null;
		kept?.push(piece);
	}
	return { size, sha256: hash.digest('hex'), bytes: kept ? Buffer.concat(kept) : null };
}

/** Reads the only part of the form, named `file`. Throws on any other part. */
export async function readForm(request: FastifyRequest) {
	if (!request.isMultipart())
		throw createInvalidParameterError('file', 'Send a multipart form with a part named file');
	const parts: object[] = [];
	if (request.received) request.received.body = { multipart: parts };
	let file:
		(Awaited<ReturnType<typeof readStream>> & { name: string; mimeType: string }) | undefined;
	let unexpectedPart: string | undefined;
	for await (const part of request.parts()) {
		if (part.type === 'field') {
			parts.push({ name: part.fieldname, value: part.value });
			unexpectedPart ??= part.fieldname;
			continue;
		}
		const { filename, mimetype } = part as MultipartFile;
		const content = await readStream(part.file);
		parts.push({
			name: part.fieldname,
			filename,
			mimetype,
			bytes: content.size,
			sha256: content.sha256,
		});
		if (part.file.truncated)
			throw createInvalidParameterError('file', 'file: is larger than 32 MB');
		if (part.fieldname === 'file') file = { ...content, name: filename, mimeType: mimetype };
		else unexpectedPart ??= part.fieldname;
	}
	if (unexpectedPart)
		throw createInvalidParameterError(unexpectedPart, `${unexpectedPart}: is no part of this form`);
	if (!file || !file.name)
		throw createInvalidParameterError('file', 'file: Required, with a file name');
	return file;
}

/** Registers the storage for direct uploads. It accepts signed URLs and rejects API keys. */
export function registerStorage(app: FastifyInstance, service: Service) {
	void app.register(async (storage) => registerStorageRoutes(storage, service));
}

function registerStorageRoutes(storage: FastifyInstance, service: Service) {
	storage.removeAllContentTypeParsers();
	storage.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

	storage.put('/storage/:id', { bodyLimit: maxDirectUploadBytes }, async (request, reply) => {
		service.clock.runDueActions();
		const rejectUpload = async (status: number, code: string) => {
			request.raw.resume();
			return sendStorageError(reply, status, code);
		};
		const { headers } = request;
		if (headers['x-api-key'] !== undefined || headers.authorization !== undefined) {
			return rejectUpload(400, 'InvalidArgument');
		}
		const errorCode = findSignatureError(service, request);
		if (errorCode) return rejectUpload(403, errorCode);
		const asset = service.state.assets.get((request.params as { id: string }).id);
		if (!asset) return rejectUpload(404, 'NoSuchUpload');
		const announcedChecksum = asset.announcedSha256;
		const length = headers['content-length'];
		if (length === undefined) return rejectUpload(411, 'MissingContentLength');
		if (Number(length) !== asset.size) return rejectUpload(400, 'EntityWrongSize');
		if (headers['content-type'] !== asset.mimeType)
			return rejectUpload(403, 'SignatureDoesNotMatch');
		if (announcedChecksum && headers['x-storage-sha256'] !== announcedChecksum) {
			return rejectUpload(403, 'SignatureDoesNotMatch');
		}
		const content = await readStream(request.raw);
		if (request.received) {
			request.received.body = { bytes: content.size, sha256: content.sha256 };
		}
		if (content.size !== asset.size) return sendStorageError(reply, 400, 'IncompleteBody');
		if (announcedChecksum && content.sha256 !== announcedChecksum)
			return sendStorageError(reply, 400, 'BadDigest');
		Object.assign(asset, { sha256: content.sha256, bytes: content.bytes });
		if (asset.status === 'pending_upload') asset.status = 'stored';
		return sendResponse(request, reply, { status: 200, body: '' });
	});
}
