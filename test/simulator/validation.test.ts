import { avatarVideo, useSimulator } from './support';

const simulator = useSimulator();
const { data, rejection } = simulator;

const picture = { type: 'url', url: 'https://pictures.example/face.png' };
const scene = { type: 'avatar_video', input: avatarVideo };
const speech = { audio_url: 'https://audio.example/a.mp3' };
const narrated = { type: 'image', source: picture, duration: 3, ...speech };
const cinematic = { type: 'cinematic_avatar', avatar_id: ['look_001_1'], prompt: 'x' };
const twoDurations = { ...cinematic, duration: 5, auto_duration: true };
const expressive = { ...avatarVideo, engine: { type: 'avatar_v' }, expressiveness: 'high' };
const engine = { type: 'avatar_iii', reference_look_id: 'look_001_1' };
const oldEngine = { ...avatarVideo, engine };
const background = { type: 'color', value: '#000000' };
const opaqueWebm = { ...avatarVideo, output_format: 'webm', background };
const inFolder = { ...avatarVideo, folder_id: 'folder_001' };
const studio = (...scenes: object[]) => ({ type: 'studio', scenes });
const batch = (...videos: object[]) => ({ videos });
const hook = { url: 'https://flows.example/a' };

test.each<[string, string, object, string]>([
	['an unknown type', '/v3/videos', { type: 'movie' }, 'type'],
	['no audio', '/v3/videos', { type: 'avatar', avatar_id: 'look_001_1' }, 'script'],
	['two audio sources', '/v3/videos', { ...avatarVideo, ...speech }, 'audio_url'],
	['no voice', '/v3/videos', { type: 'image', image: picture, script: 'Good day' }, 'voice_id'],
	['expressiveness with avatar_v', '/v3/videos', expressive, 'expressiveness'],
	['a reference look with another engine', '/v3/videos', oldEngine, 'engine.reference_look_id'],
	['a background with WebM', '/v3/videos', opaqueWebm, 'background'],
	['a duration with auto_duration', '/v3/videos', twoDurations, 'duration'],
	['a duration of a narrated scene', '/v3/videos', studio(scene, narrated), 'scenes[1].duration'],
	['a studio video in a batch', '/v3/videos/batches', batch(studio(scene)), 'videos[0].type'],
	['a folder on a batch item', '/v3/videos/batches', batch(inFolder), 'videos[0].folder_id'],
	['a missing field', '/v3/video-agents', {}, 'prompt'],
	['an unknown field', '/v3/video-agents', { prompt: 'x', colour: 1 }, 'colour'],
	[
		'an unknown field in an array',
		'/v3/video-agents',
		{ prompt: 'x', files: [{ ...picture, name: 'a' }] },
		'files[0].name',
	],
	['an http endpoint', '/v3/webhooks/endpoints', { url: 'http://flows.example/a' }, 'url'],
	['an unknown event', '/v3/webhooks/endpoints', { ...hook, events: ['video.done'] }, 'events[0]'],
	['a trashed folder', '/v3/folders', { name: 'x', parent_id: 'folder_trashed' }, 'parent_id'],
])('rejects %s', async (_name, path, body, param) => {
	expect(await rejection(`POST ${path}`, body)).toEqual([400, 'invalid_parameter', param]);
});

test.each([
	['/v3/videos?colour=1', 'colour'],
	['/v3/voices?limit=ten', 'limit'],
	['/v3/videos?token=abc', 'token'],
])('rejects GET %s', async (path, param) => {
	expect(await rejection(`GET ${path}`)).toEqual([400, 'invalid_parameter', param]);
});

test('rejects malformed JSON without naming a field', async () => {
	const rejected = [400, 'invalid_parameter', null];
	expect(await rejection('POST /v3/video-agents', '{"prompt":')).toEqual(rejected);
});

const spoken = { ...avatarVideo, script: null };

