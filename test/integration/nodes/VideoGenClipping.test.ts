import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenClipping/operations';
import { VideoGenClipping } from '../../../nodes/VideoGenClipping/VideoGenClipping.node';
import type { Simulator } from '../../../simulator';
import { loadListPage } from '../support/contexts';
import { byId, readContent, runNode, storeBinary } from '../support/engine';
import {
	describeOperations,
	few,
	first,
	runForJson,
	noWait,
	url,
	type Case,
} from '../support/cases';
import { media } from '../support/media';
import { useService } from '../support/service';
import { waitFor } from '../support/time';

const node = 'VideoGenClipping';

const long = { operation: 'create', video: url('https://files.example/long.mp4') };

const aJob = async (service: Simulator, options: INodeParameters = {}) =>
	await runForJson(service, node, { ...long, ...noWait, options });

const cases: Record<string, Case> = {
	create: {
		parameters: () => ({
			video: url('https://files.example/long.mp4'),
			output_settings: {
				duration_types: ['30', 'long'],
				aspect_ratio: 'square',
				captions: true,
				caption_style: 'neon_pink',
				prompt: 'The best jokes',
			},
			...noWait,
			options: {
				title: 'Talk',
				input_language: 'EN',
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
			},
		}),
		sends: () => ({
			line: 'POST /v3/ai-clipping',
			body: {
				video: { type: 'url', url: 'https://files.example/long.mp4' },
				output_settings: {
					duration_types: ['30', 'long'],
					aspect_ratio: 'square',
					captions: true,
					caption_style: 'neon_pink',
					prompt: 'The best jokes',
				},
				title: 'Talk',
				input_language: 'en',
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
			},
		}),
		returns: (items) => {
			const { ai_clipping_id: id } = first(items);
			expect(id).toEqual(expect.any(String));
			expect(first(items)).toEqual({
				ai_clipping_id: id,
				job_id: id,
				job: { kind: 'clipping', id },
			});
		},
	},
	get: {
		before: aJob,
		parameters: (ids) => ({ job_id: byId(String(ids.job_id)) }),
		sends: (ids) => ({ line: `GET /v3/ai-clipping/${String(ids.job_id)}`, query: {} }),
		returns: (items, ids) => {
			expect(items).toHaveLength(1);
			expect(first(items)).toMatchObject({
				job_id: ids.job_id,
				status: 'completed',
				progress: 100,
			});
			expect(first(items).clips).toHaveLength(3);
		},
	},
	getMany: {
		before: async (service) => {
			for (let i = 0; i < 4; i++) await aJob(service, { title: `Talk ${i}` });
			return {};
		},
		parameters: () => ({ ...few }),
		sends: () => ({ line: 'GET /v3/ai-clipping', query: { limit: '3' } }),
		returns: (items) => {
			expect(items.map(({ json }) => json.title)).toEqual(['Talk 3', 'Talk 2', 'Talk 1']);
		},
	},
	delete: {
		before: aJob,
		parameters: (ids) => ({ job_id: byId(String(ids.job_id)) }),
		sends: (ids) => ({ line: `DELETE /v3/ai-clipping/${String(ids.job_id)}`, query: {} }),
		returns: async (items, ids, service) => {
			expect(first(items)).toMatchObject({ job_id: ids.job_id });
			const { items: left } = await runNode(service, node, { operation: 'getMany' });
			expect(left.map(({ json }) => json.id)).not.toContain(ids.job_id);
		},
	},
	download: {
		before: aJob,
		parameters: (ids) => ({
			job_id: byId(String(ids.job_id)),
			clip_id: byId(`${String(ids.job_id)}_2`),
			files: ['thumbnail'],
			binaryPropertyName: 'still',
			options: { fileName: 'still.jpg' },
		}),
		sends: (ids) => ({ line: `GET /v3/ai-clipping/${String(ids.job_id)}`, query: {} }),
		returns: async (items, ids) => {
			expect(first(items)).toMatchObject({
				clip_id: `${String(ids.job_id)}_2`,
				title: 'A good question',
				job_id: ids.job_id,
				clipping: { status: 'completed' },
			});
			expect(items[0]?.binary?.still).toMatchObject({
				fileName: 'still.jpg',
				mimeType: 'image/jpeg',
			});
			expect((await readContent(items[0], 'still')).equals(media('thumbnail.jpg'))).toBe(true);
		},
	},
};

