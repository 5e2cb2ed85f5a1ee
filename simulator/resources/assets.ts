import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readBatch, readStatuses, statusesQuery } from '../batches';
import { invalid, missing, problem } from '../errors';
import { checkSignature, publicUrl, refuse, signedUrl } from '../media';
import { ok, page, paging, route } from '../route';
import { add, newId, type Asset, type Batch, type Service } from '../store';

const FILE_TYPES: Record<string, string> = {
	png: 'image/png',
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	mp4: 'video/mp4',
	webm: 'video/webm',
	mp3: 'audio/mpeg',
	wav: 'audio/wav',
	pdf: 'application/pdf',
	srt: 'application/x-subrip',
	zip: 'application/zip',
};

export const FORM_FILE_LIMIT_BYTES = 32 * 1024 * 1024;
const DIRECT_LIMIT_BYTES = 5 * 1024 ** 3;
const DIRECT_SECONDS = 3600;
/** Files up to this size are served back as they came. */
const KEPT_BYTES = 8 * 1024 * 1024;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/i, 'must be a SHA-256 in hex');

const directBody = z
	.object({
		filename: z.string().min(1).max(1024),
		content_type: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type'),
		size_bytes: z.number().int().min(1).max(DIRECT_LIMIT_BYTES),
		checksum_sha256: sha256.nullish(),
	})
	.strict();

/** Reads a stream to its end, keeping the bytes only of small files. */
async function take(stream: Readable) {
	const hash = createHash('sha256');
	let size = 0;
	let kept: Buffer[] | null = [];
	for await (const piece of stream as AsyncIterable<Buffer>) {
		hash.update(piece);
		size += piece.length;
		if (size > KEPT_BYTES) kept = null;
		kept?.push(piece);
	}
	return { size, sha256: hash.digest('hex'), bytes: kept ? Buffer.concat(kept) : null };
}

