import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { request } from 'undici';
import { loadChoices, loadListPage } from '../support/contexts';
import { runForItems, byId, readContent, runNode, storeBinary } from '../support/engine';
import { media } from '../support/media';
import { useService } from '../support/service';

const service = useService();

const talk = { __rl: true as const, mode: 'url', value: 'https://files.example/talk.mp4' };

const translate = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'translation',
	operation: 'create',
	video: talk,
	output_languages: ['German', 'French', 'Japanese'],
	mode: 'speed',
	waitForCompletion: true,
	...more,
	options: { pollInterval: 1, ...(more.options as INodeParameters) },
});

const proofread = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'proofread',
	operation: 'create',
	video: talk,
	title: 'A talk',
	output_languages: ['German', 'French'],
	mode: 'speed',
	waitForCompletion: true,
	...more,
	options: { pollInterval: 1, ...(more.options as INodeParameters) },
});

const run = async (
	parameters: INodeParameters,
	options: Parameters<typeof runNode>[3] = {},
): ReturnType<typeof runNode> => await runNode(service, 'VideoGenTranslation', parameters, options);

const ran = async (parameters: INodeParameters, given?: INodeExecutionData[]) =>
	await runForItems(service, 'VideoGenTranslation', parameters, { items: given });

const jobOf = (item: INodeExecutionData | undefined) => item?.json.job as { id: string };
const posts = (at: string) => service.control.requests({ method: 'POST', path: at });

