import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid } from '../../errors';
import { send } from '../../http/answer';
import { checkSignature, refuse } from '../../media';
import type { Service } from '../../service';

export const formFileLimitBytes = 32 * 1024 * 1024;
export const directLimitBytes = 5 * 1024 ** 3;
/** Files up to this size are served back as they came. */
const keptBytes = 8 * 1024 * 1024;

/** Reads a stream to its end, keeping the bytes only of small files. */
async function take(stream: Readable) {
	const hash = createHash('sha256');
	let size = 0;
	let kept: Buffer[] | null = [];
	for await (const piece of stream as AsyncIterable<Buffer>) {
		hash.update(piece);
		size += piece.length;
		if (size > keptBytes) kept = null;
		kept?.push(piece);
	}
	return { size, sha256: hash.digest('hex'), bytes: kept ? Buffer.concat(kept) : null };
}

/** The one part named `file`, taken while it streams. */
export async function readForm(request: FastifyRequest) {
	if (!request.isMultipart()) throw invalid('file', 'Send a multipart form with a part named file');
	const parts: object[] = [];
	if (request.received) request.received.body = { multipart: parts };
	let file: (Awaited<ReturnType<typeof take>> & { name: string; mimeType: string }) | undefined;
	let stray: string | undefined;
	for await (const part of request.parts()) {
		if (part.type === 'field') {
			parts.push({ name: part.fieldname, value: part.value });
			stray ??= part.fieldname;
			continue;
		}
		const { filename, mimetype } = part as MultipartFile;
		const taken = await take(part.file);
		parts.push({
			name: part.fieldname,
			filename,
			mimetype,
			bytes: taken.size,
			sha256: taken.sha256,
		});
		if (part.file.truncated) throw invalid('file', 'file: is larger than 32 MB');
		if (part.fieldname === 'file') file = { ...taken, name: filename, mimeType: mimetype };
		else stray ??= part.fieldname;
	}
	if (stray) throw invalid(stray, `${stray}: is no part of this form`);
	if (!file || !file.name) throw invalid('file', 'file: Required, with a file name');
	return file;
}

/** Where direct uploads go. It is no part of the API: it knows signatures, not keys. */
export function registerStorage(app: FastifyInstance, service: Service) {
	void app.register(async (storage) => addStorage(storage, service));
}

function addStorage(storage: FastifyInstance, service: Service) {
	storage.removeAllContentTypeParsers();
	storage.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

	storage.put('/storage/:id', { bodyLimit: directLimitBytes }, async (request, reply) => {
		service.clock.pump();
		const fail = async (status: number, code: string) => {
			request.raw.resume();
			return refuse(reply, status, code);
		};
		const { headers } = request;
		if (headers['x-api-key'] !== undefined || headers.authorization !== undefined) {
			return fail(400, 'InvalidArgument');
		}
		const refused = checkSignature(service, request);
		if (refused) return fail(403, refused);
		const asset = service.state.assets.get((request.params as { id: string }).id);
		if (!asset) return fail(404, 'NoSuchUpload');
		const announced = asset.announcedSha256;
		const length = headers['content-length'];
		if (length === undefined) return fail(411, 'MissingContentLength');
		if (Number(length) !== asset.size) return fail(400, 'EntityWrongSize');
		if (headers['content-type'] !== asset.mimeType) return fail(403, 'SignatureDoesNotMatch');
		if (announced && headers['x-storage-sha256'] !== announced) {
			return fail(403, 'SignatureDoesNotMatch');
		}
		const taken = await take(request.raw);
		if (request.received) {
			request.received.body = { bytes: taken.size, sha256: taken.sha256 };
		}
		if (taken.size !== asset.size) return refuse(reply, 400, 'IncompleteBody');
		if (announced && taken.sha256 !== announced) return refuse(reply, 400, 'BadDigest');
		Object.assign(asset, { sha256: taken.sha256, bytes: taken.bytes });
		if (asset.status === 'pending_upload') asset.status = 'stored';
		return send(request, reply, { status: 200, body: '' });
	});
}