test.each([
	['POST /v3/videos', { ...avatarVideo, folder_id: 'gone' }, 'resource_not_found', 'folder_id'],
	['POST /v3/videos', { ...avatarVideo, avatar_id: 'gone' }, 'avatar_not_found', 'avatar_id'],
	['POST /v3/videos', { ...avatarVideo, voice_id: 'gone' }, 'voice_not_found', 'voice_id'],
	['POST /v3/videos', { ...spoken, audio_asset_id: 'gone' }, 'asset_not_found', 'audio_asset_id'],
	['POST /v3/video-agents', { prompt: 'x', style_id: 'gone' }, 'resource_not_found', 'style_id'],
])('%s returns 404 for an unknown id (%j)', async (line, body, code, param) => {
	expect(await rejection(line, body)).toEqual([404, code, param]);
});

test('counts characters, not UTF-16 units', async () => {
	const rocket = String.fromCodePoint(0x1f680);
	await data('POST /v3/video-agents', { prompt: rocket.repeat(10_000) });
	const long = { prompt: rocket.repeat(10_001) };
	expect((await rejection('POST /v3/video-agents', long))[2]).toBe('prompt');
});

test('accepts the engines of the look only', async () => {
	await data('POST /v3/videos', { ...avatarVideo, engine: { type: 'avatar_iii' } });
	const input = { ...avatarVideo, engine: { type: 'avatar_x' } };
	const rejected = [400, 'avatar_not_usable', 'engine.type'];
	expect(await rejection('POST /v3/videos', input)).toEqual(rejected);
	const inScene = studio({ type: 'avatar_video', input });
	expect((await rejection('POST /v3/videos', inScene))[2]).toBe('scenes[0].input.engine.type');
});

test('returns the scenes of a studio video', async () => {
	const color = { type: 'color', color: '#112233' };
	const film = { type: 'url', url: 'https://videos.example/a.mp4' };
	const playback = { mode: 'loop', volume: 0.5 };
	const { video_id } = await data('POST /v3/videos', {
		...studio(
			{ type: 'avatar_video', input: { ...avatarVideo, background: color } },
			{ type: 'image', source: picture, duration: 4 },
			{ type: 'video', source: film, playback, voiceover: speech },
		),
		aspect_ratio: '9:16',
		captions: { style: 'default' },
	});
	expect(await data(`GET /v3/videos/${video_id}/scenes`)).toMatchObject({
		edit_version: expect.any(String),
		video: { aspect_ratio: '9:16', caption: { enabled: true } },
		scenes: [
			{
				background: color,
				elements: [{ type: 'avatar', avatar_id: 'look_001_1', engine: 'avatar_iv' }],
				script: { type: 'text', text: avatarVideo.script },
			},
			{
				elements: [{ type: 'image', url: picture.url }],
				script: { type: 'silence', duration: 4 },
			},
			{
				elements: [{ type: 'video', playback: 'loop', volume: 0.5 }],
				script: { type: 'audio', ...speech },
			},
		],
	});
});

test('rejects duplicate terms in a glossary, and duplicate names', async () => {
	const line = 'POST /v3/brand-glossaries';
	expect(await rejection(line, { name: 'MEDICINE' })).toEqual([409, 'conflict', 'name']);
	const twice = { name: 'Trains', do_not_translate_terms: [{ term: 'Zug' }, { term: 'ZUG' }] };
	const rejected = [409, 'conflict', 'do_not_translate_terms[1].term'];
	expect(await rejection(line, twice)).toEqual(rejected);
	const once = { name: 'Trains', do_not_translate_terms: [{ term: 'Zug' }] };
	const path = `/v3/brand-glossaries/${(await data(line, once)).brand_glossary_id}`;
	const cleared = await data(`PATCH ${path}`, { do_not_translate_terms: [] });
	expect(cleared).toMatchObject({ name: 'Trains', do_not_translate_terms: [] });
});

test('replaces the roles of a brand kit once it is loaded', async () => {
	const { brand_kit_id } = await data('POST /v3/brand-kits', { url: 'https://bakery.example' });
	const path = `/v3/brand-kits/${brand_kit_id}`;
	expect((await data(`PATCH ${path}`, { name: 'Bread' })).name).toBe('Bread');
	simulator.control.clock.advance(21);
	const color_roles = { accent: '#FF0000' };
	const { status, color_roles: roles } = await data(`PATCH ${path}`, { color_roles });
	expect([status, roles]).toEqual(['completed', color_roles]);
});
