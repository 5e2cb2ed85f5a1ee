/** The option Check Only: items are checked and looked up, and nothing is created or charged. */
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenVideo/operations';
import {
	avatar,
	batch,
	continueOnFail,
	createCalls,
	items,
	session,
	speakingImage,
	speech,
} from '../support/calls';
import { url } from '../support/cases';
import {
	byId,
	createFileItem,
	loadNodeType,
	readContent,
	runNode,
	type RunOptions,
} from '../support/engine';
import type { Operation } from '../support/core';
import { media } from '../support/media';
import { useService } from '../support/service';

const service = useService();
const { createVideos, posts, waitForJobs } = createCalls(service);

const check = { options: { checkOnly: 'check' } };
const reads = (path: string | RegExp) => service.control.requests({ method: 'GET', path });
const writes = () => service.control.requests().filter(({ method }) => method !== 'GET');

const translation = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'create',
	video: url('https://files.example/a.mp4'),
	output_languages: ['Spanish', 'German'],
	waitForCompletion: false,
	...more,
});

const template = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'generate',
	template_id: byId('template_001'),
	variablesFrom: 'json',
	variables_json:
		'={{ JSON.stringify({ [$json.i === 1 ? "no_such_variable" : "headline"]: "Ada" }) }}',
	waitForCompletion: false,
	...more,
});

const valid = (all: INodeExecutionData[]) => all.map(({ json }) => json.valid);
const problems = ({ json }: INodeExecutionData) => (json.problems as string[]).join('\n');

const run = async (
	type: string,
	parameters: INodeParameters,
	count = 5,
	options: RunOptions = {},
) => {
	const result = await runNode(service, type, parameters, { items: items(count), ...options });
	expect(result.error).toBeUndefined();
	expect(writes()).toEqual([]);
	return result.items;
};

/** An expression that is bad for item 1, and good for all others. */
const onlyItem1 = (bad: string, good: string) => `={{ $json.i === 1 ? "${bad}" : "${good}" }}`;

describe('of five rows, the bad one has its problem, and all are output', () => {
	test.each<[string, INodeParameters, string]>([
		[
			'VideoGenVideo',
			avatar({ avatar_id: byId(onlyItem1('look_bad', 'look_001_1')), ...check }),
			'"Avatar Look": look_bad does not exist',
		],
		[
			'VideoGenVideo',
			avatar({ script: onlyItem1('', 'Hello, this is long enough.'), ...check }),
			'"Script" is empty',
		],
		[
			'VideoGenVideo',
			batch({ voice_id: byId(onlyItem1('voice_bad', 'voice_001')), ...check }),
			'"Voice": voice_bad does not exist',
		],
		[
			'VideoGenAgent',
			session({
				options: { checkOnly: 'check' },
				lookAndSound: { style_id: byId(onlyItem1('style_bad', 'style_001')) },
			}),
			'"Style": style_bad does not exist',
		],
		[
			'VideoGenAgent',
			session({ ...check, lookAndSound: { brand_kit_id: byId(onlyItem1('kit_bad', 'kit_001')) } }),
			'"Brand Kit": kit_bad does not exist',
		],
		[
			'VideoGenVideo',
			{
				operation: 'createCinematic',
				prompt: 'A walk',
				avatar_id: {
					look: [
						{ avatar_id: byId('look_002_1') },
						{ avatar_id: byId(onlyItem1('look_bad', 'look_001_1')) },
					],
				},
				...check,
			},
			'"Avatar Look": look_bad does not exist',
		],
		[
			'VideoGenTranslation',
			translation({
				...check,
				advanced: {
					preferred_stock_voice_ids: {
						voice: [{ voice_id: byId(onlyItem1('voice_bad', 'voice_001')) }],
					},
				},
			}),
			'"Preferred Stock Voices": voice_bad does not exist',
		],
		['VideoGenTemplate', template(check), 'The template has no variable "no_such_variable"'],
		[
			'VideoGenTemplate',
			template({
				...check,
				template_id: byId(onlyItem1('template_bad', 'template_001')),
				variables_json: '{}',
			}),
			'"Template": template_bad does not exist',
		],
		[
			'VideoGenTranslation',
			translation({
				...check,
				video: {
					__rl: true,
					mode: 'url',
					value: onlyItem1('nowhere', 'https://files.example/a.mp4'),
				},
			}),
			'"Video → url" must be a full URL',
		],
		['VideoGenSpeech', speech({ ...check, text: onlyItem1('', 'Hello') }), '"Text" is empty'],
	])('%s', async (type, parameters, problem) => {
		const out = await run(type, parameters);
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3, 4].map((item) => ({ item })),
		);
		expect(valid(out)).toEqual([true, false, true, true, true]);
		expect(out.map(problems)).toEqual(['', expect.stringContaining(problem), '', '', '']);
	});
});