describe('files', () => {
	/** The file of an asset as the service stores it. */
	async function uploaded(input: unknown): Promise<Buffer> {
		const { type, asset_id: id } = input as { type: string; asset_id: string };
		expect(type).toBe('asset_id');
		const reply = await request(`${service.baseUrl}/v3/assets/${id}`, {
			headers: { 'x-api-key': service.apiKey },
		});
		const { data } = (await reply.body.json()) as { data: { url: string } };
		return Buffer.from(await (await request(data.url)).body.arrayBuffer());
	}

	test('uploads a video of the item and translates its asset', async () => {
		const bytes = media('video.mp4');
		const binary = { talk: await storeBinary(bytes, 'talk.mp4', 'video/mp4') };
		await ran(
			translate({
				video: { ...talk, mode: 'binary', value: 'talk' },
				output_languages: ['German'],
				waitForCompletion: false,
			}),
			[{ json: {}, binary }],
		);
		const [create] = posts('/v3/video-translations');
		expect(await uploaded((create?.body as IDataObject).video)).toEqual(bytes);
	});

	test('sends the ID of a video selected from the list of assets', async () => {
		await run(translate({ video: { __rl: true, mode: 'list', value: 'asset_1' } }));
		const [create] = posts('/v3/video-translations');
		expect((create?.body as IDataObject).video).toEqual({ type: 'asset_id', asset_id: 'asset_1' });
	});

	test('downloads subtitles and uploads corrected ones', async () => {
		const [made] = await ran(proofread({ output_languages: ['German'] }));
		const { id } = jobOf(made);
		for (const download of ['translated', 'original']) {
			const [item] = await ran({
				resource: 'proofread',
				operation: 'getSubtitles',
				proofread_id: id,
				download: [download],
				binaryPropertyName: 'words',
			});
			expect(await readContent(item, 'words')).toEqual(media('captions.srt'));
			expect(item?.binary?.words).toMatchObject({ fileName: `${id}.srt` });
			expect(item?.json).toMatchObject({ proofread_id: id, srt_url: expect.any(String) });
		}

		const corrected = Buffer.from('1\n00:00:00,000 --> 00:00:01,000\nGuten Tag\n');
		const binary = { data: await storeBinary(corrected, 'better.srt', 'application/x-subrip') };
		await ran(
			{
				resource: 'proofread',
				operation: 'replaceSubtitles',
				proofread_id: id,
				srt: { __rl: true, mode: 'binary', value: 'data' },
			},
			[{ json: {}, binary }],
		);
		const [put] = service.control.requests({ method: 'PUT', path: /\/srt$/ });
		expect(await uploaded((put?.body as IDataObject).srt)).toEqual(corrected);
	});

	test('waits for the subtitles of a running proofread', async () => {
		const [made] = await ran(proofread({ output_languages: ['German'], waitForCompletion: false }));
		const { id } = jobOf(made);
		service.control.fail({
			path: `/v3/video-translations/proofreads/${id}/srt`,
			times: 2,
			status: 409,
			code: 'resource_not_ready',
		});
		const [item] = await ran({
			resource: 'proofread',
			operation: 'getSubtitles',
			proofread_id: id,
			download: [],
		});
		expect(item?.json).toHaveProperty('srt_url');
	});

	test.each([
		['video', 'video.mp4', 'video/mp4', 'mp4'],
		['audio', 'speech.wav', 'audio/wav', 'wav'],
		['subtitle', 'captions.srt', 'application/x-subrip', 'srt'],
		['vtt', 'captions.vtt', 'text/vtt', 'vtt'],
	])('every byte of the %s', async (file, name, mimeType, extension) => {
		const [made] = await ran(translate({ output_languages: ['German'], waitForCompletion: false }));
		const { id } = jobOf(made);
		const [item] = await ran({
			resource: 'translation',
			operation: 'download',
			video_translation_id: byId(id),
			files: [file],
			binaryPropertyName: 'data',
		});
		expect(item?.json).toMatchObject({ video_translation_id: id, status: 'completed' });
		expect(item?.binary?.data).toMatchObject({ fileName: `${id}.${extension}`, mimeType });
		expect(await readContent(item)).toEqual(media(name));
	});

	test('gets a fresh URL after an expired one', async () => {
		const [made] = await ran(translate({ output_languages: ['German'], waitForCompletion: false }));
		const { id } = jobOf(made);
		service.control.fail({ path: /^\/media\//, times: 1, status: 403 });
		const [item] = await ran({
			resource: 'translation',
			operation: 'download',
			video_translation_id: byId(id),
			files: ['video'],
			binaryPropertyName: 'data',
		});
		expect(await readContent(item)).toEqual(media('video.mp4'));
		const reads = { method: 'GET', path: `/v3/video-translations/${id}` };
		expect(service.control.requests(reads)).toHaveLength(2);
	});

	test('the error explains that an audio-only translation has no video', async () => {
		const [made] = await ran(
			translate({
				output_languages: ['German'],
				waitForCompletion: false,
				options: { translate_audio_only: true },
			}),
		);
		const { id } = jobOf(made);
		const { error } = await run({
			resource: 'translation',
			operation: 'download',
			video_translation_id: byId(id),
			files: ['video'],
			binaryPropertyName: 'data',
		});
		expect(error?.message).toContain(
			`The translation ${id} has no file "Video": its video_url is empty`,
		);
		expect(error?.description).toContain('an audio-only translation');
	});

	test('the error reports the status of a running translation', async () => {
		service.control.holdJobs(true);
		try {
			const [made] = await ran(
				translate({ output_languages: ['German'], waitForCompletion: false }),
			);
			const { error } = await run({
				resource: 'translation',
				operation: 'download',
				video_translation_id: byId(jobOf(made).id),
				files: ['subtitle'],
				binaryPropertyName: 'data',
			});
			expect(error?.description).toMatch(/Its status is "(pending|running)"\. Wait/);
		} finally {
			service.control.holdJobs(false);
		}
	});
});

describe('lists of the editor', () => {
	test('lists translations with language and status, and searches titles', async () => {
		const made = await ran(
			translate({
				output_languages: ['German', 'French'],
				waitForCompletion: false,
				options: { title: 'Opening talk' },
			}),
		);
		await ran(
			translate({
				output_languages: ['Turkish'],
				waitForCompletion: false,
				options: { title: 'Farewell' },
			}),
		);
		const look = async (filter?: string) =>
			(await loadListPage(service, 'VideoGenTranslation', 'searchTranslations', { filter }))
				.results;
		expect(await look()).toHaveLength(3);
		const found = await look('OPENING');
		expect(found.map(({ value }) => value).sort()).toEqual(made.map((one) => jobOf(one).id).sort());
		expect(found.map(({ name }) => name).sort()).toEqual([
			'Opening talk (French, completed)',
			'Opening talk (German, completed)',
		]);
	});

	test('lists languages in alphabetical order', async () => {
		const found = await loadChoices(service, 'VideoGenTranslation', 'getTranslationLanguages');
		const names = found.map(({ name }) => name);
		expect(names).toContain('Spanish (Mexico)');
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
		expect(found.map(({ value }) => value)).toEqual(names);
		const { results } = await loadListPage(service, 'VideoGenTranslation', 'searchLanguages');
		expect(results).toEqual(found);
		const some = await loadListPage(service, 'VideoGenTranslation', 'searchLanguages', {
			filter: 'spanish',
		});
		expect(some.results.length).toBeGreaterThan(1);
		for (const { name } of some.results) expect(name).toMatch(/spanish/i);
	});

	test.each([
		['a list of names', ['German', 'Turkish']],
		['an object with a list', { languages: ['German', 'Turkish'] }],
		['rows with names', [{ name: 'German', code: 'de' }, { name: 'Turkish' }]],
		['rows with other keys', [{ language: 'German' }, { code: 'Turkish' }]],
		['names among values without one', ['German', null, {}, 'Turkish']],
	])('languages as %s', async (_, data) => {
		const path = '/v3/video-translations/languages';
		service.control.fail({ path, status: 200, body: { data } });
		const { results } = await loadListPage(service, 'VideoGenTranslation', 'searchLanguages');
		expect(results.map(({ value }) => value)).toEqual(['German', 'Turkish']);
		const rows = await ran({ resource: 'translation', operation: 'getLanguages' });
		expect(rows.map(({ json }) => json.language)).toEqual(['German', 'Turkish']);
	});
});
