import { startSimulator, type Simulator } from '../../simulator';
import { caller, speaking, type Caller } from './support';

let simulator: Simulator;
let call: Caller;

beforeAll(async () => {
	simulator = await startSimulator();
	call = caller(simulator);
});
afterAll(() => simulator.close());

const picture = { type: 'url', url: 'https://pictures.example/face.png' };
const scene = { type: 'avatar_video', input: speaking };

const refusals: Array<[string, string, unknown, string | null]> = [
	['an empty prompt', 'POST /v3/video-agents', { prompt: '' }, 'prompt'],
	['a missing prompt', 'POST /v3/video-agents', {}, 'prompt'],
	['a long prompt', 'POST /v3/video-agents', { prompt: 'x'.repeat(10_001) }, 'prompt'],
	['a number for text', 'POST /v3/video-agents', { prompt: 7 }, 'prompt'],
	['an unknown field', 'POST /v3/video-agents', { prompt: 'x', colour: 1 }, 'colour'],
	['an unknown mode', 'POST /v3/video-agents', { prompt: 'x', mode: 'talk' }, 'mode'],
	[
		'a callback that is no URL',
		'POST /v3/video-agents',
		{ prompt: 'x', callback_url: 'nowhere' },
		'callback_url',
	],
	[
		'an unknown key in a file',
		'POST /v3/video-agents',
		{ prompt: 'x', files: [{ ...picture, name: 'a' }] },
		'files[0].name',
	],
	['broken JSON', 'POST /v3/video-agents', '{"prompt":', null],
	['an unknown type', 'POST /v3/videos', { type: 'film' }, 'type'],
	['no audio at all', 'POST /v3/videos', { type: 'avatar', avatar_id: 'look_001_1' }, 'script'],
	[
		'two audio sources',
		'POST /v3/videos',
		{ ...speaking, audio_url: 'https://audio.example/a.mp3' },
		'audio_url',
	],
	[
		'an image video with a script and no voice',
		'POST /v3/videos',
		{ type: 'image', image: picture, script: 'Good morning to everybody.' },
		'voice_id',
	],
	[
		'expressiveness with avatar_v',
		'POST /v3/videos',
		{ ...speaking, engine: { type: 'avatar_v' }, expressiveness: 'high' },
		'expressiveness',
	],
	[
		'the older text form of engine',
		'POST /v3/videos',
		{ ...speaking, engine: 'avatar_v' },
		'engine',
	],
	[
		'a reference look with another engine',
		'POST /v3/videos',
		{ ...speaking, engine: { type: 'avatar_iii', reference_look_id: 'look_001_1' } },
		'engine.reference_look_id',
	],
	[
		'a background behind webm',
		'POST /v3/videos',
		{ ...speaking, output_format: 'webm', background: { type: 'color', value: '#000000' } },
		'background',
	],
	[
		'a watermark scale above 2',
		'POST /v3/videos',
		{ ...speaking, watermark: { image: picture, scale: 2.5 } },
		'watermark.scale',
	],
	[
		'a duration beside auto_duration',
		'POST /v3/videos',
		{
			type: 'cinematic_avatar',
			avatar_id: ['look_001_1'],
			prompt: 'x',
			duration: 5,
			auto_duration: true,
		},
		'duration',
	],
	[
		'a cinematic duration of 3 seconds',
		'POST /v3/videos',
		{ type: 'cinematic_avatar', avatar_id: ['look_001_1'], prompt: 'x', duration: 3 },
		'duration',
	],
	[
		'four looks in one cinematic video',
		'POST /v3/videos',
		{ type: 'cinematic_avatar', avatar_id: Array(4).fill('look_001_1'), prompt: 'x' },
		'avatar_id',
	],
	['51 scenes', 'POST /v3/videos', { type: 'studio', scenes: Array(51).fill(scene) }, 'scenes'],
	[
		'a narrated image scene with a duration',
		'POST /v3/videos',
		{
			type: 'studio',
			scenes: [
				scene,
				{ type: 'image', source: picture, duration: 3, audio_url: 'https://audio.example/a.mp3' },
			],
		},
		'scenes[1].duration',
	],
	[
		'a studio payload in a batch',
		'POST /v3/videos/batches',
		{ videos: [speaking, { type: 'studio', scenes: [scene] }] },
		'videos[1].type',
	],
	[
		'a folder on a batch item',
		'POST /v3/videos/batches',
		{ videos: [{ ...speaking, folder_id: 'folder_001' }] },
		'videos[0].folder_id',
	],
	['101 payloads', 'POST /v3/videos/batches', { videos: Array(101).fill(speaking) }, 'videos'],
	['an unknown query parameter', 'GET /v3/videos?colour=1', undefined, 'colour'],
	['a page of 0', 'GET /v3/videos?limit=0', undefined, 'limit'],
	['a page of 101', 'GET /v3/videos?limit=101', undefined, 'limit'],
	['a page of 51 looks', 'GET /v3/avatars/looks?limit=51', undefined, 'limit'],
	['a limit in words', 'GET /v3/voices?limit=ten', undefined, 'limit'],
	['an invented cursor', 'GET /v3/videos?token=abc', undefined, 'token'],
	[
		'a plain http endpoint',
		'POST /v3/webhooks/endpoints',
		{ url: 'http://flows.example/a' },
		'url',
	],
	[
		'an unknown event type',
		'POST /v3/webhooks/endpoints',
		{ url: 'https://flows.example/a', events: ['video.done'] },
		'events[0]',
	],
	[
		'half a point as the size of subtitles',
		'POST /v3/templates/template_001',
		{ variables: {}, subtitles: { preset_name: 'x', font_size: 12.5 } },
		'subtitles.font_size',
	],
	['a long folder name', 'POST /v3/folders', { name: 'x'.repeat(257) }, 'name'],
	[
		'a folder in the trash',
		'POST /v3/folders',
		{ name: 'x', parent_id: 'folder_trashed' },
		'parent_id',
	],
];

