import type { INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenBackgroundRemoval/operations';
import type { Simulator } from '../../../simulator';
import {
	describeOperations,
	few,
	first,
	runForJson,
	noWait,
	url,
	type Case,
} from '../support/cases';
import { loadListPage } from '../support/contexts';
import { byId, readContent, runNode, storeBinary, type RunOptions } from '../support/engine';
import { media } from '../support/media';
import { useService } from '../support/service';

const video = url('https://files.example/talk.mp4');

const aRemoval = async (service: Simulator) =>
	await runForJson(service, 'VideoGenBackgroundRemoval', { operation: 'create', video, ...noWait });

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
				// The key is in the body, because this endpoint ignores the header.
				request_id: expect.stringMatching(/^n8n-[0-9a-f]{48}$/),
			},
		}),
		returns: (items) => {
			expect(first(items)).toMatchObject({
				job_id: expect.any(String),
				job: { kind: 'background_removal', id: first(items).job_id },
			});
		},
	},
	get: {
		before: aRemoval,
		parameters: (ids) => ({ operation: 'get', job_id: byId(String(ids.job_id)) }),
		sends: (ids) => ({ line: `GET /v3/background-removals/${String(ids.job_id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({
				job_id: ids.job_id,
				status: 'completed',
				layers: {
					foreground: expect.stringContaining('http'),
					mask: expect.stringContaining('http'),
					background: expect.stringContaining('http'),
				},
			});
		},
	},
	getMany: {
		before: aRemoval,
		parameters: () => ({ operation: 'getMany', ...few }),
		sends: () => ({ line: 'GET /v3/background-removals', query: { limit: '3' } }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ job_id: ids.job_id });
		},
	},
	delete: {
		before: aRemoval,
		parameters: (ids) => ({ operation: 'delete', job_id: byId(String(ids.job_id)) }),
		sends: (ids) => ({ line: `DELETE /v3/background-removals/${String(ids.job_id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toEqual({ job_id: ids.job_id, deleted: true });
		},
	},
	download: {
		before: aRemoval,
		parameters: (ids) => ({
			operation: 'download',
			job_id: byId(String(ids.job_id)),
			files: ['mask'],
			binaryPropertyName: 'mask',
		}),
		sends: (ids) => ({ line: `GET /v3/background-removals/${String(ids.job_id)}`, query: {} }),
		returns: async (items, ids) => {
			expect(items[0]?.binary?.mask).toMatchObject({
				fileName: `${String(ids.job_id)}_mask.webm`,
				mimeType: 'video/webm',
			});
			// The signature of a WebM file.
			expect((await readContent(items[0], 'mask')).subarray(0, 4).toString('hex')).toBe('1a45dfa3');
		},
	},
};

describeOperations('VideoGenBackgroundRemoval', resources, cases);

const service = useService({ jobSeconds: 1 });

const talk = media('video.mp4');
const creates = () => service.control.requests({ method: 'POST', path: '/v3/background-removals' });

const removal = async (parameters: INodeParameters = {}, more: RunOptions = {}) =>
	await runNode(
		service,
		'VideoGenBackgroundRemoval',
		{
			operation: 'create',
			video: { __rl: true, mode: 'url', value: 'https://files.example/talk.mp4' },
			waitForCompletion: true,
			...parameters,
			options: { pollInterval: 1, ...(parameters.options as INodeParameters) },
		},
		more,
	);

test('a video of the item is uploaded, and its layer can be downloaded', async () => {
	const created = await removal(
		{ video: { __rl: true, mode: 'binary', value: 'talk' } },
		{ items: [{ json: {}, binary: { talk: await storeBinary(talk, 'talk.mp4', 'video/mp4') } }] },
	);
	expect(created.error).toBeUndefined();
	const [upload] = service.control.requests({ method: 'POST', path: '/v3/assets' });
	expect(upload?.body).toMatchObject({ multipart: [{ bytes: talk.length }] });
	expect(creates()[0]?.body).toMatchObject({
		video: { type: 'asset_id', asset_id: expect.any(String) },
	});
	const [item] = created.items;
	expect(item?.json).toMatchObject({
		status: 'completed',
		layers: { foreground: expect.stringContaining('http') },
		job: { kind: 'background_removal', id: item?.json.job_id },
	});

	const { items } = await runNode(service, 'VideoGenBackgroundRemoval', {
		operation: 'download',
		job_id: byId(String(item?.json.job_id)),
		files: ['foreground'],
		binaryPropertyName: 'data',
		options: { fileName: 'speaker.webm' },
	});
	expect(items[0]?.binary?.data).toMatchObject({ fileName: 'speaker.webm' });
	expect((await readContent(items[0])).length).toBeGreaterThan(1000);
});

test('a lost response and a retry of the node create only one job', async () => {
	service.control.fail({ path: '/v3/background-removals', cut: 'after', times: 1 });
	const one = await removal({ waitForCompletion: false }, { executionId: 'same' });
	const two = await removal({ waitForCompletion: false }, { executionId: 'same' });
	expect(creates()).toHaveLength(3);
	expect(service.control.jobs('background_removal')).toHaveLength(1);
	expect(two.items[0]?.json.job_id).toBe(one.items[0]?.json.job_id);
	expect(creates()[0]?.headers['idempotency-key']).toBeUndefined();

	await removal({ waitForCompletion: false, options: { idempotencyKey: 'order-7' } });
	expect(creates().at(-1)?.body).toMatchObject({ request_id: 'order-7' });
	// A request_id in the Additional Body Fields is used as the key.
	const additionalBodyFields = '{"request_id": "my-own"}';
	await removal({ waitForCompletion: false, options: { additionalBodyFields } });
	expect(creates().at(-1)?.body).toMatchObject({ request_id: 'my-own' });
});

test('a failed job is an error with its reason and its ID', async () => {
	service.control.failNext('background_removal', {
		code: 'generation_failed',
		message: 'Nobody is seen',
	});
	const { error } = await removal();
	expect(error?.message).toContain('The background removal failed: Nobody is seen');
	expect(error?.description).toMatch(/background removal removal_/);
});

test('a job that is deleted during the wait is an error', async () => {
	service.control.fail({
		method: 'GET',
		path: /background-removals\//,
		body: { data: { id: 'x', status: 'deleted', layers: {} } },
	});
	const { error } = await removal();
	expect(error?.message).toContain('The background removal failed');
	expect(error?.context?.details).toMatchObject({ status: 'deleted' });
});

test('the download of a layer that was not created is an error that explains why', async () => {
	const created = await removal({ options: { layers: ['mask'] } });
	const id = String(created.items[0]?.json.job_id);
	const { error } = await runNode(service, 'VideoGenBackgroundRemoval', {
		operation: 'download',
		job_id: byId(id),
		files: ['background'],
		binaryPropertyName: 'data',
	});
	expect(error?.message).toContain(`Background removal ${id} has no layer "background"`);
	expect(error?.description).toContain('Set Layers when you create');
});

test('a job that is not finished has no layers yet', async () => {
	service.control.holdJobs(true);
	const created = await removal({ waitForCompletion: false });
	const { error } = await runNode(service, 'VideoGenBackgroundRemoval', {
		operation: 'download',
		job_id: byId(String(created.items[0]?.json.job_id)),
		files: ['mask'],
		binaryPropertyName: 'data',
	});
	service.control.holdJobs(false);
	expect(error?.description).toContain('Wait until it is completed');
});

test.each([
	['an unknown layer', { options: { layers: ['sky'] } }, /^"Layers → entry 1" must be one of/],
	[
		'an invalid URL',
		{ video: { __rl: true, mode: 'url', value: 'talk.mp4' } },
		/^"Video → url" must be a full URL/,
	],
])('%s is rejected before anything is sent', async (_, parameters, message) => {
	const { error } = await removal(parameters as INodeParameters);
	expect(error?.message).toMatch(message);
	expect(service.control.requests()).toHaveLength(0);
});

test('Get Many returns all pages', async () => {
	for (let i = 0; i < 3; i++) await removal({ waitForCompletion: false });
	const all = await runNode(service, 'VideoGenBackgroundRemoval', {
		operation: 'getMany',
		returnAll: true,
	});
	expect(all.items).toHaveLength(3);
});

test('the list in the form shows all with status and time', async () => {
	const { items } = await removal();
	const id = String(items[0]?.json.job_id);
	await removal({ waitForCompletion: false });
	const searchList = async (filter?: string) =>
		(
			await loadListPage(service, 'VideoGenBackgroundRemoval', 'searchBackgroundRemovals', {
				filter,
			})
		).results;
	expect(await searchList()).toHaveLength(2);
	const [found, ...others] = await searchList('completed');
	expect(others).toEqual([]);
	expect(found).toMatchObject({
		value: id,
		name: expect.stringMatching(/^removal_\w+ \(completed, \d{4}-\d\d-\d\d \d\d:\d\d UTC\)$/),
	});
});