export function registerAssets(app: FastifyInstance, service: Service) {
	const read = { scope: 'assets:read' };
	const write = { scope: 'assets:write' };

	const find = (id: string | undefined) => {
		const asset = service.state.assets.get(id ?? '');
		if (!asset) throw missing('asset_not_found', `Asset ${id}`);
		return asset;
	};

	const url = (asset: Asset) =>
		`${service.baseUrl}/public/${asset.id}/${encodeURIComponent(asset.name)}`;

	const family = (type: string) => {
		const [first = ''] = type.split('/');
		return ['image', 'video', 'audio', 'font'].includes(first) ? first : 'file';
	};

	const view = (asset: Asset) => ({
		id: asset.id,
		name: asset.name,
		type: family(asset.mimeType),
		owner: 'demo',
		space_id: 'space_1',
		uploaded_at: Math.floor(asset.uploaded),
		folder_id: asset.folderId,
		url: asset.status === 'pending_upload' ? null : url(asset),
	});

	const addAsset = (asset: Pick<Asset, 'name' | 'mimeType' | 'size'> & Partial<Asset>) =>
		add<Asset>(service.state, service.state.assets, {
			id: newId('asset_'),
			announcedSha256: null,
			sha256: null,
			uploaded: service.clock.now(),
			status: 'pending_upload',
			bytes: null,
			folderId: null,
			batchId: null,
			...asset,
		});

	const receipt = (asset: Asset) => ({
		asset_id: asset.id,
		url: url(asset),
		mime_type: asset.mimeType,
		size_bytes: asset.size,
	});

	/** The one part named `file`, taken while it streams. */
	async function readForm(request: FastifyRequest) {
		if (!request.isMultipart())
			throw invalid('file', 'Send a multipart form with a part named file');
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

	route(
		app,
		service,
		'POST /v3/assets',
		{ ...write, idempotent: true, form: true },
		async ({ request }) => {
			const file = await readForm(request);
			if (file.size === 0) throw invalid('file', 'file: is empty');
			const ending = file.name.split('.').pop()?.toLowerCase() ?? '';
			const known = new Set(Object.values(FILE_TYPES));
			const mimeType = known.has(file.mimeType) ? file.mimeType : FILE_TYPES[ending];
			if (!mimeType)
				throw invalid('file', `file: ${file.mimeType} is not a type that can be uploaded`);
			return ok(receipt(addAsset({ ...file, mimeType, status: 'ready' })));
		},
	);

	function openDirect(body: z.infer<typeof directBody>, batchId: string | null = null) {
		const asset = addAsset({
			name: body.filename,
			mimeType: body.content_type,
			size: body.size_bytes,
			announcedSha256: body.checksum_sha256?.toLowerCase() ?? null,
			batchId,
		});
		return {
			asset_id: asset.id,
			upload_url: signedUrl(service, `/storage/${asset.id}`),
			upload_headers: {
				'Content-Type': asset.mimeType,
				...(asset.announcedSha256 ? { 'x-storage-sha256': asset.announcedSha256 } : {}),
			},
			expires_in_seconds: DIRECT_SECONDS,
			max_bytes: DIRECT_LIMIT_BYTES,
			status: 'pending_upload',
		};
	}

	route(
		app,
		service,
		'POST /v3/assets/direct-uploads',
		{ ...write, body: directBody },
		({ body }) => ok(openDirect(body)),
	);

	route(
		app,
		service,
		'POST /v3/assets/direct-uploads/batches',
		{
			...write,
			idempotent: true,
			body: z
				.object({
					files: z.array(directBody).min(1).max(100),
					title: z.string().nullish(),
					callback_url: z.string().url().nullish(),
				})
				.strict(),
		},
		({ body, now }) => {
			const batch = add<Batch>(service.state, service.state.batches, {
				id: newId('batch_'),
				kind: 'asset',
				title: body.title ?? null,
				created: now,
				// The callback of asset batches is reserved and never called.
				callbackUrl: null,
				announced: true,
				items: [],
			});
			const uploads = body.files.map((file) => openDirect(file, batch.id));
			batch.items = uploads.map(({ asset_id }) => ({
				status: 'queued',
				childId: asset_id,
				error: null,
			}));
			return ok({ batch_id: batch.id, items: uploads });
		},
	);

	const complete = (asset: Asset) => {
		if (asset.status === 'pending_upload') {
			throw problem(409, 'resource_not_ready', 'The bytes of this asset are not in storage yet');
		}
		asset.status = 'ready';
		const batch = service.state.batches.get(asset.batchId ?? '');
		const item = batch?.items.find(({ childId }) => childId === asset.id);
		if (item) item.status = 'completed';
	};

	route(
		app,
		service,
		'POST /v3/assets/complete/batches',
		{ ...write, body: z.object({ batch_id: z.string().min(1) }).strict() },
		({ body }) => {
			const batch = service.state.batches.get(body.batch_id);
			if (batch?.kind !== 'asset')
				throw missing('batch_not_found', `Batch ${body.batch_id}`, 'batch_id');
			for (const item of batch.items) {
				const asset = find(item.childId ?? '');
				if (asset.status === 'pending_upload') {
					item.status = 'failed';
					item.error = { code: 'resource_not_ready', message: 'The bytes never arrived' };
				} else complete(asset);
			}
			return ok({ batch_id: batch.id }, 202);
		},
	);

	route(
		app,
		service,
		'GET /v3/assets/batches/{batch_id}',
		{ ...read, query: z.object(paging(100)).strict() },
		({ params, query }) => readBatch(service, 'asset', params.batch_id, query),
	);

	route(
		app,
		service,
		'GET /v3/assets',
		{
			...read,
			query: z
				.object({ ...paging(20), username: z.string().min(1), folder_id: z.string().optional() })
				.strict(),
		},
		({ query }) => {
			const rows = [...service.state.assets.values()].filter(
				(asset) =>
					asset.status === 'ready' && (!query.folder_id || asset.folderId === query.folder_id),
			);
			return page(service, 'assets', rows, query, view);
		},
	);

	route(
		app,
		service,
		'GET /v3/assets/search',
		{
			...read,
			query: z
				.object({
					...paging(20, 50),
					query: z.string().min(1),
					type: z.enum(['image', 'icon']),
					scope: z.enum(['public', 'personal']).default('public'),
				})
				.strict(),
		},
		({ query }) => {
			const words = query.query.toLowerCase();
			const own = (): Asset[] =>
				[...service.state.assets.values()].filter(
					(asset) =>
						asset.status === 'ready' &&
						query.type === 'image' &&
						family(asset.mimeType) === 'image' &&
						asset.name.toLowerCase().includes(words),
				);
			const stock = () =>
				Array.from({ length: 30 }, (_, index) => ({
					id: `stock_${query.type}_${index + 1}`,
					seq: index,
				}));
			const view = ({ id }: { id: string }) => {
				const asset = service.state.assets.get(id);
				return {
					id,
					url: asset ? url(asset) : publicUrl(service.baseUrl, id, 'thumbnail.jpg'),
					width: 320,
					height: 180,
					orientation: 'landscape',
					is_transparent: query.type === 'icon',
					type: query.type,
				};
			};
			return query.scope === 'public'
				? page(service, 'asset search', stock(), query, view, 'catalog')
				: page(service, 'own asset search', own(), query, view);
		},
	);

	route(
		app,
		service,
		'GET /v3/assets/statuses',
		{ ...read, query: statusesQuery('asset_ids') },
		({ query }) =>
			readStatuses(service, 'asset', query.asset_ids, query.batch_ids, (id) => {
				const asset = service.state.assets.get(id);
				return asset && { status: asset.status === 'ready' ? 'completed' : 'queued', error: null };
			}),
	);

	route(
		app,
		service,
		'POST /v3/assets/{asset_id}/complete',
		{ ...write, body: z.object({ checksum_sha256: sha256.nullish() }).strict() },
		({ params, body }) => {
			const asset = find(params.asset_id);
			const claimed = body.checksum_sha256?.toLowerCase();
			if (asset.status !== 'pending_upload' && claimed && claimed !== asset.sha256) {
				throw invalid('checksum_sha256', 'checksum_sha256: differs from what was uploaded');
			}
			complete(asset);
			return ok({ ...receipt(asset), status: 'processing' });
		},
	);

	route(app, service, 'GET /v3/assets/{asset_id}', read, ({ params }) =>
		ok(view(find(params.asset_id))),
	);

	route(app, service, 'DELETE /v3/assets/{asset_id}', write, ({ params }) => {
		const { id } = find(params.asset_id);
		service.state.assets.delete(id);
		return ok({ id });
	});

	void app.register((storage, _options, done) => {
		registerStorage(storage, service);
		done();
	});
}

/** Where direct uploads go. It is no part of the API: it knows signatures, not keys. */
function registerStorage(storage: FastifyInstance, service: Service) {
	storage.removeAllContentTypeParsers();
	storage.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

	storage.put('/storage/:id', { bodyLimit: DIRECT_LIMIT_BYTES }, async (request, reply) => {
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
		if (request.fault?.cut === 'after') {
			reply.hijack();
			request.raw.socket.destroy();
			return reply;
		}
		return reply.status(200).send();
	});
}
