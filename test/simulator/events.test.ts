import { startSimulator, type Simulator } from '../../simulator';
import { caller, speaking, startReceiver, type Caller } from './support';

const address = 'https://flows.example';

let simulator: Simulator;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let call: Caller;

beforeEach(async () => {
	receiver = await startReceiver();
	simulator = await startSimulator({ jobSeconds: 10, tunnels: { [address]: receiver.origin } });
	call = caller(simulator);
	await call('POST /v3/webhooks/endpoints', { url: `${address}/hook` });
});
afterEach(async () => {
	await simulator.close();
	await receiver.close();
});

const film = { type: 'url', url: 'https://files.example/film.mp4' };
const sound = { type: 'url', url: 'https://files.example/sound.wav' };
const photo = { type: 'photo', name: 'Ann', file: film };
const zip = { type: 'url', url: 'https://files.example/a.zip' };
const captioned = { ...speaking, caption: { file_format: 'srt' } };
const translation = { video: film, output_languages: ['German'] };
const stream = { type: 'tts', avatar_id: 'look_001_1', voice_id: 'voice_001', text: 'Hello' };

/** What starts the job that tells of each event, and the kind of job that can fail. */
const jobs: Record<string, { line: string; body: object; kind: string; data: object }> = {
	avatar_video: {
		line: 'POST /v3/videos',
		body: speaking,
		kind: 'video',
		data: { video_id: expect.any(String) },
	},
	avatar_video_gif: {
		line: 'POST /v3/templates/template_001',
		body: { variables: {}, include_gif: true, callback_id: 'c' },
		kind: 'gif',
		data: { video_id: expect.any(String), callback_id: 'c' },
	},
	avatar_video_caption: {
		line: 'POST /v3/videos',
		body: captioned,
		kind: 'caption',
		data: { video_id: expect.any(String), callback_id: null },
	},
	video_translate: {
		line: 'POST /v3/video-translations',
		body: translation,
		kind: 'translation',
		data: { video_translate_id: expect.any(String), output_language: 'German' },
	},
	video_agent: {
		line: 'POST /v3/video-agents',
		body: { prompt: 'Bread' },
		kind: 'session',
		data: { session_id: expect.any(String), video_id: expect.any(String) },
	},
	instant_avatar: {
		line: 'POST /v3/avatars',
		body: { ...photo, type: 'digital_twin' },
		kind: 'avatar',
		data: { avatar_id: expect.any(String), group_id: expect.any(String) },
	},
	photo_avatar_generation: {
		line: 'POST /v3/avatars',
		body: photo,
		kind: 'avatar',
		data: { avatar_id: expect.any(String), group_id: expect.any(String) },
	},
	photo_avatar_train: {
		line: 'POST /v3/avatars',
		body: { ...photo, avatar_group_id: 'group_private_003' },
		kind: 'avatar',
		data: { avatar_id: expect.any(String), group_id: 'group_private_003' },
	},
	proofread_creation: {
		line: 'POST /v3/video-translations/proofreads',
		body: { ...translation, title: 'Talk' },
		kind: 'proofread',
		data: { proofread_id: expect.any(String) },
	},
	live_avatar: {
		line: 'POST /v3/avatar-realtime',
		body: stream,
		kind: 'stream',
		data: { stream_id: expect.any(String) },
	},
	hyperframes_video: {
		line: 'POST /v3/hyperframes/renders',
		body: { project: zip },
		kind: 'composition_render',
		data: { render_id: expect.any(String) },
	},
	ai_clipping: {
		line: 'POST /v3/ai-clipping',
		body: { video: film },
		kind: 'clipping',
		data: { id: expect.any(String), clips: expect.any(Array) },
	},
};

/** Types that no job here tells of: a test emits them by hand. */
const byHand = [
	'personalized_video',
	'photo_avatar_add_motion.success',
	'photo_avatar_add_motion.fail',
];

/** Types with a test of their own. */
const others = [
	'batch.finished',
	'video_translate.preflight.validation_failed',
	'video_translate.preflight.download_failed',
];

