/** Waiting for languages, batches, files and lists. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { url } from '../support/cases';
import { loadChoices, loadListPage } from '../support/contexts';
import {
	runForItems,
	byId,
	readContent,
	runNode,
	storeBinary,
	type RunOptions,
} from '../support/engine';
import { media } from '../support/media';
import { useService } from '../support/service';
import { waitFor } from '../support/time';
import { noWait } from '../support/expectedRequest';

const service = useService();

const talk = url('https://files.example/talk.mp4');

const translate = (more: INodeParameters = {}): INodeParameters => ({
	...{ resource: 'translation', operation: 'create', mode: 'speed', waitForCompletion: true },
	...{ video: talk, output_languages: ['German', 'French', 'Japanese'] },
	...more,
	options: { pollInterval: 1, ...(more.options as INodeParameters) },
});

const batch = (more: INodeParameters = {}): INodeParameters => ({
	...{ resource: 'translation', operation: 'createBatch', itemIs: 'form', mode: 'speed' },
	...{ video: talk, output_languages: ['German', 'French'], waitForCompletion: false },
	...more,
});

const proofread = (more: INodeParameters = {}): INodeParameters => ({
	...{ resource: 'proofread', operation: 'create', mode: 'speed', waitForCompletion: true },
	...{ video: talk, title: 'A talk', output_languages: ['German', 'French'] },
	...more,
	options: { pollInterval: 1, ...(more.options as INodeParameters) },
});

const run = async (parameters: INodeParameters, options: RunOptions = {}) =>
	await runNode(service, 'VideoGenTranslation', parameters, options);

const ran = async (parameters: INodeParameters, given?: INodeExecutionData[]) =>
	await runForItems(service, 'VideoGenTranslation', parameters, { items: given });

const items = (count: number) => Array.from({ length: count }, (_, i) => ({ json: { i } }));
const jobOf = (item: INodeExecutionData | undefined) => item?.json.job as { id: string };
const posts = (at: string) => service.control.requests({ method: 'POST', path: at });

describe('several languages', () => {
	test('waiting outputs one finished item per language, all paired with the same input item', async () => {
		const out = await ran(translate(), items(2));
		expect(posts('/v3/video-translations')).toHaveLength(2);
		expect(out.map(({ json, pairedItem }) => [json.output_language, pairedItem])).toEqual(
			[0, 1].flatMap((item) => ['German', 'French', 'Japanese'].map((name) => [name, { item }])),
		);
		expect(out).toMatchObject(
			out.map(({ json: { video_translation_id: id } }) => ({
				json: { status: 'completed', job: { kind: 'translation', id } },
			})),
		);
		expect(new Set(out.map(({ json }) => json.video_translation_id)).size).toBe(6);
	});

	test('waits for the slowest language', async () => {
		service.control.holdJobs(true);
		let done = false;
		const running = ran(translate({ output_languages: ['German', 'French'] })).finally(() => {
			done = true;
		});
		const looked = () =>
			service.control
				.requests({ method: 'GET', path: '/v3/video-translations/statuses' })
				.flatMap(({ query }) => String(query.video_translation_ids).split(','));
		await waitFor(() => new Set(looked()).size === 2);
		expect(done).toBe(false);
		service.control.holdJobs(false);
		expect((await running).map(({ json }) => json.status)).toEqual(['completed', 'completed']);
	});

	test('a failed language is an error with all translation IDs', async () => {
		service.control.failNext('translation', { code: 'x', message: 'No speech was found' });
		const { error } = await run(translate({ output_languages: ['German', 'French'] }));
		expect(error?.message).toMatch(/The translation failed: No speech was found/);
		const made = service.control.jobs('translation') as Array<{ id: string }>;
		expect(made).toHaveLength(2);
		for (const { id } of made) expect(error?.description).toContain(id);
	});

	test('Continue On Fail outputs the languages that succeeded', async () => {
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

	test('a response without a translation ID is an error with advice', async () => {
		const body = { data: { video_translation_ids: [] } };
		service.control.fail({ method: 'POST', path: '/v3/video-translations', status: 200, body });
		const { error } = await run(translate());
		expect(error?.message).toMatch(/returned no translation.*check the list/);
	});

	test('creates one proofread per language and a translation from each', async () => {
		const out = await ran(proofread());
		expect(out.map(({ json }) => [json.output_language, json.status])).toEqual([
			['German', 'completed'],
			['French', 'completed'],
		]);
		const finished = await ran(
			{
				...{ resource: 'proofread', operation: 'generate', waitForCompletion: true },
				...{ proofread_id: '={{ $json.proofread_id }}', options: { pollInterval: 1 } },
			},
			out.map(({ json }) => ({ json })),
		);
		expect(finished.map(({ json }) => [json.output_language, json.status])).toEqual([
			['German', 'completed'],
			['French', 'completed'],
		]);
		for (const { json } of finished)
			expect(json.job).toEqual({ kind: 'translation', id: json.video_translation_id });
	});
});

describe('a batch', () => {
	test('sends 50 items in two languages as one batch of 100 translations', async () => {
		const out = await ran(
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
		// One item per translation, paired with its row.
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual(
			items(50).flatMap((_, item) => [{ item }, { item }]),
		);
	});

	test('splits more than 100 translations into several batches', async () => {
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
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual(
			items(60).flatMap((_, item) => Array(3 - (item % 3)).fill({ item })),
		);
	});

	test('sends each row alone and pays for it once with Pay Once Per: Unique Request', async () => {
		const form = batch({
			...{ waitForCompletion: true, download: ['video'] },
			options: { payOncePer: 'request', title: '=Talk {{ $json.i }}', batch_title: 'All' },
		});
		const first = await ran(form, items(2));
		const second = await ran(form, items(3));
		expect(posts('/v3/video-translations/batches')).toEqual([]);
		expect(posts('/v3/video-translations')[0]?.body).toMatchObject({
			...{ title: 'Talk 0', output_languages: ['German', 'French'] },
		});
		expect(service.control.jobs('translation')).toHaveLength(6);
		expect(second.map(({ pairedItem }) => pairedItem)).toEqual(
			items(3).flatMap((_, item) => [{ item }, { item }]),
		);
		expect(second.slice(0, 4).map(jobOf)).toEqual(first.map(jobOf));
		for (const { json, binary } of second) {
			expect(json).toMatchObject({ status: 'completed', video_translation_id: jobOf({ json }).id });
			expect(Object.keys(binary ?? {})).toEqual(['data']);
		}
	});

	test('shows a sample per language with Pay Once Per: Unique Request', async () => {
		const options = { payOncePer: 'request', checkOnly: 'sample' };
		const out = await ran(batch({ options }), items(2));
		expect(out.map(({ json }) => json.video_translation_id)).toEqual(
			[1, 2].flatMap((i) => [1, 2].map((n) => `sample_translation_${i}_${n}`)),
		);
		expect(service.control.jobs('translation')).toEqual([]);
	});

	test('counts the languages of JSON payloads', async () => {
		const json = {
			video: { type: 'url', url: 'https://files.example/a.mp4' },
			output_languages: ['German', 'French', 'Italian'],
		};
		const rows = Array.from({ length: 34 }, () => ({ json }));
		await ran(batch({ itemIs: 'json', translation_json: '={{ $json }}' }), rows);
		expect(posts('/v3/video-translations/batches')).toHaveLength(2);
	});

	test('sends times of a JSON payload that are null', async () => {
		const payload = {
			video: { type: 'url', url: 'https://files.example/a.mp4' },
			...{ output_languages: ['German'], start_time: null, end_time: null },
		};
		await ran(batch({ itemIs: 'json', translation_json: JSON.stringify(payload) }));
		expect(posts('/v3/video-translations/batches')[0]?.body).toEqual({
			video_translations: [payload],
		});
	});

	test('applies "Subtitle Language" to the subtitles of a JSON payload', async () => {
		const file = { type: 'url', url: 'https://files.example/a.srt' };
		const payload = { video: file, output_languages: ['German'], srt: file };
		const options = { srt_role: 'input' };
		const translation_json = JSON.stringify(payload);
		await ran(batch({ itemIs: 'json', translation_json, options }));
		expect(posts('/v3/video-translations/batches')[0]?.body).toEqual({
			video_translations: [{ ...payload, ...options }],
		});
	});

	test('rejects an item of 101 languages before any request', async () => {
		const { error } = await run(
			batch({ output_languages: '={{ Array.from({ length: 101 }, (_, i) => "L" + i) }}' }),
		);
		expect(error?.message).toMatch(/^"Output Language Names or IDs" must have at most 100 entries/);
		expect(service.control.requests()).toHaveLength(0);
	});

	test('sends JSON payloads unchanged, with priority over options', async () => {
		const payload = {
			video: { type: 'url', url: 'https://files.example/a.mp4' },
			output_languages: ['German'],
			title: 'My own',
		};
		await ran(
			batch({
				itemIs: 'json',
				translation_json: '={{ $json }}',
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
			'a part that ends before it begins',
			translate({ options: { start_time: 10, end_time: 9.5 } }),
			/^"End Time \(Seconds\)" must be greater than "Start Time \(Seconds\)", but 9.5 is not greater than 10/,
		],
		[
			'a role of subtitles that are not there',
			translate({ options: { srt_role: 'input' } }),
			/^"Subtitle Language" requires a subtitle file/,
		],
		[
			'a batch payload without languages',
			batch({ itemIs: 'json', translation_json: '{"video": {"type": "url"}}' }),
			/^"Translation \(JSON\) → output_languages" is required/,
		],
		[
			'a batch payload that ends before the start in the options',
			batch({
				itemIs: 'json',
				translation_json: JSON.stringify({ video: {}, output_languages: ['German'], end_time: 5 }),
				options: { start_time: 10 },
			}),
			/^"End Time \(Seconds\)" must be greater than "Start Time \(Seconds\)"/,
		],
		[
			'subtitles of a batch payload that are null',
			batch({
				itemIs: 'json',
				translation_json: JSON.stringify({ video: {}, output_languages: ['German'], srt: null }),
				options: { srt_role: 'input' },
			}),
			/^"Subtitle Language" requires a subtitle file/,
		],
	];

	test.each(wrong)('%s', async (_, parameters, message) => {
		const { error } = await run(parameters);
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Nothing was sent');
		expect(service.control.requests()).toHaveLength(0);
	});
});

test('splits a text into languages at commas outside parentheses', async () => {
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

/** A translation into one language, without waiting for it. */
const german = (options: INodeParameters = {}) =>
	translate({ output_languages: ['German'], ...noWait, options });

