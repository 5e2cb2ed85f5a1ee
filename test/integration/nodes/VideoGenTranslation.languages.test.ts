import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { runForItems, runNode } from '../support/engine';
import { useService } from '../support/service';
import { waitFor } from '../support/time';

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

const batch = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'translation',
	operation: 'createBatch',
	itemIs: 'form',
	video: talk,
	output_languages: ['German', 'French'],
	mode: 'speed',
	waitForCompletion: false,
	...more,
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
		for (const { json } of out) {
			expect(json).toMatchObject({
				status: 'completed',
				job: { kind: 'translation', id: json.video_translation_id },
			});
		}
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
		service.control.fail({
			method: 'POST',
			path: '/v3/video-translations',
			status: 200,
			body: { data: { video_translation_ids: [] } },
		});
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

	test('counts the languages of JSON payloads', async () => {
		await ran(
			batch({
				itemIs: 'json',
				translation_json:
					'={{ { video: { type: "url", url: "https://files.example/a.mp4" }, output_languages: ["German", "French", "Italian"] } }}',
			}),
			items(34),
		);
		expect(posts('/v3/video-translations/batches')).toHaveLength(2);
	});

	test('refuses an item of 101 languages before any request', async () => {
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
			'no language',
			translate({ output_languages: '={{ [] }}' }),
			/^"Output Language Names or IDs" is required/,
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
			/^"Subtitles Are" needs a subtitle file/,
		],
		[
			'no speaker',
			proofread({ options: { speaker_num: -1 } }),
			/^"Number of Speakers" must be at least 1, but is -1/,
		],
		[
			'a batch payload without languages',
			batch({ itemIs: 'json', translation_json: '{"video": {"type": "url"}}' }),
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