test('each distinct ID is looked up once, whatever the number of rows', async () => {
	const out = await run('VideoGenVideo', avatar(check), 30);
	expect(valid(out)).toEqual(Array(30).fill(true));
	expect(service.control.requests()).toHaveLength(2);
	expect(reads('/v3/avatars/looks/look_001_1')).toHaveLength(1);
	expect(reads('/v3/voices/voice_001')).toHaveLength(1);
	expect(out[0]?.json.references).toEqual([
		{ field: 'Avatar Look', id: 'look_001_1', name: expect.any(String) },
		{ field: 'Voice', id: 'voice_001', name: expect.any(String) },
	]);
});

test('a template is read once for its ID and its variables', async () => {
	const out = await run(
		'VideoGenTemplate',
		template({ ...check, variables_json: '{ "headline": "Ada" }' }),
	);
	expect(valid(out)).toEqual(Array(5).fill(true));
	expect(service.control.requests()).toHaveLength(1);
});

test('variables in the API format are checked against the template too', async () => {
	const variables = { no_such_variable: { type: 'text', content: 'Ada' } };
	const variables_json = JSON.stringify(variables);
	const [one] = await run('VideoGenTemplate', template({ ...check, variables_json }), 1);
	expect(one && problems(one)).toContain('The template has no variable "no_such_variable"');
});

test('IDs in variables of a template are looked up too', async () => {
	const variables = { who: { type: 'character', character_id: 'look_bad' } };
	const [one] = await run(
		'VideoGenTemplate',
		template({ ...check, variables_json: JSON.stringify(variables) }),
		1,
	);
	expect(one && problems(one)).toContain('"Avatar Look": look_bad does not exist');
});

test('files are not uploaded, but named, and a missing one is a problem', async () => {
	const file = await createFileItem(media('thumbnail.jpg'), 'image/jpeg');
	const out = await run('VideoGenVideo', speakingImage(check), 2, { items: [file, { json: {} }] });
	expect(out[0]?.json).toMatchObject({
		valid: true,
		request: { body: { image: { type: 'asset_id', asset_id: '(the file in "data")' } } },
	});
	expect(problems(out[1] as INodeExecutionData)).toContain('no file in the binary field "data"');
});

test('the API key does not reach the output', async () => {
	const script = `My key is ${service.apiKey}, do not tell anybody.`;
	const out = await run('VideoGenVideo', avatar({ ...check, script }), 1);
	expect(out[0]?.json).toMatchObject({
		request: { body: { script: expect.stringContaining('***') } },
	});
	expect(JSON.stringify(out)).not.toContain(service.apiKey);
});

test('rows of a batch say how many of them share a request, and jobs are counted', async () => {
	const rows = await run('VideoGenVideo', batch(check), 3);
	expect(rows.map(({ json }) => (json.request as IDataObject).items)).toEqual([3, 3, 3]);
	const [one] = await run('VideoGenTranslation', translation(check), 1);
	expect(one?.json.jobs).toBe(2);
});

test('a look-up that fails for another reason is no problem of the row', async () => {
	service.control.fail({ path: /^\/v3\/voices/, status: 403, code: 'resource_access_denied' });
	const [one] = await run('VideoGenVideo', avatar(check), 1);
	expect(one?.json).toMatchObject({ valid: true, problems: [] });
	expect(one?.json.references).toContainEqual({
		field: 'Voice',
		id: 'voice_001',
		unknown: expect.stringContaining('another user'),
	});
});

test('the limits of a run are problems of its rows', async () => {
	const low = await run(
		'VideoGenVideo',
		avatar({ options: { checkOnly: 'check', mostJobs: 2 } }),
		3,
	);
	expect(low.map(problems)).toEqual(Array(3).fill(expect.stringContaining('the limit is 2')));
	const poor = await run(
		'VideoGenVideo',
		avatar({ options: { checkOnly: 'check', stopBelowBalance: 1e9 } }),
		1,
	);
	expect(poor.map(problems)).toEqual([expect.stringContaining('Min Account Balance')]);
});

test('each row of a batch has the price of its own kind of video', async () => {
	const videos = [
		{ type: 'cinematic_avatar', avatar_id: ['look_001_1'], prompt: 'A walk' },
		{ type: 'avatar', avatar_id: 'look_001_1', script: 'Hello there.', voice_id: 'voice_001' },
	];
	const checked = {
		...{ operation: 'createBatch', itemIs: 'json', video_json: '={{ $json }}' },
		options: { checkOnly: 'check' },
	};
	const rows = videos.map((json) => ({ json }));
	const { items: out } = await runNode(service, 'VideoGenVideo', checked, { items: rows });
	expect(out.map(({ json }) => [json.valid, json.price])).toEqual([
		[true, '7.00 USD per video of any length'],
		[true, 'The service does not publish a price for this operation'],
	]);
});