async function happen(line: string, body: object) {
	const reply = await call(line, body);
	expect([line, reply.body.error]).toEqual([line, undefined]);
	simulator.control.clock.advance(11);
	await simulator.control.idle();
	return reply.body.data;
}

const told = () => receiver.received.map(({ json }) => json);

test('each event type of the list has a job here, or is told by hand', async () => {
	const { body } = await call('GET /v3/webhooks/event-types');
	const types = body.data.map(({ event_type }: { event_type: string }) => event_type);
	const ends = Object.keys(jobs).flatMap((name) => [`${name}.success`, `${name}.fail`]);
	expect([...ends, ...byHand, ...others].sort()).toEqual(types.sort());
});

describe.each(Object.entries(jobs))('%s', (name, { line, body, kind, data }) => {
	test('tells of success', async () => {
		await happen(line, body);
		const event = { event_type: `${name}.success`, event_data: expect.objectContaining(data) };
		expect(told()).toContainEqual(expect.objectContaining(event));
	});

	test('tells of failure', async () => {
		simulator.control.failNext(kind, { code: 'odd', message: 'Not this one' });
		await happen(line, body);
		const [failure] = told().filter(({ event_type }) => event_type === `${name}.fail`);
		expect(failure?.event_data).toEqual(expect.objectContaining(data));
		expect(JSON.stringify(failure?.event_data)).toContain('Not this one');
		expect(told().map(({ event_type }) => event_type)).not.toContain(`${name}.success`);
	});
});

test('a GIF or captions that failed are missing from the video', async () => {
	simulator.control.failNext('gif', { code: 'odd', message: 'No' });
	simulator.control.failNext('caption', { code: 'odd', message: 'No' });
	const filled = { variables: {}, include_gif: true, caption: true };
	const { id } = await happen('POST /v3/templates/template_001', filled);
	expect((await call(`GET /v3/videos/${id}`)).body.data).toMatchObject({
		status: 'completed',
		video_url: expect.any(String),
		gif_url: null,
		subtitle_url: null,
		captioned_video_url: null,
	});
});

test('nothing is told of a GIF or captions that nobody asked for', async () => {
	await happen('POST /v3/videos', speaking);
	expect(told().map(({ event_type }) => event_type)).toEqual(['avatar_video.success']);
});

test.each(['validation_failed', 'download_failed'])(
	'a translation whose source does not do has an event for it: %s',
	async (code) => {
		simulator.control.failNext('translation', { code, message: 'Not this source' });
		await happen('POST /v3/video-translations', translation);
		const types = told().map(({ event_type }) => event_type);
		expect(types.sort()).toEqual([`video_translate.fail`, `video_translate.preflight.${code}`]);
		expect(told()[0].event_data.message).toBe('Not this source');
	},
);

test('a batch tells once, when the last of its items has ended', async () => {
	simulator.control.failNext('lipsync', { code: 'odd', message: 'No' });
	const lipsyncs = Array(2).fill({ video: film, audio: sound });
	const { batch_id } = await happen('POST /v3/lipsyncs/batches', { lipsyncs });
	expect(told()).toEqual([
		expect.objectContaining({
			event_type: 'batch.finished',
			event_data: {
				batch_id,
				status: 'completed',
				total_items: 2,
				counts_by_status: { completed: 1, failed: 1 },
			},
		}),
	]);
});

test.each([...byHand, 'podcast.success'])('%s is told by hand', async (event_type) => {
	const event_data = { video_id: 'v', created_at: 'as it was said' };
	simulator.control.emit(event_type, event_data, `${receiver.origin}/callback`);
	await simulator.control.idle();
	const [hook, callback] = ['/hook', '/callback'].map((path) =>
		receiver.received.find((one) => one.path === path),
	);
	expect(hook?.json).toMatchObject({ event_type, event_data, event_id: expect.any(String) });
	expect(hook?.headers['service-signature']).toMatch(/^[0-9a-f]{64}$/);
	expect(callback?.json).toEqual({ event_type, event_data });
	await call('POST /_control/emit', { event_type, event_data });
	await simulator.control.idle();
	expect(receiver.received).toHaveLength(3);
});
