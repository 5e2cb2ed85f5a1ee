/** Download: result files in the items of a create. */
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { createCalls, expectOnePerItem, waiting } from '../support/calls';
import {
	byId,
	createFileItem,
	loadNodeType,
	readContent,
	runNode,
	type Result,
} from '../support/engine';
import { url } from '../support/cases';
import { useService } from '../support/service';

const service = useService();
const { createVideos, createBatch, createSessions, jobs, failRenders } = createCalls(service);

/** Parameters to wait and download these files. */
const downloading = (download: string[], options = {}) => ({ ...waiting(options), download });

const listFields = ({ items }: Result) =>
	items.map(({ binary }) => Object.keys(binary ?? {}).sort());
const listNames = ({ items }: Result) => items.map(({ binary }) => binary?.data?.fileName);

const isMp4 = (content: Buffer) => content.subarray(4, 8).toString() === 'ftyp';

test('an agent session has its video file, which a new node does not download by default', async () => {
	const {
		items: [item],
	} = await createSessions(1, downloading(['video']));
	const fileName = 'A welcome.mp4';
	expect(item?.binary?.data).toMatchObject({ mimeType: 'video/mp4', fileName });
	expect(isMp4(await readContent(item))).toBe(true);
});

test('a new node downloads nothing, and outputs the URL of the video', async () => {
	const { properties } = loadNodeType('VideoGenAgent').description;
	const choices = properties.filter(({ name }) => name === 'download');
	expect(choices.length).toBeGreaterThan(0);
	for (const choice of choices) expect(choice.default).toEqual([]);
	const { items } = await createSessions(1, { waitForCompletion: true });
	expect(items[0]?.json.video_url).toEqual(expect.stringContaining('http'));
	expect(items[0]?.binary).toBeUndefined();
});

test('a full disk of n8n ends a download at once, with advice', async () => {
	const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
		code: 'ENOSPC',
	});
	const store = jest.spyOn(Container.get(BinaryDataService), 'store').mockRejectedValue(full);
	try {
		const { items, error } = await createVideos(1, downloading(['video']), {
			node: { onError: 'continueRegularOutput' },
		});
		expect(error).toBeUndefined();
		expect(items[0]?.json).toEqual({
			...{ outcome: 'finished', creation: 'created' },
			error: 'n8n could not store the file: its disk is full',
			details: {
				...{ outcome: 'finished', creation: 'created' },
				code: 'storage_full',
				description: expect.stringContaining("Free up space on n8n's disk"),
				job: { kind: 'video', id: expect.any(String) },
				row: { node: 'Node', item: 0, id: expect.stringMatching(/^n8n-[0-9a-f]{48}$/) },
			},
		});
		expect(store).toHaveBeenCalledTimes(1);
	} finally {
		store.mockRestore();
	}
});

test('several files are in separate fields, next to those of the input item', async () => {
	const input = await createFileItem(Buffer.from('a logo'), 'image/png');
	const options = { caption: 'file', binaryPropertyName: 'movie' };
	const result = await createVideos(1, downloading(['thumbnail', 'video', 'subtitle'], options), {
		items: [{ json: {}, binary: { logo: input.binary.data } }],
	});
	expect(result.error).toBeUndefined();
	expect(listFields(result)).toEqual([['logo', 'movie', 'subtitle', 'thumbnail']]);
	const [item] = result.items;
	const id = String(item?.json.video_id);
	expect(item?.binary).toMatchObject({
		movie: { fileName: `${id}.mp4` },
		subtitle: { fileName: `${id}.srt` },
		thumbnail: { fileName: `${id}.jpg` },
	});
	expect((await readContent(item, 'subtitle')).toString()).toMatch(/^1\r?\n00:00:0/);
});

test('each item of a batch has its own video file', async () => {
	const result = await createBatch(3, downloading(['video']));
	expectOnePerItem(result.items, 3);
	expect(listNames(result)).toEqual(result.items.map(({ json }) => `${String(json.video_id)}.mp4`));
	expect(new Set(listNames(result)).size).toBe(3);
});

