import { createHash } from 'node:crypto';
import type { INodeExecutionData } from 'n8n-workflow';
import { request } from 'undici';
import { resources } from '../../../nodes/VideoGenAsset/operations';
import type { Simulator } from '../../../simulator';
import { readContent } from '../support/engine';
import {
	uploadAsset,
	describeOperations,
	first,
	isRunning,
	runForJson,
	type Cases,
} from '../support/cases';
import { media } from '../support/media';
import { noWait } from '../support/expectedRequest';

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

const cases: Cases = {
	upload: {
		line: 'POST /v3/assets',
		parameters: { binaryPropertyName: 'data', options: { fileName: 'logo.jpg' } },
		differences: {
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
		items: withPicture,
		keyed: true,
	},
	uploadBatch: {
		line: 'POST /v3/assets/direct-uploads/batches',
		parameters: { binaryPropertyNames: 'data', options: { title: 'Holiday' } },
		differences: { files: [announcement] },
		items: withPicture,
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
		line: 'POST /v3/assets/direct-uploads',
		parameters: {
			filename: 'film.mp4',
			content_type: 'video/mp4',
			size_bytes: 5_000_000_000,
			options: { checksum_sha256: sha256 },
		},
	},
	completeDirectUpload: {
		line: 'POST /v3/assets/{asset_id}/complete',
		before: aStoredUpload,
		parameters: { options: { checksum_sha256: sha256 } },
	},
	get: { line: 'GET /v3/assets/{asset_id}', before: uploadAsset },
	getMany: { line: 'GET /v3/assets', before: uploadAsset, differences: { username: 'demo' } },
	search: {
		line: 'GET /v3/assets/search',
		parameters: { query: 'a lighthouse', type: 'icon', scope: 'public' },
	},
	getBatch: {
		line: 'GET /v3/assets/batches/{batch_id}',
		before: aBatch,
		differences: { limit: '100' },
	},
	getStatuses: {
		line: 'GET /v3/assets/statuses',
		before: aBatch,
		parameters: (ids) => ({
			asset_ids: ` ${ids.asset_id} , asset_none,`,
			batch_ids: String(ids.batch_id),
		}),
		differences: (ids) => ({ asset_ids: `${ids.asset_id},asset_none` }),
		returns: (items, ids) =>
			expect(items.map(({ json }) => [json.video_id, json.status])).toEqual([
				[ids.asset_id, 'completed'],
				['asset_none', 'not_found'],
				[ids.asset_id, 'completed'],
			]),
	},
	delete: { line: 'DELETE /v3/assets/{asset_id}', before: uploadAsset },
	download: {
		line: 'GET /v3/assets/{asset_id}',
		before: uploadAsset,
		parameters: { binaryPropertyName: 'photo' },
		returns: async (items, ids) => {
			expect(first(items)).toMatchObject({ asset_id: ids.asset_id });
			expect(items[0]?.binary?.photo).toMatchObject({ fileName: 'me.jpg', mimeType: 'image/jpeg' });
			expect((await readContent(items[0], 'photo')).equals(picture)).toBe(true);
		},
	},
};

describeOperations('VideoGenAsset', resources, cases, [
	'search, Type, a choice of the user’s own',
	'search, Search In, a choice of the user’s own',
]);
