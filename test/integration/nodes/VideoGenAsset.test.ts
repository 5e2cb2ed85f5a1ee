import { createHash } from 'node:crypto';
import type { INodeExecutionData } from 'n8n-workflow';
import { request } from 'undici';
import { resources } from '../../../nodes/VideoGenAsset/operations';
import type { Simulator } from '../../../simulator';
import { byId, readContent } from '../support/engine';
import {
	uploadAsset,
	describeOperations,
	few,
	first,
	isRunning,
	runForJson,
	noWait,
	type Case,
	withId,
} from '../support/cases';
import { media } from '../support/media';

const picture = media('thumbnail.jpg');
const sha256 = createHash('sha256').update(picture).digest('hex');

/** An item with the picture as binary data. */
const withPicture: INodeExecutionData[] = [
	{
		json: {},
		binary: {
			data: { data: picture.toString('base64'), mimeType: 'image/jpeg', fileName: 'me.jpg' },
		},
	},
];

const announcement = {
	filename: 'me.jpg',
	content_type: 'image/jpeg',
	size_bytes: picture.length,
	checksum_sha256: sha256,
};

const aBatch = async (service: Simulator) =>
	await runForJson(
		service,
		'VideoGenAsset',
		{ operation: 'uploadBatch', binaryPropertyNames: 'data', ...noWait },
		{ items: withPicture },
	);

/** A direct upload whose file is stored, but which is not completed. */
async function aStoredUpload(service: Simulator) {
	const { checksum_sha256, ...file } = announcement;
	const target = await runForJson(service, 'VideoGenAsset', {
		...{ operation: 'createDirectUpload', ...file, options: { checksum_sha256 } },
	});
	const headers = target.upload_headers as Record<string, string>;
	const body = picture;
	const reply = await request(String(target.upload_url), { method: 'PUT', headers, body });
	expect(reply.statusCode).toBe(200);
	return target;
}

const film = { filename: 'film.mp4', content_type: 'video/mp4', size_bytes: 5_000_000_000 };

const cases: Record<string, Case> = {
	upload: {
		items: withPicture,
		parameters: () => ({ binaryPropertyName: 'data', options: { fileName: 'logo.jpg' } }),
		sends: () => ({
			line: 'POST /v3/assets',
			body: {
				multipart: [
					{
						name: 'file',
						filename: 'logo.jpg',
						mimetype: 'image/jpeg',
						bytes: picture.length,
						sha256,
					},
				],
			},
		}),
		keyed: true,
	},
	uploadBatch: {
		items: withPicture,
		parameters: () => ({ binaryPropertyNames: 'data', ...noWait, options: { title: 'Holiday' } }),
		sends: () => ({
			line: 'POST /v3/assets/direct-uploads/batches',
			body: { title: 'Holiday', files: [announcement] },
		}),
		keyed: true,
		returns: (items) => {
			expect(items).toHaveLength(1);
			expect(first(items)).toEqual({
				...announcement,
				asset_id: expect.any(String),
				batch_id: expect.any(String),
				item_index: 0,
				job: { kind: 'asset_batch', id: first(items).batch_id },
				...isRunning,
			});
		},
	},
	createDirectUpload: {
		parameters: () => ({ ...film, options: { checksum_sha256: sha256 } }),
		sends: () => ({
			line: 'POST /v3/assets/direct-uploads',
			body: { ...film, checksum_sha256: sha256 },
		}),
	},
	completeDirectUpload: {
		before: aStoredUpload,
		parameters: (ids) => ({ asset_id: byId(ids.asset_id), options: { checksum_sha256: sha256 } }),
		sends: (ids) => ({
			line: `POST /v3/assets/${ids.asset_id}/complete`,
			body: { checksum_sha256: sha256 },
		}),
	},
	get: withId('GET /v3/assets/{asset_id}', uploadAsset),
	getMany: {
		before: uploadAsset,
		parameters: () => ({ ...few }),
		sends: () => ({ line: 'GET /v3/assets', query: { limit: '3', username: 'demo' } }),
	},
	search: {
		parameters: () => ({ query: 'a lighthouse', type: 'icon', scope: 'public', ...few }),
		sends: () => ({
			line: 'GET /v3/assets/search',
			query: { query: 'a lighthouse', type: 'icon', scope: 'public', limit: '3' },
		}),
	},
	getBatch: {
		before: aBatch,
		parameters: (ids) => ({ batch_id: String(ids.batch_id) }),
		sends: (ids) => ({ line: `GET /v3/assets/batches/${ids.batch_id}`, query: { limit: '100' } }),
	},
	getStatuses: {
		before: aBatch,
		parameters: (ids) => ({
			asset_ids: ` ${ids.asset_id} , asset_none,`,
			batch_ids: String(ids.batch_id),
		}),
		sends: (ids) => ({
			line: 'GET /v3/assets/statuses',
			query: { asset_ids: `${ids.asset_id},asset_none`, batch_ids: String(ids.batch_id) },
		}),
		returns: (items, ids) =>
			expect(items.map(({ json }) => [json.video_id, json.status])).toEqual([
				[ids.asset_id, 'completed'],
				['asset_none', 'not_found'],
				[ids.asset_id, 'completed'],
			]),
	},
	delete: withId('DELETE /v3/assets/{asset_id}', uploadAsset),
	download: {
		before: uploadAsset,
		parameters: (ids) => ({ asset_id: byId(ids.asset_id), binaryPropertyName: 'photo' }),
		sends: (ids) => ({ line: `GET /v3/assets/${ids.asset_id}`, query: {} }),
		returns: async (items, ids) => {
			expect(first(items)).toMatchObject({ asset_id: ids.asset_id });
			expect(items[0]?.binary?.photo).toMatchObject({ fileName: 'me.jpg', mimeType: 'image/jpeg' });
			expect((await readContent(items[0], 'photo')).equals(picture)).toBe(true);
		},
	},
};

describeOperations('VideoGenAsset', resources, cases, [
	'search, Kind, a choice of the user’s own',
	'search, Where, a choice of the user’s own',
]);