test.each(refusals)('refuses %s', async (_name, line, body, param) => {
	const reply = await call(line, body);
	expect(reply.body.error).toMatchObject({ code: 'invalid_parameter', param });
	expect(reply.status).toBe(400);
});

test.each([
	['POST /v3/videos', { ...speaking, folder_id: 'gone' }, 'resource_not_found', 'folder_id'],
	['POST /v3/videos', { ...speaking, avatar_id: 'gone' }, 'avatar_not_found', 'avatar_id'],
	['POST /v3/videos', { ...speaking, voice_id: 'gone' }, 'voice_not_found', 'voice_id'],
	[
		'POST /v3/videos',
		{ ...speaking, script: null, audio_asset_id: 'gone' },
		'asset_not_found',
		'audio_asset_id',
	],
	['POST /v3/video-agents', { prompt: 'x', style_id: 'gone' }, 'resource_not_found', 'style_id'],
])('%s answers 404 for what it does not know (%j)', async (line, body, code, param) => {
	const reply = await call(line, body);
	expect(reply.status).toBe(404);
	expect(reply.body.error).toMatchObject({ code, param });
});

test.each([{}, { x: 1.5 }, { y: 0 }, { x: 0, y: -2 }])(
	'takes subtitles at %j',
	async (position) => {
		const subtitles = { preset_name: 'x', font_size: 12, position };
		const reply = await call('POST /v3/templates/template_001', { variables: {}, subtitles });
		expect(reply.status).toBe(200);
	},
);

test('counts characters, not units of UTF-16', async () => {
	const rocket = String.fromCodePoint(0x1f680);
	const ask = (count: number) => call('POST /v3/video-agents', { prompt: rocket.repeat(count) });
	expect((await ask(10_000)).status).toBe(200);
	expect((await ask(10_001)).body.error.param).toBe('prompt');
});

test('asks a look, not a list, which engines there are', async () => {
	const make = (type: string) => call('POST /v3/videos', { ...speaking, engine: { type } });
	expect((await make('avatar_iii')).status).toBe(200);
	const other = await make('avatar_x');
	expect(other.body.error).toMatchObject({ code: 'avatar_not_usable', param: 'engine.type' });
	const scenes = [{ type: 'avatar_video', input: { ...speaking, engine: { type: 'avatar_x' } } }];
	const studio = await call('POST /v3/videos', { type: 'studio', scenes });
	expect(studio.body.error.param).toBe('scenes[0].input.engine.type');
});

test('refuses a script of less than a second', async () => {
	const reply = await call('POST /v3/videos', { ...speaking, script: 'Hi!' });
	expect(reply.status).toBe(400);
	expect(reply.body.error.code).toBe('script_too_short');
});

