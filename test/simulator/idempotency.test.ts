import { audioInput, avatarVideo, useSimulator, videoInput, waitUntil } from './support';

const simulator = useSimulator();
const { call } = simulator;

const keyed = (key: string) => ({ 'x-api-key': simulator.apiKey, 'idempotency-key': key });
const create = (key: string, more = {}) =>
	call('POST /v3/videos', { ...avatarVideo, ...more }, keyed(key));

test('replays the first response, even for another body', async () => {
	const first = await create('order-1');
	const repeat = await create('order-1', { title: 'Other' });
	expect(repeat.body).toEqual(first.body);
	expect(simulator.control.jobs('video')).toHaveLength(1);
	expect((await create('order-2')).body).not.toEqual(first.body);
});

test('forgets a key after a day', async () => {
	const first = await create('order-1');
	simulator.control.clock.advance(24 * 3600 - 60);
	expect((await create('order-1')).body).toEqual(first.body);
	simulator.control.clock.advance(120);
	expect((await create('order-1')).body).not.toEqual(first.body);
});

test('separates keys by endpoint and path', async () => {
	const endpoint = async (url: string) =>
		(await call('POST /v3/webhooks/endpoints', { url })).body.data.endpoint_id;
	const one = await endpoint('https://flows.example/1');
	const two = await endpoint('https://flows.example/2');
	const rotate = (id: string) =>
		call(`POST /v3/webhooks/endpoints/${id}/rotate-secret`, undefined, keyed('same'));
	const first = await rotate(one);
	expect((await rotate(two)).body.data.endpoint_id).toBe(two);
	expect((await rotate(one)).body).toEqual(first.body);
	expect(simulator.control.secretOf(one)).toBe(first.body.data.secret);
	expect((await call('POST /v3/folders', { name: 'New' }, keyed('same'))).status).toBe(200);
});

test('rejects a repeat while the original is in flight', async () => {
	simulator.control.fail({ path: '/v3/videos', delayMs: 60_000, times: 1 });
	const original = create('slow');
	const received = () => simulator.control.requests({ path: '/v3/videos' })[0];
	await waitUntil(() => received()?.body !== undefined, 'the original with its body', 10_000);
	const early = await create('slow');
	expect([early.status, early.body.error.code]).toEqual([409, 'request_in_progress']);
	simulator.control.clearFaults();
	expect((await create('slow')).body).toEqual((await original).body);
	expect(simulator.control.jobs('video')).toHaveLength(1);
});

test('does not replay errors', async () => {
	expect((await create('fix', { script: 'Hi' })).status).toBe(400);
	expect((await create('fix')).status).toBe(200);
	simulator.control.fail({ path: '/v3/videos', status: 503, times: 1 });
	expect((await create('later')).status).toBe(503);
	expect((await create('later')).status).toBe(200);
});

test('returns a lost response by its key', async () => {
	simulator.control.fail({ path: '/v3/videos', cut: 'after', times: 1 });
	await expect(create('lost')).rejects.toThrow();
	const [job] = simulator.control.jobs('video') as Array<{ id: string }>;
	expect((await create('lost')).body.data.video_id).toBe(job?.id);
	expect(simulator.control.jobs('video')).toHaveLength(1);
});

test.each(['', 'with space', 'ümlaut'.normalize(), 'x'.repeat(256)])(
	'rejects the key %j',
	async (key) => {
		const reply = await create(Buffer.from(key).toString('latin1'));
		expect(reply.status).toBe(400);
		expect(reply.body.error.param).toBe('Idempotency-Key');
	},
);

const dub = { video: videoInput, audio: audioInput };
const german = { video: videoInput, output_languages: ['German'] };
const file = { filename: 'a.png', content_type: 'image/png', size_bytes: 4 };

/** Every create that honors the key except `POST /v3/assets`, which is a form. */
const honored: Array<[string, object]> = [
	['/v3/avatars', { type: 'photo', name: 'Ann', file: videoInput }],
	['/v3/avatars/looks', { type: 'look_pack', reference_look_id: 'look_private_001' }],
	['/v3/lipsyncs', dub],
	['/v3/lipsyncs/batches', { lipsyncs: [dub] }],
	['/v3/video-translations', german],
	['/v3/video-translations/batches', { video_translations: [german] }],
	['/v3/video-translations/proofreads', { ...german, title: 'x' }],
	['/v3/videos', avatarVideo],
	['/v3/videos/batches', { videos: [avatarVideo] }],
	['/v3/assets/direct-uploads', file],
	['/v3/assets/direct-uploads/batches', { files: [file] }],
	['/v3/folders', { name: 'New' }],
	['/v3/brand-kits', { url: 'https://bakery.example' }],
	['/v3/models/videos', { mode: 'text_to_video', model: 'short-1', prompt: 'A wave' }],
	['/v3/templates/template_001', { variables: {} }],
	['/v3/webhooks/endpoints', { url: 'https://flows.example/hook' }],
	['/v3/ai-clipping', { video: videoInput }],
	['/v3/hyperframes/renders', { project: { type: 'url', url: 'https://files.example/p.zip' } }],
];

test.each(honored)('POST %s honors the key', async (path, body) => {
	const first = await call(`POST ${path}`, body, keyed('k'));
	expect(first.status).toBeLessThan(300);
	const repeat = await call(`POST ${path}`, body, keyed('k'));
	expect([repeat.status, repeat.body]).toEqual([first.status, first.body]);
});

test.each([
	['/v3/video-agents', { prompt: 'Bread' }],
	['/v3/background-removals', { video: videoInput }],
])('POST %s ignores the key', async (path, body) => {
	const first = await call(`POST ${path}`, body, keyed('k'));
	expect(first.status).toBeLessThan(300);
	expect((await call(`POST ${path}`, body, keyed('k'))).body).not.toEqual(first.body);
});