test('a hint counts the items that would fail', async () => {
	const script = '={{ $json.i === 1 ? "" : "Hello" }}';
	const checked = avatar({ script, options: { checkOnly: 'check' } });
	const { run: ended } = await runNode(service, 'VideoGenVideo', checked, { items: items(3) });
	const hints = ended.data.resultData.runData.Node?.[0]?.hints ?? [];
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^3 items were checked, and 1 of them would fail\./),
	]);
});

test('a hint says once, before anything is paid, that the files will have no captions', async () => {
	const options = { checkOnly: 'check', caption: 'burned' };
	const checked = avatar({ options, waitForCompletion: true, download: ['video'] });
	const { run: ended } = await runNode(service, 'VideoGenVideo', checked, { items: items(2) });
	const hints = ended.data.resultData.runData.Node?.[0]?.hints ?? [];
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(
			/^The &#34;Video&#34; file has no captions\..* choose &#34;Video With Captions/,
		),
		expect.stringMatching(/^2 items were checked, and no problems were found\./),
	]);
	expect(posts('/v3/videos')).toHaveLength(0);
});

test('rows that are only checked do not count toward the limit of the others', async () => {
	const { items: out } = await createVideos(3, {
		options: { checkOnly: onlyItem1('off', 'check'), mostJobs: 1 },
	});
	expect(posts('/v3/videos')).toHaveLength(1);
	expect(out.map(({ json }) => [json.valid, Boolean(json.video_id)])).toEqual([
		[false, false],
		[undefined, true],
		[false, false],
	]);
});

test('an expression may choose the rows: only the others are created', async () => {
	const { items: out } = await createVideos(3, {
		options: { checkOnly: onlyItem1('check', 'off') },
	});
	expect(posts('/v3/videos')).toHaveLength(2);
	expect(out.map(({ json }) => [json.valid, Boolean(json.video_id)])).toEqual([
		[undefined, true],
		[true, false],
		[undefined, true],
	]);
});

test('another word than the choices creates nothing', async () => {
	const { error } = await createVideos(1, { options: { checkOnly: '={{ "yes" }}' } });
	expect(error?.message).toContain('"Check Only" must be');
	expect(service.control.requests()).toEqual([]);
});

test('a check that would create something is stopped before it is sent', async () => {
	const operation = resources[0]?.operations.find(({ value }) => value === 'createAvatar');
	const { reject: before } = operation ?? {};
	const reject: Operation['reject'] = async (_, client) => {
		await client.fetchData({ line: 'POST /v3/videos', body: {} });
	};
	Object.assign(operation ?? {}, { reject });
	const out = await run('VideoGenVideo', avatar(check), 1).finally(() =>
		Object.assign(operation ?? {}, { reject: before }),
	);
	expect(out.map(problems)).toEqual([expect.stringContaining('was not sent')]);
});

test('in tools of AI agents, the form does not have the option', () => {
	const { properties } = loadNodeType('VideoGenVideo').description;
	const found = properties
		.filter(({ name }) => name === 'options')
		.flatMap(({ options = [] }) => options as INodeProperties[])
		.filter(({ name }) => name === 'checkOnly');
	expect(found.length).toBeGreaterThan(0);
	for (const { displayOptions } of found) {
		expect(displayOptions?.hide).toEqual({ '@tool': [true] });
	}
});

test('Include Input Fields adds the fields of the row', async () => {
	const [one] = await run(
		'VideoGenVideo',
		avatar({ options: { checkOnly: 'check', includeInputFields: true } }),
		1,
	);
	expect(one?.json).toMatchObject({ i: 0, valid: true });
});

