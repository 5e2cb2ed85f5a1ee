import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenClipping/operations';
import type { Simulator } from '../../../simulator';
import { loadListPage } from '../support/contexts';
import { byId, loadNodeType, readContent, runNode, type RunOptions } from '../support/engine';
import {
	describeOperations,
	first,
	isRunning,
	runForJson,
	url,
	type Cases,
} from '../support/cases';
import { media } from '../support/media';
import { useService } from '../support/service';
import { noWait } from '../support/expectedRequest';

const node = 'VideoGenClipping';

const long = { operation: 'create', video: url('https://files.example/long.mp4') };

const aJob = async (service: Simulator, options: INodeParameters = {}) =>
	await runForJson(service, node, { ...long, ...noWait, options });

const cases: Cases = {
	create: {
		line: 'POST /v3/ai-clipping',
		parameters: {
			video: url('https://files.example/long.mp4'),
			output_settings: {
				duration_types: ['30', 'long'],
				aspect_ratio: 'square',
				captions: true,
				caption_style: 'neon_pink',
				prompt: 'The best jokes',
			},
			options: {
				title: 'Talk',
				input_language: 'EN',
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
			},
		},
		differences: { input_language: 'en' },
		keyed: true,
		returns: (items) => {
			const { job_id: id } = first(items);
			expect(first(items)).toEqual({
				...{ ai_clipping_id: id, job_id: id, job: expect.any(Object) },
				...isRunning,
			});
		},
	},
	get: { line: 'GET /v3/ai-clipping/{job_id}', before: aJob },
	getMany: {
		line: 'GET /v3/ai-clipping',
		before: async (service) => await aJob(service, { title: 'Talk 3' }),
	},
	delete: { line: 'DELETE /v3/ai-clipping/{job_id}', before: aJob },
	download: {
		line: 'GET /v3/ai-clipping/{job_id}',
		before: aJob,
		parameters: (ids) => ({
			clip_id: byId(`${ids.job_id}_2`),
			files: ['thumbnail'],
			binaryPropertyName: 'still',
			options: { fileName: 'still.jpg' },
		}),
		differences: { clip_id: undefined, files: undefined },
		returns: async (items) => {
			expect(items[0]?.binary?.still).toMatchObject({ fileName: 'still.jpg' });
			expect(await readContent(items[0], 'still')).toEqual(media('thumbnail.jpg'));
		},
	},
};

describeOperations(node, resources, cases);

const service = useService();

const run = async (parameters: INodeParameters, options: RunOptions = {}) =>
	await runNode(service, node, { ...long, ...noWait, ...parameters }, options);
const wait = { waitForCompletion: true, options: { pollInterval: 1 } };
const sent = () => service.control.requests({ method: 'POST' }).map(({ body }) => body);

test.each<[string, INodeParameters, RegExp]>([
	['an invalid URL', { video: url('long.mp4') }, /^"Video → url" must be a full URL/],
	[
		'a language that is not a code',
		{ options: { input_language: 'English' } },
		/^"Input Language" must be a two-letter language code such as en, but is "English"/,
	],
])('%s is rejected before anything is sent', async (_, parameters, message) => {
	const { error } = await run(parameters);
	expect(error?.message).toMatch(message);
	expect(service.control.requests()).toEqual([]);
});

test.each<[string, INodeParameters, IDataObject]>([
	[
		'settings that are not in a list are sent unchanged',
		{ duration_types: '={{ ["30", "90"] }}', aspect_ratio: '={{ "vertical" }}' },
		{ output_settings: { duration_types: ['30', '90'], aspect_ratio: 'vertical' } },
	],
	['settings that are not set are not sent', {}, {}],
	[
		'a clip length can be a number',
		{ duration_types: 30 },
		{ output_settings: { duration_types: ['30'] } },
	],
	[
		'clip lengths can be numbers',
		{ duration_types: '={{ [30, "long"] }}' },
		{ output_settings: { duration_types: ['30', 'long'] } },
	],
])('%s', async (_, output_settings, body) => {
	const { error } = await run({ output_settings });
	expect(error).toBeUndefined();
	const video = { type: 'url', url: 'https://files.example/long.mp4' };
	expect(sent()).toEqual([{ video, ...body }]);
});

test('the service knows every caption style of the form', async () => {
	const { description } = loadNodeType('VideoGenClipping');
	const field = description.properties.find(({ name }) => name === 'output_settings');
	const settings = field?.options as unknown as Array<{ name: string; options: IDataObject[] }>;
	const styles = settings.find(({ name }) => name === 'caption_style')?.options ?? [];
	expect(styles).toHaveLength(24);
	const output_settings = { caption_style: '={{ $json.value }}' };
	const { error } = await run({ output_settings }, { items: styles.map((json) => ({ json })) });
	expect(error).toBeUndefined();
	expect(service.control.jobs('clipping')).toHaveLength(24);
});

test('waits for the clips and returns one item each, with the job and the paired item', async () => {
	const { items } = await run(
		{ ...wait, splitIntoClips: true },
		{ items: [{ json: {} }, { json: {} }] },
	);
	const jobs = service.control.jobs('clipping') as IDataObject[];
	expect(new Set(items.map(({ json }) => json.job_id))).toEqual(new Set(jobs.map(({ id }) => id)));
	const titles = ['The best minute', 'A good question', 'How it ended'];
	expect(items).toMatchObject(
		[...titles, ...titles].map((title, i) => ({
			pairedItem: { item: Math.floor(i / 3) },
			json: {
				title,
				clip_id: `${items[i]?.json.job_id}_${(i % 3) + 1}`,
				clipping: { id: items[i]?.json.job_id, status: 'completed', progress: 100 },
				job: { kind: 'clipping', id: items[i]?.json.job_id },
			},
		})),
	);
	for (const { json } of items) expect(json.clipping).not.toHaveProperty('clips');
});