test.each([true, false])(
	'each clip has its own files if One Item per Clip is %s',
	async (splitIntoClips) => {
		const result = await runNode(service, 'VideoGenClipping', {
			operation: 'create',
			video: url('https://files.example/long.mp4'),
			splitIntoClips,
			...downloading(['video', 'thumbnail']),
		});
		expect(result.items.length).toBeGreaterThan(1);
		expect(listFields(result)).toEqual(result.items.map(() => ['data', 'thumbnail']));
		expect(listNames(result)).toEqual(result.items.map(({ json }) => `${String(json.title)}.mp4`));
	},
);

test.each(['items', 'id'])(
	'VideoGen Job Status outputs each clip with its files, as the Clipping node does, if Jobs is %s',
	async (selection) => {
		const { items: created } = await runNode(service, 'VideoGenClipping', {
			operation: 'create',
			video: url('https://files.example/long.mp4'),
			waitForCompletion: false,
		});
		const id = String(created[0]?.json.job_id);
		const wait = async (download: string[]) =>
			await runNode(
				service,
				'VideoGenJob',
				{
					...{ operation: 'wait', jobs: selection, kind: 'clipping', job_id: id },
					...downloading(download),
				},
				{ items: selection === 'id' ? [{ json: {} }] : created },
			);
		const result = await wait(['video', 'thumbnail', 'subtitle']);
		expect(result.error).toBeUndefined();
		const clips = [1, 2, 3].map((n) => ({ job_id: id, clip_id: `${id}_${n}` }));
		expect(result.items).toMatchObject(clips.map((json) => ({ json, pairedItem: { item: 0 } })));
		expect(listFields(result)).toEqual(clips.map(() => ['data', 'thumbnail']));
		expect(listNames(result)).toEqual(result.items.map(({ json }) => `${String(json.title)}.mp4`));
		const whole = await wait([]);
		expect(whole.items).toMatchObject([{ json: { job_id: id, clips: clips.map(() => ({})) } }]);
	},
);

test('a missing file is an error with the video, which is not created again', async () => {
	const { error } = await createVideos(1, {
		...downloading(['captioned']),
		// Turns off the captions that the file needs.
		options: { additionalBodyFields: '{"caption": null}' },
	});
	expect(error?.message).toContain('has no file "Video With Captions"');
	expect(error?.message).toContain(jobs('video')[0]?.id);
	expect(jobs('video')).toHaveLength(1);
});

test('with Continue On Fail, the failed video is an error item, and the others have their files', async () => {
	failRenders();
	const node = { onError: 'continueRegularOutput' as const };
	const { items } = await createVideos(2, downloading(['video']), { node });
	const outcomes = items.map(({ json, binary }) => [
		json.error !== undefined,
		binary !== undefined,
	]);
	expect(outcomes.sort()).toEqual([
		[false, true],
		[true, false],
	]);
});

test('several files need one status request, and none right after a wait', async () => {
	const files = ['video', 'thumbnail', 'gif'];
	const readsOf = (id: unknown) =>
		service.control.requests({ method: 'GET', path: `/v3/videos/${String(id)}` }).length;
	const created = await createVideos(1, downloading(files));
	const bare = await createVideos(1, downloading([]));
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
	const { items } = await createVideos(1, downloading(['video']));
	expect(isMp4(await readContent(items[0]))).toBe(true);
	expect(service.control.requests({ path: /video\.mp4/ })).toHaveLength(2);
});

test('without Wait for Completion, an item has no file', async () => {
	const form = { ...downloading(['video']), waitForCompletion: false };
	expect(listFields(await createVideos(1, form))).toEqual([[]]);
});

test('a chat that waits for its user ends the wait without an error and without a file', async () => {
	const chat = { prompt: 'Shall it be long or short?', mode: 'chat' };
	const { items, error } = await createSessions(1, { ...chat, ...downloading(['video']) });
	expect(error).toBeUndefined();
	expect(items[0]?.json.status).toBe('waiting_for_input');
	expect(items[0]?.binary).toBeUndefined();
});