describe('Sample Result', () => {
	const sample = (more: INodeParameters = {}) => ({
		waitForCompletion: true,
		options: { checkOnly: 'sample' },
		...more,
	});

	test('files of Download are samples of their types, named as usual', async () => {
		const download = ['video', 'captioned', 'subtitle', 'thumbnail', 'gif'];
		const options = { checkOnly: 'sample', fileName: '=Video {{ $json.i }}' };
		const out = await run('VideoGenVideo', avatar(sample({ download, options })), 2);
		expect(out.map(({ json }) => json.video_id)).toEqual(['sample_video_1', 'sample_video_2']);
		const files = Object.entries(out[1]?.binary ?? {}).map(
			([field, { fileName, mimeType }]) => [field, fileName, mimeType] as const,
		);
		expect(files).toEqual([
			['data', 'Video 1.mp4', 'video/mp4'],
			['captioned', 'Video 1.captioned.mp4', 'video/mp4'],
			['subtitle', 'Video 1.srt', 'application/x-subrip'],
			['thumbnail', 'Video 1.jpg', 'image/jpeg'],
			['gif', 'Video 1.gif', 'image/gif'],
		]);
		const contents = await Promise.all(
			files.map(async ([field]) => await readContent(out[1], field)),
		);
		const beginnings = contents.map((content) => content.subarray(0, 8).toString('latin1'));
		expect(beginnings[0]?.slice(4)).toBe('ftyp');
		expect(beginnings[2]).toBe('1\n00:00:');
		expect(beginnings[3]?.slice(0, 2)).toBe('\xff\xd8');
		expect(beginnings[4]?.slice(0, 6)).toBe('GIF89a');
	});

	test('speech has a sound file', async () => {
		const [one] = await run('VideoGenSpeech', speech(sample({ downloadAudio: true })), 1);
		expect(one?.binary?.data).toMatchObject({ mimeType: 'audio/wav', fileName: 'speech.wav' });
		const content = await readContent(one);
		expect(content.toString('latin1', 0, 4)).toBe('RIFF');
	});

	test('an agent session has its video, and a batch its rows', async () => {
		const [made] = await run('VideoGenAgent', session(sample()), 1);
		expect(made?.json).toMatchObject({
			session_id: 'sample_session_1',
			video_url: expect.stringContaining('https://example.com/simulated/1/'),
			video: { id: 'sample_video_1', status: 'completed' },
			job: { kind: 'session', id: 'sample_session_1' },
			simulated: true,
		});
		const rows = await run('VideoGenVideo', batch(sample()), 3);
		expect(rows.map(({ json }) => [json.video_id, json.item_index])).toEqual([
			['sample_video_1', 0],
			['sample_video_2', 1],
			['sample_video_3', 2],
		]);
	});

	test('a translation is an item for each language', async () => {
		const out = await run('VideoGenTranslation', translation(sample()), 2);
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 1, 1].map((item) => ({ item })));
		expect(new Set(out.map(({ json }) => json.video_translation_id)).size).toBe(4);
	});

	test('clips are split', async () => {
		const parameters = {
			operation: 'create',
			video: url('https://files.example/talk.mp4'),
			splitIntoClips: true,
			download: ['video'],
			...sample(),
		};
		const out = await run('VideoGenClipping', parameters, 1);
		expect(out).toHaveLength(2);
		for (const { json, binary } of out) {
			expect(json.simulated).toBe(true);
			expect(binary?.data?.mimeType).toBe('video/mp4');
		}
	});

	test.each<[string, string, INodeParameters, string[]]>([
		['a video', 'VideoGenVideo', avatar(), ['video_id', 'video_url']],
		['a row of a batch', 'VideoGenVideo', batch(), ['video_id', 'batch_id', 'video_url']],
		['an agent session', 'VideoGenAgent', session(), ['session_id', 'video_id', 'video_url']],
	])('VideoGen Job Status finishes %s without asking the service', async (...row) => {
		const [, type, parameters, keys] = row;
		const unfinished = await run(type, { ...parameters, options: { checkOnly: 'sample' } }, 2);
		expect(unfinished.map(({ json }) => json.video_url)).toEqual([undefined, undefined]);
		service.control.reset();
		const { items: finished, error } = await waitForJobs(unfinished, { download: ['video'] });
		expect(error).toBeUndefined();
		expect(service.control.requests()).toEqual([]);
		expect(finished).toHaveLength(2);
		for (const { json, binary } of finished) {
			expect(json).toMatchObject({ simulated: true, status: 'completed' });
			for (const key of keys) expect(json[key]).toEqual(expect.any(String));
			expect(JSON.stringify(json)).not.toContain('{n}');
			expect(binary?.data?.mimeType).toBe('video/mp4');
		}
	});

	test('a row with a problem fails, as in a real run', async () => {
		const bad = avatar(sample({ avatar_id: byId(onlyItem1('look_bad', 'look_001_1')) }));
		const stopped = await runNode(service, 'VideoGenVideo', bad, { items: items(3) });
		expect(stopped.error?.message).toContain('look_bad does not exist [row 2]');
		const out = await run('VideoGenVideo', bad, 3, { node: continueOnFail });
		expect(out.map(({ json }) => [json.simulated, json.error])).toEqual([
			[true, undefined],
			[undefined, expect.stringContaining('look_bad does not exist')],
			[true, undefined],
		]);
	});
});
