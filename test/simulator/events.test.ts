import { audioInput, avatarVideo, startReceiver, useSimulator, videoInput } from './support';

const publicOrigin = 'https://flows.example';
const tunnels: Record<string, string> = {};

let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeEach(async () => {
	receiver = await startReceiver();
	tunnels[publicOrigin] = receiver.origin;
});
afterEach(() => receiver.close());

const simulator = useSimulator({ jobSeconds: 10, tunnels });
const { call, data } = simulator;
beforeEach(() => data('POST /v3/webhooks/endpoints', { url: `${publicOrigin}/hook` }));

const photo = { type: 'photo', name: 'Ann', file: videoInput };
const captioned = { ...avatarVideo, caption: { file_format: 'srt' } };
const gif = { variables: {}, include_gif: true, callback_id: 'c' };
const translation = { video: videoInput, output_languages: ['German'] };
const translations = '/v3/video-translations';
const talk = { ...translation, title: 'Talk' };
const stream = { type: 'tts', avatar_id: 'look_001_1', voice_id: 'voice_001', text: 'Hello' };
const render = { project: { type: 'url', url: 'https://files.example/a.zip' } };
const trained = { ...photo, avatar_group_id: 'group_private_003' };
const text = expect.any(String);

/** Event type without its ending, the create that causes it, the kind of job, and event data. */
const jobs: Array<[string, string, object, string, object]> = [
	['avatar_video', '/v3/videos', avatarVideo, 'video', { video_id: text }],
	['avatar_video_gif', '/v3/templates/template_001', gif, 'gif', { callback_id: 'c' }],
	['avatar_video_caption', '/v3/videos', captioned, 'caption', { video_id: text }],
	['video_translate', translations, translation, 'translation', {}],
	['video_agent', '/v3/video-agents', { prompt: 'Bread' }, 'session', { session_id: text }],
	['instant_avatar', '/v3/avatars', { ...photo, type: 'digital_twin' }, 'avatar', {}],
	['photo_avatar_generation', '/v3/avatars', photo, 'avatar', { avatar_id: text }],
	['photo_avatar_train', '/v3/avatars', trained, 'avatar', { group_id: 'group_private_003' }],
	['proofread_creation', `${translations}/proofreads`, talk, 'proofread', { proofread_id: text }],
	['live_avatar', '/v3/avatar-realtime', stream, 'stream', { stream_id: text }],
	['hyperframes_video', '/v3/hyperframes/renders', render, 'composition_render', {}],
	['ai_clipping', '/v3/ai-clipping', { video: videoInput }, 'clipping', { id: text }],
];

/** Types that no job of the simulator emits. */
const withoutJob = [
	'personalized_video',
	'photo_avatar_add_motion.success',
	'photo_avatar_add_motion.fail',
];

/** Types with their own test below. */
const others = [
	'batch.finished',
	'video_translate.preflight.validation_failed',
	'video_translate.preflight.download_failed',
];

async function finish(path: string, body: object) {
	const created = await data(`POST ${path}`, body);
	simulator.control.clock.advance(11);
	await simulator.control.idle();
	return created;
}

const getEvents = () => receiver.received.map(({ json }) => json);
const getTypes = () => getEvents().map(({ event_type }) => event_type);

test('every event type of the list has a test', async () => {
	const rows = (await data('GET /v3/webhooks/event-types')) as Array<{ event_type: string }>;
	const ends = jobs.flatMap(([name]) => [`${name}.success`, `${name}.fail`]);
	expect([...ends, ...withoutJob, ...others].sort()).toEqual(
		rows.map(({ event_type }) => event_type).sort(),
	);
});

test.each(jobs)('%s reports success and failure', async (name, path, body, kind, fields) => {
	await finish(path, body);
	const event_data = expect.objectContaining(fields);
	const success = { event_type: `${name}.success`, event_data };
	expect(getEvents()).toContainEqual(expect.objectContaining(success));
	receiver.received.length = 0;
	simulator.control.failNext(kind, { code: 'odd', message: 'Not this one' });
	await finish(path, body);
	const [failure] = getEvents().filter(({ event_type }) => event_type === `${name}.fail`);
	expect(failure?.event_data).toEqual(event_data);
	expect(JSON.stringify(failure?.event_data)).toContain('Not this one');
	expect(getTypes()).not.toContain(`${name}.success`);
});

test('a GIF or captions that failed are missing from the video', async () => {
	simulator.control.failNext('gif', { code: 'odd', message: 'No' });
	simulator.control.failNext('caption', { code: 'odd', message: 'No' });
	const { id } = await finish('/v3/templates/template_001', { ...gif, caption: true });
	expect(await data(`GET /v3/videos/${id}`)).toMatchObject({
		status: 'completed',
		gif_url: null,
		subtitle_url: null,
		captioned_video_url: null,
	});
});

test.each(['validation_failed', 'download_failed'])(
	'a translation whose source fails has an additional event: %s',
	async (code) => {
		simulator.control.failNext('translation', { code, message: 'Not this source' });
		await finish(translations, translation);
		expect(getTypes().sort()).toEqual([
			'video_translate.fail',
			`video_translate.preflight.${code}`,
		]);
	},
);

test('a batch reports once, to endpoints and callback, when its last item has ended', async () => {
	simulator.control.failNext('lipsync', { code: 'odd', message: 'No' });
	const { batch_id } = await finish('/v3/lipsyncs/batches', {
		lipsyncs: Array(2).fill({ video: videoInput, audio: audioInput }),
		callback_url: `${publicOrigin}/batch`,
	});
	expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/batch', '/hook']);
	const counts_by_status = { completed: 1, failed: 1 };
	const event_data = { batch_id, status: 'completed', total_items: 2, counts_by_status };
	const event = { event_type: 'batch.finished', event_data };
	expect(getEvents()).toMatchObject([event, event]);
});

test.each([...withoutJob, 'podcast.success'])('%s is emitted on request', async (event_type) => {
	const event_data = { video_id: 'v', created_at: 'as it was said' };
	simulator.control.emit(event_type, event_data, `${receiver.origin}/callback`);
	await simulator.control.idle();
	const [hook, callback] = ['/hook', '/callback'].map((path) =>
		receiver.received.find((one) => one.path === path),
	);
	expect(hook?.json).toMatchObject({ event_type, event_data, event_id: text });
	expect(hook?.headers['service-signature']).toMatch(/^[0-9a-f]{64}$/);
	expect(callback?.json).toEqual({ event_type, event_data });
	await call('POST /_control/emit', { event_type, event_data });
	await simulator.control.idle();
	expect(receiver.received).toHaveLength(3);
});