test('refuses looks that wait for consent or failed', async () => {
	const waiting = await call('POST /v3/videos', { ...speaking, avatar_id: 'look_private_004' });
	expect(waiting.body.error.code).toBe('avatar_consent_required');
	const failed = await call('POST /v3/videos', { ...speaking, avatar_id: 'look_private_005' });
	expect(failed.body.error.code).toBe('avatar_not_usable');
});

test('has no scenes for image and cinematic videos', async () => {
	const created = await call('POST /v3/videos', {
		type: 'cinematic_avatar',
		avatar_id: ['look_001_1'],
		prompt: 'A walk in the rain',
	});
	expect(created.status).toBe(200);
	const scenes = await call(`GET /v3/videos/${created.body.data.video_id}/scenes`);
	expect(scenes.status).toBe(400);
	expect(scenes.body.error.code).toBe('scenes_unavailable');
});

test('takes a studio video and shows its scenes', async () => {
	const created = await call('POST /v3/videos', {
		type: 'studio',
		title: 'Three scenes',
		aspect_ratio: '9:16',
		captions: { style: 'default' },
		webhooks: { anything: true },
		scenes: [
			{
				type: 'avatar_video',
				input: { ...speaking, background: { type: 'color', color: '#112233' } },
			},
			{ type: 'image', source: picture, duration: 4 },
			{
				type: 'video',
				source: { type: 'url', url: 'https://films.example/a.mp4' },
				playback: { mode: 'loop', volume: 0.5 },
				voiceover: { audio_url: 'https://audio.example/a.mp3' },
			},
		],
	});
	expect(created.body.data).toEqual({
		video_id: expect.any(String),
		status: 'waiting',
		output_format: 'mp4',
	});
	const { body } = await call(`GET /v3/videos/${created.body.data.video_id}/scenes`);
	expect(body.data.video).toMatchObject({
		title: 'Three scenes',
		aspect_ratio: '9:16',
		caption: { enabled: true },
	});
	expect(body.data.edit_version).toEqual(expect.any(String));
	const [avatar, image, video] = body.data.scenes;
	expect(avatar).toMatchObject({
		background: { type: 'color', color: '#112233' },
		elements: [{ type: 'avatar', avatar_id: 'look_001_1', engine: 'avatar_iv' }],
		script: { type: 'text', text: speaking.script },
	});
	expect(image).toMatchObject({
		elements: [{ type: 'image', url: picture.url }],
		script: { type: 'silence', duration: 4 },
	});
	expect(video).toMatchObject({
		elements: [{ type: 'video', playback: 'loop', volume: 0.5 }],
		script: { type: 'audio', audio_url: 'https://audio.example/a.mp3' },
	});
});

test('refuses repeats in a glossary and of its name', async () => {
	const named = (name: string, more = {}) => call('POST /v3/brand-glossaries', { name, ...more });
	expect((await named('MEDICINE')).body.error).toMatchObject({ code: 'conflict', param: 'name' });
	const twice = { do_not_translate_terms: [{ term: 'Zug' }, { term: 'ZUG' }] };
	expect((await named('Trains', twice)).status).toBe(409);
	const made = await named('Trains', { do_not_translate_terms: [{ term: 'Zug' }] });
	expect(made.status).toBe(200);
	const id = made.body.data.brand_glossary_id;
	const cleared = await call(`PATCH /v3/brand-glossaries/${id}`, { do_not_translate_terms: [] });
	expect(cleared.body.data).toMatchObject({ name: 'Trains', do_not_translate_terms: [] });
});

test('edits brand roles only once the kit is loaded', async () => {
	const { body } = await call('POST /v3/brand-kits', { url: 'https://bakery.example' });
	expect(body.data.status).toBe('loading');
	const path = `/v3/brand-kits/${body.data.brand_kit_id}`;
	const early = await call(`PATCH ${path}`, { color_roles: { accent: '#FF0000' } });
	expect(early.status).toBe(409);
	expect(early.body.error.code).toBe('brand_kit_not_ready');
	expect((await call(`PATCH ${path}`, { name: 'Bread' })).body.data.name).toBe('Bread');
	simulator.control.clock.advance(21);
	const late = await call(`PATCH ${path}`, { color_roles: { accent: '#FF0000' } });
	expect(late.body.data).toMatchObject({
		status: 'completed',
		color_roles: { accent: '#FF0000' },
	});
	expect(late.body.data.color_roles.primary).toBeUndefined();
});