test('Get also splits, and a job without clips stays one item with its status', async () => {
	service.control.holdJobs(true);
	const { job_id } = await aJob(service);
	const get = { operation: 'get', job_id: byId(job_id), splitIntoClips: true };
	const early = await runNode(service, node, get);
	expect(early.items).toMatchObject([{ json: { job_id, clips: [], progress: 0 } }]);
	service.control.holdJobs(false);
	const { items } = await runNode(service, node, get);
	expect(items.map(({ json }) => json.clip_id)).toEqual([1, 2, 3].map((n) => `${job_id}_${n}`));
});

test.each([
	['by its status', { status: 'completed' }],
	['by another status', { status: 'SUCCESS' }],
	['by its end', { completed_at: '2026-11-23T10:00:00Z' }],
])('a job that is completed without clips becomes no items, %s', async (_, end) => {
	service.control.fail({
		path: '/v3/ai-clipping/j1',
		status: 200,
		body: { data: { id: 'j1', clips: [], ...end } },
	});
	const get = { operation: 'get', job_id: byId('j1'), splitIntoClips: true };
	const { items, error } = await runNode(service, node, get);
	expect(error).toBeUndefined();
	expect(items).toEqual([]);
});

test('a response without an ID is an error, not an item', async () => {
	service.control.fail({ method: 'POST', status: 200, body: { data: {} } });
	const { error, items } = await run(wait);
	expect(items).toEqual([]);
	expect(error?.message).toContain('returned no job_id');
});

const download = (job: unknown, clip: unknown): INodeParameters => ({
	...{ operation: 'download', job_id: byId(job), clip_id: byId(clip) },
	...{ files: ['video'], binaryPropertyName: 'data' },
});

test('every clip can be downloaded from its item', async () => {
	const { items } = await run({ ...wait, splitIntoClips: true });
	const clips = download('={{ $json.job_id }}', '={{ $json.clip_id }}');
	const result = await runNode(service, node, clips, { items });
	expect(result.error).toBeUndefined();
	expect(result.items).toMatchObject(
		items.map(({ json }) => ({
			binary: { data: { fileName: `${json.title}.mp4`, mimeType: 'video/mp4' } },
		})),
	);
	expect(await readContent(result.items[2])).toEqual(media('captioned.mp4'));
});

test('a create whose response is lost is retried with its key, and the error says what to check', async () => {
	service.control.fail({ method: 'POST', path: '/v3/ai-clipping', cut: 'after' });
	const { error } = await runNode(service, node, { ...long, ...noWait });
	expect(service.control.jobs('clipping')).toHaveLength(1);
	const sent = service.control.requests({ method: 'POST' });
	expect(sent).toHaveLength(10);
	expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
	expect(error?.description).toContain('Look for the job with Get Many (newest first)');
	expect(error?.description).toContain(sent[0]?.headers['idempotency-key']);
});

test('the error for a missing clip has the clip, and advice for the status of the job', async () => {
	service.control.holdJobs(true);
	const [{ job_id }, { job_id: failed }] = [await aJob(service), await aJob(service)];
	const early = await runNode(service, node, download(job_id, 'clip_x'));
	expect(early.error?.message).toContain(`${job_id} has no clip clip_x`);
	expect(early.error?.description).toMatch(/status is "(pending|running)". Wait until/);
	service.control.failJob(String(failed), 'no_speech', 'Nobody speaks');
	service.control.holdJobs(false);
	const late = await runNode(service, node, download(job_id, 'clip_x'));
	expect(late.error?.description).toContain("Select one of this job's clips");
	const { error } = await runNode(service, node, download(failed, 'clip_x'));
	expect(error?.description).toContain('Its status is "failed": Nobody speaks.');
	expect(error?.description).not.toContain('Wait until');
});

test('the error for a failed clip explains why it has no file', async () => {
	const clips = [{ id: 'c1', status: 'failed', video_url: null, failure_message: 'No face' }];
	service.control.fail({
		path: '/v3/ai-clipping/j1',
		status: 200,
		body: { data: { id: 'j1', status: 'completed', clips } },
	});
	const { error } = await runNode(service, node, download('j1', 'c1'));
	expect(error?.message).toContain('Clip c1 does not have this file');
	expect(error?.description).toContain('No face');
});

test('jobs are listed by title, newest first, with their status', async () => {
	for (const title of ['Talk', 'Podcast', 'Second talk']) await aJob(service, { title });
	const search = async (filter?: string) =>
		(await loadListPage(service, node, 'searchClippings', { filter })).results.map(
			({ name }) => name,
		);
	expect(await search()).toEqual([
		...['Second talk (completed)', 'Podcast (completed)', 'Talk (completed)'],
	]);
	expect(await search('TALK')).toHaveLength(2);
});

test('clips are listed of the selected job', async () => {
	const { job_id } = await aJob(service);
	await aJob(service);
	const search = async (job: unknown, filter?: string) =>
		(
			await loadListPage(service, node, 'searchClips', {
				filter,
				parameters: { operation: 'download', job_id: byId(job) },
			})
		).results.map(({ name, value }) => [name, value]);
	expect(await search(job_id)).toEqual([
		['The best minute (28 s)', `${job_id}_1`],
		['A good question (31 s)', `${job_id}_2`],
		['How it ended (24 s)', `${job_id}_3`],
	]);
	expect(await search(job_id, 'question')).toHaveLength(1);
	expect(await search('')).toEqual([]);
});