describe('files', () => {
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
			expect(item?.binary?.words).toMatchObject({
				fileName: download === 'original' ? `${id}.original.srt` : `${id}.srt`,
			});
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
		const { asset_id } = (put?.body as { srt: IDataObject }).srt;
		const file = await fetch(`${service.baseUrl}/public/${asset_id}/file`);
		expect(await file.text()).toBe(corrected.toString());
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

	test('downloads every byte of all files', async () => {
		const [made] = await ran(german());
		const { id } = jobOf(made);
		const [item] = await ran({
			...{ resource: 'translation', operation: 'download', video_translation_id: byId(id) },
			...{ files: ['video', 'audio', 'subtitle', 'vtt'], binaryPropertyName: 'data' },
		});
		expect(item?.json).toMatchObject({ video_translation_id: id, status: 'completed' });
		expect(item?.binary).toMatchObject({
			data: { fileName: `${id}.German.mp4`, mimeType: 'video/mp4' },
			audio: { fileName: `${id}.German.wav`, mimeType: 'audio/wav' },
			subtitle: { fileName: `${id}.German.srt`, mimeType: 'application/x-subrip' },
			vtt: { fileName: `${id}.German.vtt`, mimeType: 'text/vtt' },
		});
		expect(await readContent(item)).toEqual(media('video.mp4'));
		expect(await readContent(item, 'audio')).toEqual(media('speech.wav'));
		expect(await readContent(item, 'subtitle')).toEqual(media('captions.srt'));
		expect(await readContent(item, 'vtt')).toEqual(media('captions.vtt'));
	});

	test('the error explains that an audio-only translation has no video', async () => {
		const [made] = await ran(german({ translate_audio_only: true }));
		const { id } = jobOf(made);
		const { error } = await run({
			...{ resource: 'translation', operation: 'download', video_translation_id: byId(id) },
			...{ files: ['video'], binaryPropertyName: 'data' },
		});
		expect(error?.message).toContain(
			`The translation ${id} has no file "Video": its video_url is empty`,
		);
		expect(error?.description).toContain('an audio-only translation');
	});
});

describe('lists of the editor', () => {
	test('lists translations with language and status, and searches titles', async () => {
		const made = await ran(translate({ ...noWait, options: { title: 'Opening talk' } }));
		await ran(german({ title: 'Farewell' }));
		const look = async (filter?: string) =>
			(await loadListPage(service, 'VideoGenTranslation', 'searchTranslations', { filter }))
				.results;
		expect(await look()).toHaveLength(4);
		const found = await look('OPENING');
		expect(found.map(({ value }) => value).sort()).toEqual(made.map((one) => jobOf(one).id).sort());
		expect(found.map(({ name }) => name).sort()).toEqual([
			...['Opening talk (French, completed)', 'Opening talk (German, completed)'],
			'Opening talk (Japanese, completed)',
		]);
	});

	test('says how to load the languages if the editor has not selected the credential yet', async () => {
		const method = 'getTranslationLanguages';
		const found = await loadChoices(service, 'VideoGenTranslation', method, {}, false);
		expect(found).toEqual([{ name: expect.stringContaining('Reopen This Node'), value: '' }]);
		expect(service.control.requests()).toHaveLength(0);
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
