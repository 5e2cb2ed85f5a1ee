/** Download: result files in the items of a create. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { avatar, batch, session } from '../support/calls';
import {
	byId,
	readContent,
	loadNodeType,
	runNode,
	storeBinary,
	type Result,
} from '../support/engine';
import { url } from '../support/cases';
import { useService } from '../support/service';

const service = useService();

/** Parameters to wait and download these files, with additional options. */
const downloadFiles = (download: string[], more: INodeParameters = {}): INodeParameters => ({
	waitForCompletion: true,
	download,
	options: { pollInterval: 1, ...(more.options as INodeParameters) },
});

const listFields = ({ items }: Result) =>
	items.map(({ binary }) => Object.keys(binary ?? {}).sort());

const isMp4 = (content: Buffer) => content.subarray(4, 8).toString() === 'ftyp';

test('an agent session has its video file, which a new node does not download by default', async () => {
	const result = await runNode(service, 'VideoGenAgent', session(downloadFiles(['video'])));
	expect(result.error).toBeUndefined();
	const [item] = result.items;
	expect(item?.binary?.data).toMatchObject({
		mimeType: 'video/mp4',
		fileName: 'A welcome.mp4',
	});
	expect(isMp4(await readContent(item))).toBe(true);
	const fields = loadNodeType('VideoGenAgent').description.properties;
	const choices = fields.filter(({ name }) => name === 'download');
	expect(choices.length).toBeGreaterThan(0);
	for (const choice of choices) expect(choice.default).toEqual([]);
	const bare = await runNode(service, 'VideoGenAgent', session({ waitForCompletion: true }));
	expect(bare.items[0]?.json.video_url).toEqual(expect.stringContaining('http'));
	expect(bare.items[0]?.binary).toBeUndefined();
});

test('several files are in separate fields, next to those of the input item', async () => {
	const logo = {
		json: {},
		binary: { logo: await storeBinary(Buffer.from('a logo'), 'logo.png', 'image/png') },
	};
	const result = await runNode(
		service,
		'VideoGenVideo',
		avatar({
			...downloadFiles(['thumbnail', 'video', 'subtitle'], {
				options: { caption: 'file', binaryPropertyName: 'movie' },
			}),
		}),
		{ items: [logo] },
	);
	expect(result.error).toBeUndefined();
	expect(listFields(result)).toEqual([['logo', 'movie', 'subtitle', 'thumbnail']]);
	const [item] = result.items;
	const id = String(item?.json.video_id);
	expect(item?.binary?.movie?.fileName).toBe(`${id}.mp4`);
	expect(item?.binary?.subtitle?.fileName).toBe(`${id}.srt`);
	expect(item?.binary?.thumbnail?.fileName).toBe(`${id}.jpg`);
	expect((await readContent(item, 'subtitle')).toString()).toMatch(/^1\r?\n00:00:0/);
});

test('each item of a batch has its own video file', async () => {
	const rows = ['Ada', 'Grace', 'Mary'].map((name) => ({ json: { name } }));
	const result = await runNode(
		service,
		'VideoGenVideo',
		batch({
			...downloadFiles(['video']),
			script: '=Hello {{ $json.name }}, this is a text that is long enough.',
		}),
		{ items: rows },
	);
	expect(result.error).toBeUndefined();
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0 },
		{ item: 1 },
		{ item: 2 },
	]);
	expect(new Set(result.items.map(({ binary }) => binary?.data?.fileName)).size).toBe(3);
});

test('each clip has its own files; without Split Into Clips, no request is sent', async () => {
	const clips = async (splitIntoClips: boolean) =>
		await runNode(service, 'VideoGenClipping', {
			operation: 'create',
			video: url('https://files.example/long.mp4'),
			splitIntoClips,
			...downloadFiles(['video', 'thumbnail']),
		});
	const result = await clips(true);
	expect(result.error).toBeUndefined();
	expect(result.items.length).toBeGreaterThan(1);
	expect(listFields(result)).toEqual(result.items.map(() => ['data', 'thumbnail']));
	expect(result.items.map(({ binary }) => binary?.data?.fileName)).toEqual(
		result.items.map(({ json }) => `${String(json.title)}.mp4`),
	);
	service.control.reset();
	const { error } = await clips(false);
	expect(error?.message).toContain('"Download" requires "Split Into Clips"');
	expect(service.control.requests({ method: 'POST' })).toHaveLength(0);
});

test('a missing file is an error with the video, which is not created again', async () => {
	const result = await runNode(service, 'VideoGenVideo', avatar(downloadFiles(['captioned'])));
	const [job] = service.control.jobs('video') as IDataObject[];
	expect(result.error?.message).toContain('has no file "Video With Captions"');
	expect(result.error?.message).toContain(String(job?.id));
	expect(service.control.jobs('video')).toHaveLength(1);
});

test('with Continue On Fail, the failed video is an error item, and the others have their files', async () => {
	service.control.failNext('video', { code: 'render_failed', message: 'No' });
	const result = await runNode(service, 'VideoGenVideo', avatar(downloadFiles(['video'])), {
		items: [{ json: {} }, { json: {} }],
		node: { onError: 'continueRegularOutput' },
	});
	const failed = result.items.filter(({ json }) => json.error !== undefined);
	expect(failed).toHaveLength(1);
	expect(result.items.filter(({ binary }) => binary?.data !== undefined)).toHaveLength(1);
});

test('several files need one status request, and none right after a wait', async () => {
	const files = ['video', 'thumbnail', 'gif'];
	const readsOf = (id: unknown) =>
		service.control.requests({ method: 'GET', path: `/v3/videos/${String(id)}` }).length;
	const created = await runNode(service, 'VideoGenVideo', avatar(downloadFiles(files)));
	const bare = await runNode(service, 'VideoGenVideo', avatar(downloadFiles([])));
	expect(listFields(created)).toEqual([['data', 'gif', 'thumbnail']]);
	const id = created.items[0]?.json.video_id;
	const before = readsOf(id);
	expect(before).toBe(readsOf(bare.items[0]?.json.video_id));
	const later = await runNode(service, 'VideoGenVideo', {
		operation: 'download',
		video_id: byId(String(id)),
		files,
		binaryPropertyName: 'data',
	});
	expect(listFields(later)).toEqual(listFields(created));
	expect(readsOf(id) - before).toBe(1);
});

test('an expired URL is replaced by a new one', async () => {
	service.control.fail({ method: 'GET', path: /video\.mp4/, times: 1, status: 403 });
	const result = await runNode(service, 'VideoGenVideo', avatar(downloadFiles(['video'])));
	expect(result.error).toBeUndefined();
	expect(isMp4(await readContent(result.items[0]))).toBe(true);
	expect(service.control.requests({ method: 'GET', path: /video\.mp4/ })).toHaveLength(2);
});

test('without Wait for Completion, an item has no file', async () => {
	const { items } = await runNode(
		service,
		'VideoGenVideo',
		avatar({ ...downloadFiles(['video']), waitForCompletion: false }),
	);
	expect(items[0]?.binary).toBeUndefined();
});

test('a chat that waits for its user has no file', async () => {
	const { items, error } = await runNode(
		service,
		'VideoGenAgent',
		session({ prompt: 'Shall it be long or short?', mode: 'chat', ...downloadFiles(['video']) }),
	);
	expect(error).toBeUndefined();
	expect(items[0]?.json.status).toBe('waiting_for_input');
	expect(items[0]?.binary).toBeUndefined();
});
