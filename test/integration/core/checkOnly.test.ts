/** The option Check Only: items are checked and looked up, and nothing is created or charged. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import {
	avatar,
	batch,
	createCalls,
	items,
	session,
	speakingImage,
	speech,
} from '../support/calls';
import { url } from '../support/cases';
import { byId, createFileItem, runNode, type RunOptions } from '../support/engine';
import { media } from '../support/media';
import { useService } from '../support/service';

const service = useService();
const { createVideos, posts } = createCalls(service);

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

/** A value of which only item 1 has the bad one. */
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
			'"Script" is required',
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
		['VideoGenSpeech', speech({ ...check, text: onlyItem1('', 'Hello') }), '"Text" is required'],
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
	expect(problems(out[1] as INodeExecutionData)).toContain('no file in a binary field "data"');
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
	expect(poor.map(problems)).toEqual([expect.stringContaining('Stop Below Balance')]);
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

test('Include Input Fields adds the fields of the row', async () => {
	const [one] = await run(
		'VideoGenVideo',
		avatar({ options: { checkOnly: 'check', includeInputFields: true } }),
		1,
	);
	expect(one?.json).toMatchObject({ i: 0, valid: true });
});
