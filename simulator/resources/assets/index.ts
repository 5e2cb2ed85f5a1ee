import { readBatch, readStatuses } from '../../batches';
import { createInvalidParameterError, createNotFoundError, createError } from '../../errors';
import { respond } from '../../http/responses';
import { respondWithPage } from '../../http/pagination';
import type { Route } from '../../http/route';
import { buildPublicUrl, createSignedUrl } from '../../media';
import type { Asset, Batch } from '../../rows';
import type { Schemas } from '../../requestTypes';
import type { Service } from '../../service';
import { addRow, findRow, createId } from '../../store';
import { maxDirectUploadBytes, readForm } from './uploads';

const mediaTypeByExtension: Record<string, string> = {
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

const uploadUrlSeconds = 3600;

export function registerAssets(route: Route, service: Service) {
	const findAsset = (id: string | null | undefined) =>
		findRow(service.state.assets, id, 'Asset', 'asset_not_found');

	const buildAssetUrl = (asset: Asset) =>
		`${service.baseUrl}/public/${asset.id}/${encodeURIComponent(asset.name)}`;

	const getFileFamily = (type: string) => {
		const [first = ''] = type.split('/');
		return ['image', 'video', 'audio', 'font'].includes(first) ? first : 'file';
	};

	const viewAsset = (asset: Asset) => ({
		id: asset.id,
		name: asset.name,
		type: getFileFamily(asset.mimeType),
		owner: 'demo',
		space_id: 'space_1',
		uploaded_at: Math.floor(asset.uploaded),
		folder_id: asset.folderId,
		url: asset.status === 'pending_upload' ? null : buildAssetUrl(asset),
	});

	const addAsset = (asset: Pick<Asset, 'name' | 'mimeType' | 'size'> & Partial<Asset>) =>
		addRow<Asset>(service.state, service.state.assets, {
			id: createId('asset_'),
			announcedSha256: null,
			sha256: null,
			uploaded: service.clock.now(),
			status: 'pending_upload',
			bytes: null,
			folderId: null,
			batchId: null,
			...asset,
		});

	const viewUpload = (asset: Asset) => ({
		asset_id: asset.id,
		url: buildAssetUrl(asset),
		mime_type: asset.mimeType,
		size_bytes: asset.size,
	});

	route('POST /v3/assets', { needs: 'storage' }, async ({ request }) => {
		const file = await readForm(request);
		if (file.size === 0) throw createInvalidParameterError('file', 'file: is empty');
		const extension = file.name.split('.').pop()?.toLowerCase() ?? '';
		const known = new Set(Object.values(mediaTypeByExtension));
		const mimeType = known.has(file.mimeType) ? file.mimeType : mediaTypeByExtension[extension];
		if (!mimeType)
			throw createInvalidParameterError(
				'file',
				`file: ${file.mimeType} is not a type that can be uploaded`,
			);
		return respond(viewUpload(addAsset({ ...file, mimeType, status: 'ready' })));
	});

	function openDirectUpload(body: Schemas['DirectUploadRequest'], batchId: string | null = null) {
		const asset = addAsset({
			name: body.filename,
			mimeType: body.content_type,
			size: body.size_bytes,
			announcedSha256: body.checksum_sha256?.toLowerCase() ?? null,
			batchId,
		});
		return {
			asset_id: asset.id,
			upload_url: createSignedUrl(service, `/storage/${asset.id}`),
			upload_headers: {
				'Content-Type': asset.mimeType,
				...(asset.announcedSha256 ? { 'x-storage-sha256': asset.announcedSha256 } : {}),
			},
			expires_in_seconds: uploadUrlSeconds,
			max_bytes: maxDirectUploadBytes,
			status: 'pending_upload',
		};
	}

	route('POST /v3/assets/direct-uploads', { needs: 'storage' }, ({ body }) =>
		respond(openDirectUpload(body)),
	);

	route('POST /v3/assets/direct-uploads/batches', { needs: 'storage' }, ({ body, now }) => {
		const batch = addRow<Batch>(service.state, service.state.batches, {
			id: createId('batch_'),
			kind: 'asset',
			title: body.title ?? null,
			created: now,
			// The callback URL of asset batches is reserved and never called.
			callbackUrl: null,
			isAnnounced: true,
			items: [],
		});
		const uploads = body.files.map((file) => openDirectUpload(file, batch.id));
		batch.items = uploads.map(({ asset_id }) => ({
			status: 'queued',
			childId: asset_id,
			error: null,
		}));
		return respond({ batch_id: batch.id, items: uploads });
	});

	const completeAsset = (asset: Asset) => {
		if (asset.status === 'pending_upload') {
			throw createError(409, 'resource_not_ready', 'The file of this asset was not uploaded yet');
		}
		asset.status = 'ready';
		const batch = service.state.batches.get(asset.batchId ?? '');
		const item = batch?.items.find(({ childId }) => childId === asset.id);
		if (item) item.status = 'completed';
	};

	route('POST /v3/assets/complete/batches', ({ body }) => {
		const batch = service.state.batches.get(body.batch_id);
		if (batch?.kind !== 'asset')
			throw createNotFoundError('batch_not_found', `Batch ${body.batch_id}`, 'batch_id');
		for (const item of batch.items) {
			const asset = findAsset(item.childId);
			if (asset.status === 'pending_upload') {
				item.status = 'failed';
				item.error = { code: 'resource_not_ready', message: 'The file was not uploaded' };
			} else completeAsset(asset);
		}
		return respond({ batch_id: batch.id }, 202);
	});

	route('GET /v3/assets/batches/{batch_id}', ({ params, query }) =>
		readBatch(service, 'asset', params.batch_id, query),
	);

	route('GET /v3/assets', ({ query }) => {
		const rows = [...service.state.assets.values()].filter(
			(asset) =>
				asset.status === 'ready' && (!query.folder_id || asset.folderId === query.folder_id),
		);
		return respondWithPage(service, 'assets', rows, query, viewAsset);
	});

	route('GET /v3/assets/search', ({ query }) => {
		const words = query.query.toLowerCase();
		const findOwnImages = (): Asset[] =>
			[...service.state.assets.values()].filter(
				(asset) =>
					asset.status === 'ready' &&
					query.type === 'image' &&
					getFileFamily(asset.mimeType) === 'image' &&
					asset.name.toLowerCase().includes(words),
			);
		const createStockImages = () =>
			Array.from({ length: 30 }, (_, index) => ({
				id: `stock_${query.type}_${index + 1}`,
				seq: index,
			}));
		const viewAsset = ({ id }: { id: string }) => {
			const asset = service.state.assets.get(id);
			return {
				id,
				url: asset ? buildAssetUrl(asset) : buildPublicUrl(service.baseUrl, id, 'thumbnail.jpg'),
				width: 320,
				height: 180,
				orientation: 'landscape',
				is_transparent: query.type === 'icon',
				type: query.type,
			};
		};
		return query.scope === 'public'
			? respondWithPage(service, 'asset search', createStockImages(), query, viewAsset, 'catalog')
			: respondWithPage(service, 'own asset search', findOwnImages(), query, viewAsset);
	});

	route('GET /v3/assets/statuses', ({ query }) =>
		readStatuses(service, 'asset', query.asset_ids, query.batch_ids, (id) => {
			const asset = service.state.assets.get(id);
			return asset && { status: asset.status === 'ready' ? 'completed' : 'queued', error: null };
		}),
	);

	route('POST /v3/assets/{asset_id}/complete', ({ params, body }) => {
		const asset = findAsset(params.asset_id);
		const checksum = body.checksum_sha256?.toLowerCase();
		if (asset.status !== 'pending_upload' && checksum && checksum !== asset.sha256) {
			throw createInvalidParameterError(
				'checksum_sha256',
				'checksum_sha256: differs from what was uploaded',
			);
		}
		completeAsset(asset);
		return respond({ ...viewUpload(asset), status: 'processing' });
	});

	route('GET /v3/assets/{asset_id}', ({ params }) =>
		respond(viewAsset(findAsset(params.asset_id))),
	);

	route('DELETE /v3/assets/{asset_id}', ({ params }) => {
		const { id } = findAsset(params.asset_id);
		service.state.assets.delete(id);
		return respond({ id });
	});
}
