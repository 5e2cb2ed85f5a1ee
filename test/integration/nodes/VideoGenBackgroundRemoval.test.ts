import { operations } from '../../../nodes/VideoGenBackgroundRemoval/operations';
import type { Simulator } from '../../../simulator';
import { byId, contentOf } from '../support/engine';
import { describeOperations, few, first, made, noWait, url, type Case } from '../support/cases';

const video = url('https://files.example/talk.mp4');

const aRemoval = async (service: Simulator) =>
	await made(service, 'VideoGenBackgroundRemoval', { operation: 'create', video, ...noWait });

const cases: Record<string, Case> = {
	create: {
		parameters: () => ({
			operation: 'create',
			video,
			...noWait,
			options: { layers: ['foreground', 'mask'], title: 'Talk' },
		}),
		sends: () => ({
			line: 'POST /v3/background-removals',
			body: {
				video: { type: 'url', url: 'https://files.example/talk.mp4' },
				layers: ['foreground', 'mask'],
				title: 'Talk',
				// The key stands in the body: the header is not honoured here.
				request_id: expect.stringMatching(/^n8n-[0-9a-f]{48}$/),
			},
		}),
		returns: (items) => {
			expect(first(items)).toMatchObject({
				id: expect.any(String),
				job: { kind: 'background_removal', id: first(items).id },
			});
		},
	},
	get: {
		before: aRemoval,
		parameters: (ids) => ({ operation: 'get', job_id: byId(String(ids.id)) }),
		sends: (ids) => ({ line: `GET /v3/background-removals/${String(ids.id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({
				id: ids.id,
				status: 'completed',
				layers: {
					foreground: expect.stringContaining('http'),
					mask: expect.stringContaining('http'),
					background: expect.stringContaining('http'),
				},
			});
		},
	},
	getAll: {
		before: aRemoval,
		parameters: () => ({ operation: 'getAll', ...few }),
		sends: () => ({ line: 'GET /v3/background-removals', query: { limit: '3' } }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ id: ids.id });
		},
	},
	delete: {
		before: aRemoval,
		parameters: (ids) => ({ operation: 'delete', job_id: byId(String(ids.id)) }),
		sends: (ids) => ({ line: `DELETE /v3/background-removals/${String(ids.id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toEqual({ id: ids.id, deleted: true });
		},
	},
	download: {
		before: aRemoval,
		parameters: (ids) => ({
			operation: 'download',
			job_id: byId(String(ids.id)),
			layer: 'mask',
			binaryPropertyName: 'mask',
		}),
		sends: (ids) => ({ line: `GET /v3/background-removals/${String(ids.id)}`, query: {} }),
		returns: async (items, ids) => {
			expect(items[0]?.binary?.mask).toMatchObject({
				fileName: `${String(ids.id)}_mask.webm`,
				mimeType: 'video/webm',
			});
			// The signature of a WebM file.
			expect((await contentOf(items[0], 'mask')).subarray(0, 4).toString('hex')).toBe('1a45dfa3');
		},
	},
};

describeOperations('VideoGenBackgroundRemoval', operations, cases);