describeOperations(node, resources, cases);

describe(`${node}: settings, split clips and lists`, () => {
	const service = useService();

	const wait = { waitForCompletion: true, options: { pollInterval: 1 } };
	const settings = (output_settings: INodeParameters): INodeParameters => ({ output_settings });
	const options = (values: INodeParameters): INodeParameters => ({ options: values });

	const wrong: Array<[string, INodeParameters, RegExp]> = [
		['no video', { video: url('={{ "" }}') }, /^"Video" is required/],
		['an invalid URL', { video: url('long.mp4') }, /^"Video → url" must be a full URL/],
		[
			'a title of 256 characters',
			options({ title: 'x'.repeat(256) }),
			/^"Title" must have at most 255 characters, but has 256/,
		],
		[
			'a callback ID of 129 characters',
			options({ callback_id: 'x'.repeat(129) }),
			/^"Callback ID" must have at most 128 characters, but has 129/,
		],
		[
			'a language that is not a code',
			options({ input_language: 'English' }),
			/^"Input Language" must be a two-letter language code such as en, but is "English"/,
		],
		[
			'a prompt of 501 characters',
			settings({ prompt: 'x'.repeat(501) }),
			/^"Clip Settings → Prompt" must have at most 500 characters, but has 501/,
		],
	];

	test('settings that are not in a list are sent unchanged', async () => {
		const output_settings = {
			duration_types: '={{ ["30", "90"] }}',
			aspect_ratio: '={{ "vertical" }}',
			caption_style: '={{ "my_own" }}',
		};
		const { error } = await runNode(service, node, { ...long, ...noWait, output_settings });
		expect(error).toBeUndefined();
		const [request] = service.control.requests({ method: 'POST' });
		expect(request?.body).toMatchObject({
			output_settings: {
				duration_types: ['30', '90'],
				aspect_ratio: 'vertical',
				caption_style: 'my_own',
			},
		});
	});

	test.each(wrong)('%s is rejected before anything is sent', async (_, parameters, message) => {
		const { error } = await runNode(service, node, { ...long, ...noWait, ...parameters });
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Nothing was sent');
		expect(service.control.requests()).toHaveLength(0);
	});

	test('settings that are not set are not sent', async () => {
		await aJob(service);
		const [request] = service.control.requests({ method: 'POST' });
		expect(request?.body).toEqual({
			video: { type: 'url', url: 'https://files.example/long.mp4' },
		});
	});

	test('the service knows every caption style of the form', async () => {
		const { description } = new VideoGenClipping();
		const field = description.properties.find(({ name }) => name === 'output_settings');
		const style = (field?.options as unknown as IDataObject[]).find(
			({ name }) => name === 'caption_style',
		);
		const names = (style?.options as unknown as IDataObject[]).map(({ value }) => String(value));
		expect(names).toHaveLength(24);
		const { error } = await runNode(
			service,
			node,
			{ ...long, ...noWait, ...settings({ caption_style: '={{ $json.name }}' }) },
			{ items: names.map((name) => ({ json: { name } })) },
		);
		expect(error).toBeUndefined();
		expect(service.control.jobs('clipping')).toHaveLength(24);
	});

	test('a file of the item is uploaded and sent as an asset', async () => {
		const talk = await storeBinary(media('video.mp4'), 'talk.mp4', 'video/mp4');
		const { error } = await runNode(
			service,
			node,
			{ ...long, ...noWait, video: { __rl: true, mode: 'binary', value: 'talk' } },
			{ items: [{ json: {}, binary: { talk } }] },
		);
		expect(error).toBeUndefined();
		const [request] = service.control.requests({ method: 'POST', path: '/v3/ai-clipping' });
		const { video } = request?.body as { video: { type: string; asset_id: string } };
		expect(video).toEqual({ type: 'asset_id', asset_id: expect.any(String) });
		const response = await fetch(`${service.baseUrl}/public/${video.asset_id}/file`);
		expect(Buffer.from(await response.arrayBuffer()).equals(media('video.mp4'))).toBe(true);
	});

	test('waits for the clips and returns one item with all of them', async () => {
		const { items } = await runNode(service, node, { ...long, ...wait });
		expect(items).toHaveLength(1);
		expect(first(items)).toMatchObject({
			status: 'completed',
			clips: [{ virality_score: 91 }, { virality_score: 74 }, { virality_score: 58.5 }],
			job: { kind: 'clipping', id: first(items).job_id },
		});
	});

	test('waits for the clips and returns one item each, with the job and the paired item', async () => {
		const { items } = await runNode(
			service,
			node,
			{ ...long, ...wait, splitIntoClips: true },
			{ items: [{ json: {} }, { json: {} }] },
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 0, 1, 1, 1].map((item) => ({ item })),
		);
		const jobs = service.control.jobs('clipping') as IDataObject[];
		items.forEach(({ json }, i) => {
			expect(json).toMatchObject({
				title: ['The best minute', 'A good question', 'How it ended'][i % 3],
				video_url: expect.stringContaining('http'),
				clip_id: expect.any(String),
				clipping: { id: json.job_id, status: 'completed', source_duration: 1800, progress: 100 },
				job: { kind: 'clipping', id: json.job_id },
			});
			expect(json.clipping).not.toHaveProperty('clips');
		});
		expect(new Set(items.map(({ json }) => json.job_id))).toEqual(
			new Set(jobs.map(({ id }) => id)),
		);
	});

	test('Get also splits, and a job without clips stays one item with its status', async () => {
		service.control.holdJobs(true);
		const { job_id } = await aJob(service);
		const get = { operation: 'get', job_id: byId(String(job_id)), splitIntoClips: true };
		const early = await runNode(service, node, get);
		expect(early.items).toHaveLength(1);
		expect(first(early.items)).toMatchObject({ job_id, clips: [], progress: 0 });
		service.control.holdJobs(false);
		const { items } = await runNode(service, node, get);
		expect(items.map(({ json }) => json.clip_id)).toEqual(
			[1, 2, 3].map((n) => `${String(job_id)}_${n}`),
		);
	});

	test.each([
		['by its status', { status: 'completed' }],
		['by another status', { status: 'SUCCESS' }],
		['by its progress', { progress: 100 }],
	])('a job that is completed without clips becomes no items, %s', async (_, end) => {
		const { job_id } = await aJob(service);
		service.control.fail({
			path: `/v3/ai-clipping/${String(job_id)}`,
			status: 200,
			body: { data: { id: job_id, clips: [], ...end } },
		});
		const { items, error } = await runNode(service, node, {
			operation: 'get',
			job_id: byId(String(job_id)),
			splitIntoClips: true,
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(0);
	});

	test.each([
		['failed', 'failed', (id: string) => service.control.failJob(id, 'no_speech', 'Nobody speaks')],
		[
			'cancelled',
			'was cancelled',
			(id: string) =>
				service.control.fail({
					method: 'GET',
					path: `/v3/ai-clipping/${id}`,
					status: 200,
					body: { data: { id, status: 'cancelled', failure_message: 'Nobody speaks' } },
				}),
		],
	])('a %s job is an error with reason and ID', async (_, ended, end) => {
		service.control.holdJobs(true);
		const running = runNode(service, node, { ...long, ...wait, splitIntoClips: true });
		await waitFor(() => service.control.jobs('clipping').length > 0);
		const [job] = service.control.jobs('clipping') as IDataObject[];
		end(String(job?.id));
		service.control.holdJobs(false);
		const { error } = await running;
		expect(error?.message).toBe(`The clipping ${ended}: Nobody speaks`);
		expect(error?.description).toContain(String(job?.id));
	});

	test('a create whose response is lost is not retried, and the error says what to check', async () => {
		service.control.fail({ method: 'POST', path: '/v3/ai-clipping', cut: 'after' });
		const { error } = await runNode(service, node, { ...long, ...noWait });
		expect(service.control.jobs('clipping')).toHaveLength(1);
		expect(service.control.requests({ method: 'POST' })).toHaveLength(1);
		expect(error?.description).toContain('may have been created anyway');
		expect(error?.description).toContain('Get Many');
	});

	test('a response without an ID is an error, not an item', async () => {
		service.control.fail({
			method: 'POST',
			path: '/v3/ai-clipping',
			status: 200,
			body: { data: {} },
		});
		const { error, items } = await runNode(service, node, { ...long, ...wait });
		expect(items).toHaveLength(0);
		expect(error?.message).toContain('named no job_id');
	});

	const download = (job: unknown, clip: unknown): INodeParameters => ({
		operation: 'download',
		job_id: byId(String(job)),
		clip_id: byId(String(clip)),
		files: ['video'],
		binaryPropertyName: 'data',
	});

	test('every clip can be downloaded from its item, with a new URL after a 403', async () => {
		const { items } = await runNode(service, node, { ...long, ...wait, splitIntoClips: true });
		service.control.fail({ path: /^\/media\//, status: 403, times: 1 });
		const result = await runNode(
			service,
			node,
			download('={{ $json.job_id }}', '={{ $json.clip_id }}'),
			{ items },
		);
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(3);
		for (const [i, item] of result.items.entries()) {
			expect(item.binary?.data).toMatchObject({
				fileName: `${String(items[i]?.json.clip_id)}.mp4`,
				mimeType: 'video/mp4',
			});
			expect((await readContent(item)).equals(media('captioned.mp4'))).toBe(true);
		}
	});

	test('a clip that does not exist is an error with the clip and the status of the job', async () => {
		service.control.holdJobs(true);
		const { job_id } = await aJob(service);
		const early = await runNode(service, node, download(job_id, 'clip_x'));
		expect(early.error?.message).toContain(`${String(job_id)} has no clip clip_x`);
		expect(early.error?.description).toMatch(/status is "(pending|running)". Wait until/);
		service.control.holdJobs(false);
		const late = await runNode(service, node, download(job_id, 'clip_x'));
		expect(late.error?.description).toContain('Select one of its clips');
	});

	test('the error for a failed job does not advise to wait', async () => {
		service.control.holdJobs(true);
		const { job_id } = await aJob(service);
		service.control.failJob(String(job_id), 'no_speech', 'Nobody speaks');
		service.control.holdJobs(false);
		const { error } = await runNode(service, node, download(job_id, 'clip_x'));
		expect(error?.description).toContain('Its status is "failed": Nobody speaks.');
		expect(error?.description).not.toContain('Wait until');
	});

	test.each([
		[30, ['30']],
		['={{ [30, "long"] }}', ['30', 'long']],
	])('clip lengths can be numbers: %j', async (value, sent) => {
		const { error } = await runNode(service, node, {
			...long,
			...noWait,
			...settings({ duration_types: value as never }),
		});
		expect(error).toBeUndefined();
		const [create] = service.control.requests({ method: 'POST', path: '/v3/ai-clipping' });
		expect(create?.body).toMatchObject({ output_settings: { duration_types: sent } });
	});

	test('the error for a failed clip explains why it has no file', async () => {
		const clips = [{ id: 'c1', status: 'failed', video_url: null, failure_message: 'No face' }];
		service.control.fail({
			path: '/v3/ai-clipping/j1',
			status: 200,
			body: { data: { id: 'j1', status: 'completed', clips } },
		});
		const { error } = await runNode(service, node, download('j1', 'c1'));
		expect(error?.message).toContain('Clip c1 has no such file');
		expect(error?.description).toContain('No face');
	});

	describe('lists', () => {
		test('jobs are listed by title, newest first, with their status', async () => {
			for (const title of ['Talk', 'Podcast', 'Second talk']) await aJob(service, { title });
			const searchList = async (filter?: string) =>
				await loadListPage(service, node, 'searchClippings', { filter });
			const all = await searchList();
			expect(all?.results.map(({ name }) => name)).toEqual([
				'Second talk (completed)',
				'Podcast (completed)',
				'Talk (completed)',
			]);
			const found = await searchList('TALK');
			expect(found?.results).toHaveLength(2);
		});

		test('clips are those of the selected job', async () => {
			const { job_id } = await aJob(service);
			await aJob(service);
			const searchList = async (parameters: INodeParameters, filter?: string) =>
				await loadListPage(service, node, 'searchClips', {
					filter,
					parameters: { operation: 'download', ...parameters },
				});
			const chosen = { job_id: byId(String(job_id)) };
			const all = await searchList(chosen);
			expect(all?.results.map(({ name, value }) => [name, value])).toEqual([
				['The best minute (28 s)', `${String(job_id)}_1`],
				['A good question (31 s)', `${String(job_id)}_2`],
				['How it ended (24 s)', `${String(job_id)}_3`],
			]);
			const found = await searchList(chosen, 'question');
			expect(found?.results).toHaveLength(1);
			const none = await searchList({ job_id: { __rl: true, mode: 'list', value: '' } });
			expect(none?.results).toEqual([]);
		});
	});
});
