/** What is special to translations: several languages, the cap of a batch, files, lists. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { request } from 'undici';
import { choices, search } from '../support/contexts';
import { byId, contentOf, runNode, stored } from '../support/engine';
import { media } from '../support/media';
import { useService } from '../support/service';

const service = useService();

const film = { __rl: true as const, mode: 'url', value: 'https://files.example/talk.mp4' };

const translate = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'translation',
	operation: 'create',
	video: film,
	output_languages: ['German', 'French', 'Japanese'],
	mode: 'speed',
	waitForCompletion: true,
	...more,
	options: { pollInterval: 1, ...(more.options as INodeParameters) },
});

const batch = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'translation',
	operation: 'createBatch',
	itemIs: 'form',
	video: film,
	output_languages: ['German', 'French'],
	mode: 'speed',
	waitForCompletion: false,
	...more,
});

const proofread = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'proofread',
	operation: 'createProofread',
	video: film,
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

async function ran(parameters: INodeParameters, items?: INodeExecutionData[]) {
	const result = await run(parameters, { items });
	if (result.error) throw new Error(`${result.error.message}\n${result.error.description ?? ''}`);
	return result.items;
}

const items = (count: number) => Array.from({ length: count }, (_, i) => ({ json: { i } }));
const jobOf = (item: INodeExecutionData | undefined) => item?.json.job as { id: string };
const posts = (at: string) => service.control.requests({ method: 'POST', path: at });

describe('several languages', () => {
	test('waiting gives a finished item for each, all from the same input item', async () => {
		const out = await ran(translate(), items(2));
		expect(posts('/v3/video-translations')).toHaveLength(2);
		expect(out.map(({ json, pairedItem }) => [json.output_language, pairedItem])).toEqual(
			[0, 1].flatMap((item) => ['German', 'French', 'Japanese'].map((name) => [name, { item }])),
		);
		for (const { json } of out) {
			expect(json).toMatchObject({
				status: 'completed',
				job: { kind: 'translation', id: json.id },
			});
		}
		expect(new Set(out.map(({ json }) => json.id)).size).toBe(6);
	});

	test('waiting waits for the slowest', async () => {
		service.control.holdJobs(true);
		let done = false;
		const running = ran(translate({ output_languages: ['German', 'French'] })).finally(() => {
			done = true;
		});
		const looks = () =>
			service.control.requests({ method: 'GET', path: /^\/v3\/video-translations\/translation_/ });
		while (new Set(looks().map(({ path: at }) => at)).size < 2) {
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		expect(done).toBe(false);
		service.control.holdJobs(false);
		expect((await running).map(({ json }) => json.status)).toEqual(['completed', 'completed']);
	}, 20_000);

	test('a language that fails is an error that names all translations', async () => {
		service.control.failNext('translation', { code: 'x', message: 'No speech was found' });
		const { error } = await run(translate({ output_languages: ['German', 'French'] }));
		expect(error?.message).toMatch(/The translation failed: No speech was found/);
		const made = service.control.jobs('translation') as Array<{ id: string }>;
		expect(made).toHaveLength(2);
		for (const { id } of made) expect(error?.description).toContain(id);
	});

	test('with Continue On Fail the languages that went well are results all the same', async () => {
		service.control.failNext('translation', { code: 'x', message: 'No speech was found' });
		const { items: out, errors } = await run(
			translate({ output_languages: ['German', 'French'] }),
			{
				node: { onError: 'continueErrorOutput' },
			},
		);
		expect(out.map(({ json }) => [json.output_language, json.video_translation_id])).toEqual([
			['French', jobOf(out[0]).id],
		]);
		expect(errors).toMatchObject([
			{ json: { error: expect.stringContaining('No speech was found') } },
		]);
	});

	test('a reply that names no translation is an error that says what to do', async () => {
		service.control.fail({
			method: 'POST',
			path: '/v3/video-translations',
			status: 200,
			body: { data: { video_translation_ids: [] } },
		});
		const { error } = await run(translate());
		expect(error?.message).toMatch(/named no translation.*look for it in the list/);
	});

	test('a proofread for each, and each becomes a translation of its own', async () => {
		const out = await ran(proofread());
		expect(out.map(({ json }) => [json.output_language, json.status])).toEqual([
			['German', 'completed'],
			['French', 'completed'],
		]);
		const finished = await ran(
			{
				resource: 'proofread',
				operation: 'generate',
				proofread_id: '={{ $json.proofread_id }}',
				waitForCompletion: true,
				options: { pollInterval: 1 },
			},
			out.map(({ json }) => ({ json })),
		);
		expect(finished.map(({ json }) => [json.output_language, json.status])).toEqual([
			['German', 'completed'],
			['French', 'completed'],
		]);
		for (const { json } of finished) expect(json.job).toEqual({ kind: 'translation', id: json.id });
	});
});

describe('a batch', () => {
	test('50 items in two languages are one request of 100 translations', async () => {
		const [item] = await ran(
			batch({ options: { title: '=Talk {{ $json.i }}', batch_title: '=All {{ $json.i }}' } }),
			items(50),
		);
		const [create, ...others] = posts('/v3/video-translations/batches');
		expect(others).toEqual([]);
		const { title, video_translations: sent } = create?.body as {
			title: string;
			video_translations: IDataObject[];
		};
		expect(title).toBe('All 0');
		expect(sent.map((one) => one.title)).toEqual(items(50).map((_, i) => `Talk ${i}`));
		expect(service.control.jobs('translation')).toHaveLength(100);
		expect(item?.pairedItem).toEqual(items(50).map((_, i) => ({ item: i })));
	});

	test('what makes more than 100 translations becomes several batches', async () => {
		const out = await ran(
			batch({ output_languages: '={{ ["German", "French", "Italian"].slice($json.i % 3) }}' }),
			items(60),
		);
		const counts = posts('/v3/video-translations/batches').map(({ body }) =>
			(body as { video_translations: IDataObject[] }).video_translations
				.map(({ output_languages: languages }) => (languages as string[]).length)
				.reduce((sum, count) => sum + count, 0),
		);
		expect(counts).toEqual([99, 21]);
		expect(out.flatMap(({ pairedItem }) => pairedItem)).toEqual(
			items(60).map((_, item) => ({ item })),
		);
	});

	test('payloads count their languages too', async () => {
		await ran(
			batch({
				itemIs: 'json',
				payload:
					'={{ { video: { type: "url", url: "https://files.example/a.mp4" }, output_languages: ["German", "French", "Italian"] } }}',
			}),
			items(34),
		);
		expect(posts('/v3/video-translations/batches')).toHaveLength(2);
	});

	test('one item of 101 languages is refused, and nothing is sent', async () => {
		const { error } = await run(
			batch({ output_languages: '={{ Array.from({ length: 101 }, (_, i) => "L" + i) }}' }),
		);
		expect(error?.message).toMatch(/^"Output Language Names or IDs" must have at most 100 entries/);
		expect(service.control.requests()).toHaveLength(0);
	});

	test('payloads go as they are, over the options', async () => {
		const payload = {
			video: { type: 'url', url: 'https://files.example/a.mp4' },
			output_languages: ['German'],
			title: 'My own',
		};
		await ran(
			batch({
				itemIs: 'json',
				payload: '={{ $json }}',
				options: { title: 'Not this', speaker_num: 2 },
			}),
			[{ json: payload }],
		);
		expect(posts('/v3/video-translations/batches')[0]?.body).toEqual({
			video_translations: [{ ...payload, speaker_num: 2 }],
		});
	});
});

describe('validation before money', () => {
	const wrong: Array<[string, INodeParameters, RegExp]> = [
		[
			'no language',
			translate({ output_languages: '={{ [] }}' }),
			/^"Output Language Names or IDs" must have at least 1 entries, but has 0/,
		],
		[
			'another frame rate mode',
			translate({ options: { fps_mode: '={{ "variable" }}' } }),
			/^"Frame Rate Mode" must be one of vfr, cfr, passthrough, but is "variable"/,
		],
		[
			'a part that ends before it begins',
			translate({ options: { start_time: 10, end_time: 9.5 } }),
			/^"End Time \(Seconds\)" must be after "Start Time \(Seconds\)", but 9.5 is not after 10/,
		],
		[
			'a role of subtitles that are not there',
			translate({ options: { srt_role: 'input' } }),
			/^"Subtitles Are" says what "Subtitles" holds, but there is no file/,
		],
		[
			'no speaker',
			proofread({ options: { speaker_num: 0 } }),
			/^"Number of Speakers" must be at least 1, but is 0/,
		],
		[
			'a batch payload without languages',
			batch({ itemIs: 'json', payload: '{"video": {"type": "url"}}' }),
			/^"Translation \(JSON\) → output_languages" is required/,
		],
		[
			'a look for nothing',
			{ resource: 'translation', operation: 'getStatuses' },
			/^"Translation IDs" or "Batch IDs" is required/,
		],
		[
			'101 IDs of two kinds',
			{
				resource: 'translation',
				operation: 'getStatuses',
				video_translation_ids: '={{ Array.from({ length: 60 }, (_, i) => "t" + i) }}',
				batch_ids: '={{ Array.from({ length: 41 }, (_, i) => "b" + i).join() }}',
			},
			/^"Translation IDs" and "Batch IDs" must have at most 100 IDs in total, but have 101/,
		],
	];

	test.each(wrong)('%s', async (_, parameters, message) => {
		const { error } = await run(parameters);
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Nothing was sent');
		expect(service.control.requests()).toHaveLength(0);
	});
});

test('a text with commas is several languages; a comma in parentheses belongs to a name', async () => {
	await run(
		translate({ output_languages: '={{ "German, Chinese (Mandarin, Simplified),French" }}' }),
	);
	const [create] = posts('/v3/video-translations');
	expect((create?.body as IDataObject).output_languages).toEqual([
		'German',
		'Chinese (Mandarin, Simplified)',
		'French',
	]);
});

describe('files', () => {
	/** What the service holds of an asset. */
	async function uploaded(input: unknown): Promise<Buffer> {
		const { type, asset_id: id } = input as { type: string; asset_id: string };
		expect(type).toBe('asset_id');
		const reply = await request(`${service.baseUrl}/v3/assets/${id}`, {
			headers: { 'x-api-key': service.apiKey },
		});
		const { data } = (await reply.body.json()) as { data: { url: string } };
		return Buffer.from(await (await request(data.url)).body.arrayBuffer());
	}

	test('a film of the item is uploaded, and translated as an asset', async () => {
		const bytes = media('video.mp4');
		const binary = { film: await stored(bytes, 'talk.mp4', 'video/mp4') };
		await ran(
			translate({
				video: { ...film, mode: 'binary', value: 'film' },
				output_languages: ['German'],
				waitForCompletion: false,
			}),
			[{ json: {}, binary }],
		);
		const [create] = posts('/v3/video-translations');
		expect(await uploaded((create?.body as IDataObject).video)).toEqual(bytes);
	});

	test('a film chosen from the list of assets goes by its ID', async () => {
		await run(translate({ video: { __rl: true, mode: 'list', value: 'asset_1' } }));
		const [create] = posts('/v3/video-translations');
		expect((create?.body as IDataObject).video).toEqual({ type: 'asset_id', asset_id: 'asset_1' });
	});

	test('subtitles come down, and corrected ones go up', async () => {
		const [made] = await ran(proofread({ output_languages: ['German'] }));
		const { id } = jobOf(made);
		for (const download of ['srt_url', 'original_srt_url']) {
			const [item] = await ran({
				resource: 'proofread',
				operation: 'getProofreadSubtitles',
				proofread_id: id,
				download,
				binaryPropertyName: 'words',
			});
			expect(await contentOf(item, 'words')).toEqual(media('captions.srt'));
			expect(item?.binary?.words).toMatchObject({ fileName: `${id}.srt` });
			expect(item?.json).toMatchObject({ proofread_id: id, srt_url: expect.any(String) });
		}

		const corrected = Buffer.from('1\n00:00:00,000 --> 00:00:01,000\nGuten Tag\n');
		const binary = { data: await stored(corrected, 'better.srt', 'application/x-subrip') };
		await ran(
			{
				resource: 'proofread',
				operation: 'replaceProofreadSubtitles',
				proofread_id: id,
				srt: { __rl: true, mode: 'binary', value: 'data' },
			},
			[{ json: {}, binary }],
		);
		const [put] = service.control.requests({ method: 'PUT', path: /\/srt$/ });
		expect(await uploaded((put?.body as IDataObject).srt)).toEqual(corrected);
	});

	test('subtitles of a proofread that is not finished are waited for', async () => {
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
			operation: 'getProofreadSubtitles',
			proofread_id: id,
			download: 'none',
		});
		expect(item?.json).toHaveProperty('srt_url');
	});

	test.each([
		['video', 'video.mp4', 'video/mp4', 'mp4'],
		['audio', 'speech.wav', 'audio/wav', 'wav'],
		['srt', 'captions.srt', 'application/x-subrip', 'srt'],
		['vtt', 'captions.vtt', 'text/vtt', 'vtt'],
	])('every byte of the %s', async (file, name, mimeType, extension) => {
		const [made] = await ran(translate({ output_languages: ['German'], waitForCompletion: false }));
		const { id } = jobOf(made);
		const [item] = await ran({
			resource: 'translation',
			operation: 'download',
			video_translation_id: byId(id),
			file,
			binaryPropertyName: 'data',
		});
		expect(item?.json).toMatchObject({ id, status: 'completed' });
		expect(item?.binary?.data).toMatchObject({ fileName: `${id}.${extension}`, mimeType });
		expect(await contentOf(item)).toEqual(media(name));
	});

	test('an address that has expired is read anew', async () => {
		const [made] = await ran(translate({ output_languages: ['German'], waitForCompletion: false }));
		const { id } = jobOf(made);
		service.control.fail({ path: /^\/media\//, times: 1, status: 403 });
		const [item] = await ran({
			resource: 'translation',
			operation: 'download',
			video_translation_id: byId(id),
			file: 'video',
			binaryPropertyName: 'data',
		});
		expect(await contentOf(item)).toEqual(media('video.mp4'));
		const reads = { method: 'GET', path: `/v3/video-translations/${id}` };
		expect(service.control.requests(reads)).toHaveLength(2);
	});

	test('a translation of the sound alone has no video, and the error says so', async () => {
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
			file: 'video',
			binaryPropertyName: 'data',
		});
		expect(error?.message).toContain(
			`The translation ${id} has no such file: its video_url is empty`,
		);
		expect(error?.description).toContain('A translation of the sound alone');
	});

	test('a translation that is not finished says its status', async () => {
		service.control.holdJobs(true);
		try {
			const [made] = await ran(
				translate({ output_languages: ['German'], waitForCompletion: false }),
			);
			const { error } = await run({
				resource: 'translation',
				operation: 'download',
				video_translation_id: byId(jobOf(made).id),
				file: 'srt',
				binaryPropertyName: 'data',
			});
			expect(error?.description).toMatch(/Its status is "(pending|running)"\. Wait/);
		} finally {
			service.control.holdJobs(false);
		}
	});
});

describe('lists of the editor', () => {
	test('translations, with language and status, and by a part of the title', async () => {
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
			(await search(service, 'VideoGenTranslation', 'searchTranslations', { filter })).results;
		expect(await look()).toHaveLength(3);
		const found = await look('OPENING');
		expect(found.map(({ value }) => value).sort()).toEqual(made.map((one) => jobOf(one).id).sort());
		expect(found.map(({ name }) => name).sort()).toEqual([
			'Opening talk (French, completed)',
			'Opening talk (German, completed)',
		]);
	});

	test('languages, in order', async () => {
		const found = await choices(service, 'VideoGenTranslation', 'getTranslationLanguages');
		const names = found.map(({ name }) => name);
		expect(names).toContain('Spanish (Mexico)');
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
		expect(found.map(({ value }) => value)).toEqual(names);
	});
});
