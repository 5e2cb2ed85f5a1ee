import { request } from 'undici';
import { audioInput, startReceiver, useSimulator, videoInput } from './support';

const simulator = useSimulator({ jobSeconds: 100 });
const { call, data, refusal } = simulator;

const advance = (seconds: number) => simulator.control.clock.advance(seconds);

/** Reads a job before, during and after its time. */
async function followJob(path: string) {
	const statuses: string[] = [(await data(`GET ${path}`)).status];
	advance(50);
	statuses.push((await data(`GET ${path}`)).status);
	advance(51);
	const last = await data(`GET ${path}`);
	return { statuses: [...statuses, last.status], last };
}

const zipFile = Buffer.from('PK\u0003\u0004').toString('base64');
const project = { type: 'base64', media_type: 'application/zip', data: zipFile };
const url = expect.stringContaining('http://');

const voiceTraining = { mode: 'professional', audio: [audioInput] };
const modelVideo = { mode: 'text_to_video', model: 'short-1', prompt: 'A wave', duration: 6 };
const clipping = { video: videoInput, output_settings: { aspect_ratio: 'square' } };
const settings = { caption_style: 'outline_classic', aspect_ratio: 'square' };
const clips = [{ virality_score: 91, video_url: url }, {}, {}];
const rendered = { resolution: '1080p', aspect_ratio: '16:9', fps: 30, video_url: url };

/** Path and body of the create, the id in its response, the statuses, and the result. */
const jobs: Array<[string, object, string, string, object]> = [
	[
		'/v3/models/videos',
		modelVideo,
		'video_id',
		'pending processing completed',
		{ video_url: url, duration: 6, model: 'short-1' },
	],
	['/v3/models/audio/voices', voiceTraining, 'voice_id', 'PENDING PENDING ACTIVE', {}],
	[
		'/v3/voices/clone',
		{ audio: audioInput, voice_name: 'Mine' },
		'voice_clone_id',
		'processing processing complete',
		{ name: 'Mine' },
	],
	[
		'/v3/lipsyncs',
		{ video: videoInput, audio: audioInput },
		'lipsync_id',
		'pending running completed',
		{ video_url: url, caption_url: url },
	],
	[
		'/v3/ai-clipping',
		clipping,
		'ai_clipping_id',
		'pending running completed',
		{ progress: 100, output_settings: settings, clips },
	],
	['/v3/hyperframes/renders', { project }, 'render_id', 'queued rendering completed', rendered],
	[
		'/v3/background-removals',
		{ video: videoInput, layers: ['mask'] },
		'id',
		'pending processing completed',
		{ layers: { mask: url } },
	],
];

test.each(jobs)('POST %s starts a job', async (path, body, id, statuses, result) => {
	const job = await data(`POST ${path}`, body);
	const followed = await followJob(`${path.replace('/clone', '')}/${job[id]}`);
	expect(followed.statuses.join(' ')).toBe(statuses);
	expect(followed.last).toMatchObject(result);
});

test('a model video needs an image or video among at most 12 references', async () => {
	const body = { mode: 'reference_to_video', model: 'short-1', prompt: 'A wave' };
	const audio = { reference_audio: [audioInput] };
	const refused = [400, 'invalid_parameter', 'reference_images'];
	expect(await refusal('POST /v3/models/videos', { ...body, ...audio })).toEqual(refused);
	const many = {
		reference_images: Array(9).fill(videoInput),
		reference_videos: Array(3).fill(videoInput),
	};
	await data('POST /v3/models/videos', { ...body, ...many });
	expect(await refusal('POST /v3/models/videos', { ...body, ...many, ...audio })).toEqual(refused);
});

test('professional voices speak, and can be retrained', async () => {
	const { voice_id } = await data('POST /v3/models/audio/voices', voiceTraining);
	advance(101);
	const body = { voice_id, text: 'One <break time="5s"/> two', language: 'en' };
	const { audio_url } = await data('POST /v3/models/audio/tts', body);
	const wav = Buffer.from(await (await request(audio_url)).body.arrayBuffer());
	expect(wav.subarray(0, 4).toString()).toBe('RIFF');
	const long = { ...body, text: 'One <break time="6s"/> two' };
	const tooLong = [400, 'tts_text_invalid', 'text'];
	expect(await refusal('POST /v3/models/audio/tts', long)).toEqual(tooLong);

	const stream = { ...body, text: 'One two', with_timestamps: true };
	const { headers, body: text } = await call('POST /v3/models/audio/tts/stream', stream);
	expect(headers['content-type']).toContain('text/event-stream');
	const frames = String(text).trim().split('\n\n');
	expect(frames.at(-1)).toBe('data: [DONE]');
	const parts = frames.slice(0, -1).map((frame) => JSON.parse(frame.replace('data: ', '')));
	expect(parts.map(({ type }) => type)).toEqual(['audio', 'alignment']);
	expect(Buffer.from(parts[0].audio, 'base64')).toEqual(wav);
	simulator.control.fail({ path: /stream$/, cut: 'midway', times: 1 });
	await expect(call('POST /v3/models/audio/tts/stream', stream)).rejects.toThrow();

	const again = await data('POST /v3/models/audio/voices', { ...voiceTraining, voice_id });
	expect(again).toEqual({ voice_id });
	expect((await data(`GET /v3/models/audio/voices/${voice_id}`)).status).toBe('PENDING');
});

test('catalog voices speak; only private voices can be deleted', async () => {
	const speech = await data('POST /v3/voices/speech', {
		voice_id: 'voice_001',
		text: 'Good morning everybody',
		settings: { model_id: 'any' },
	});
	expect(speech.word_timestamps).toHaveLength(3);
	expect((await data('POST /v3/voices', { prompt: 'warm' })).voices).toHaveLength(3);
	await data('DELETE /v3/voices/voice_private_001');
	const gone = [404, 'voice_not_found', null];
	expect(await refusal('GET /v3/voices/voice_private_001')).toEqual(gone);
});

test('sounds are filtered by type and score', async () => {
	const line = 'GET /v3/audio/sounds?query=door&type=sound_effects&min_score=0.9';
	const sounds = (await data(line)) as Array<{ type: string; score: number }>;
	expect(sounds.length).toBeGreaterThan(0);
	expect(sounds.every(({ type, score }) => type === 'sound_effects' && score >= 0.9)).toBe(true);
	expect(await refusal('GET /v3/audio/sounds')).toEqual([400, 'invalid_parameter', 'query']);
});

test('translations: one per language, each also a video, with a callback', async () => {
	const receiver = await startReceiver();
	const { video_translation_ids: ids } = await data('POST /v3/video-translations', {
		video: videoInput,
		output_languages: ['German', 'Spanish'],
		folder_id: 'folder_003',
		callback_url: `${receiver.origin}/done`,
		callback_id: 'c1',
	});
	const { statuses, last } = await followJob(`/v3/video-translations/${ids[0]}`);
	expect(statuses).toEqual(['pending', 'running', 'completed']);
	const captions = { srt_caption_url: url, vtt_caption_url: url };
	expect(last).toMatchObject({ output_language: 'German', callback_id: 'c1', ...captions });
	expect(await data(`GET /v3/videos/${ids[1]}`)).toMatchObject({
		output_language: 'es',
		status: 'completed',
		folder_id: 'folder_003',
		subtitle_url: url,
		captioned_video_url: null,
	});
	await simulator.control.idle();
	const events = receiver.received.map(({ json }) => json.event_data.video_translate_id);
	expect(events.sort()).toEqual([...ids].sort());
	await receiver.close();
	const inline = { type: 'base64', media_type: 'video/mp4', data: 'AAAA' };
	const body = { video: inline, output_languages: ['German'] };
	const refused = [400, 'invalid_parameter', 'video.type'];
	expect(await refusal('POST /v3/video-translations', body)).toEqual(refused);
});

test('a batch of translations counts every language', async () => {
	const item = { video: videoInput, output_languages: ['German', 'French'] };
	const line = 'POST /v3/video-translations/batches';
	const { batch_id } = await data(line, { video_translations: [item, item] });
	advance(101);
	expect(await data(`GET /v3/video-translations/batches/${batch_id}`)).toMatchObject({
		status: 'completed',
		counts_by_status: { completed: 4 },
	});
	const statuses = await data(`GET /v3/video-translations/statuses?batch_ids=${batch_id}`);
	expect(statuses).toHaveLength(4);
	const refused = [400, 'invalid_parameter', 'video_translations'];
	expect(await refusal(line, { video_translations: Array(51).fill(item) })).toEqual(refused);
});

test('a proofread leads to a translation', async () => {
	const body = { video: videoInput, title: 'Talk', output_languages: ['German'] };
	const { proofread_ids } = await data('POST /v3/video-translations/proofreads', body);
	const path = `/v3/video-translations/proofreads/${proofread_ids[0]}`;
	expect((await refusal(`GET ${path}/srt`))[1]).toBe('resource_not_ready');
	expect((await followJob(path)).last.status).toBe('completed');
	expect(await data(`GET ${path}/srt`)).toHaveProperty('srt_url');
	expect((await data(`PUT ${path}/srt`, { srt: videoInput })).id).toBe(proofread_ids[0]);
	const { video_translation_id } = await data(`POST ${path}/generate`, {});
	const { last } = await followJob(`/v3/video-translations/${video_translation_id}`);
	expect(last).toMatchObject({ status: 'completed', output_language: 'German' });
});

test('a composition render rejects legacy resolutions with 422', async () => {
	const legacy = { project, resolution: 'landscape-4k' };
	const refused = [422, 'invalid_parameter', 'resolution'];
	expect(await refusal('POST /v3/hyperframes/renders', legacy)).toEqual(refused);
});

test('background removals repeat by request_id, and stay readable after deletion', async () => {
	const body = { video: videoInput, request_id: 'r1' };
	const { id } = await data('POST /v3/background-removals', body);
	expect((await data('POST /v3/background-removals', body)).id).toBe(id);
	expect(await data(`DELETE /v3/background-removals/${id}`)).toEqual({ id, deleted: true });
	expect((await data(`GET /v3/background-removals/${id}`)).status).toBe('deleted');
});

test('a realtime stream accepts text until its final one', async () => {
	const { stream_id } = await data('POST /v3/avatar-realtime', {
		type: 'text_stream',
		avatar_id: 'look_001_1',
		voice_id: 'voice_001',
		text: 'One two',
	});
	const path = `/v3/avatar-realtime/${stream_id}`;
	const words = call(`GET ${path}/words`);
	const pushed = await data(`POST ${path}/text`, { delta: 'three', final: true });
	expect(pushed).toEqual({ ok: true, buffered_bytes: 5 });
	expect((await refusal(`POST ${path}/text`, { delta: 'four' }))[0]).toBe(410);
	const ended = { status: 'completed', end_reason: 'final_marker' };
	expect((await followJob(path)).last).toMatchObject(ended);
	const text = String((await words).body);
	expect(text.match(/"word":"(\w+)"/g)).toHaveLength(3);
	expect(text.trim().endsWith('event: end\ndata: {"reason":"final_marker"}')).toBe(true);
});

test('templates: create from a video, declare variables, generate', async () => {
	const created = await data('POST /v3/templates', { video_id: 'video_001', name: 'Sale' });
	expect(created.elements[0].current.text).toBe('This is about: Spring sale.');
	const path = `/v3/templates/${created.id}`;
	const variables = [{ name: 'topic', text: 'Spring sale' }];
	const declared = await data(`PUT ${path}/variables`, { expected_edit_version: 1, variables });
	expect(declared).toMatchObject({
		edit_version: 2,
		variables: { topic: { type: 'text', content: 'Spring sale' } },
	});
	const text = (name: string, content: string) => ({
		variables: { [name]: { type: 'text', content } },
	});
	const video = await data(`POST ${path}`, text('topic', 'Bread'));
	expect((await followJob(`/v3/videos/${video.id}`)).last.status).toBe('completed');
	const unknown = [400, 'invalid_parameter', 'variables.other'];
	expect(await refusal(`POST ${path}`, text('other', 'x'))).toEqual(unknown);
	const voice = { variables: { headline: { type: 'voice', voice_id: 'voice_001' } } };
	const wrongType = [400, 'invalid_parameter', 'variables.headline.type'];
	expect(await refusal('POST /v3/templates/template_001', voice)).toEqual(wrongType);
	const filled = await data('POST /v3/templates/template_001', {
		...text('headline', 'Fresh bread'),
		scene_ids: ['template_001_scene_1'],
	});
	const { scenes } = await data(`GET /v3/videos/${filled.id}/scenes`);
	expect(scenes).toMatchObject([{ script: { text: 'Fresh bread, and welcome.' } }]);
});

test('a digital twin needs consent, and then more looks can be created', async () => {
	const body = { type: 'digital_twin', name: 'Ann', file: videoInput };
	const { avatar_item, avatar_group } = await data('POST /v3/avatars', body);
	const { statuses } = await followJob(`/v3/avatars/looks/${avatar_item.id}`);
	expect(statuses).toEqual(['processing', 'processing', 'pending_consent']);
	const path = `/v3/avatars/${avatar_group.id}`;
	expect((await data(`POST ${path}/consent`, {})).url).toContain('http');
	const consent = await data(`POST ${path}/consent`, { consent_video: videoInput });
	expect(consent).toMatchObject({ url: null, avatar_group: { status: 'completed' } });
	const pack = { type: 'look_pack', reference_look_id: avatar_item.id };
	const { group_id, look_ids } = await data('POST /v3/avatars/looks', pack);
	expect(group_id).toBe(avatar_group.id);
	advance(101);
	expect((await data(`GET /v3/avatars/looks/${look_ids[0]}`)).status).toBe('completed');
	expect((await data(`GET ${path}`)).looks_count).toBe(4);
	expect((await refusal('PATCH /v3/avatars/looks/look_001_1', { name: 'x' }))[0]).toBe(403);
	await data(`DELETE ${path}`);
	expect((await refusal(`GET /v3/avatars/looks/${avatar_item.id}`))[0]).toBe(404);
});

describe('workflows', () => {
	const graph = {
		schema_version: '1.0.0',
		inputs: { topic: { type: 'text' } },
		nodes: [
			{ id: 'write', type: 'text' },
			{ id: 'render', type: 'video', depends_on: ['write'] },
		],
		outputs: { result: { node_id: 'render', port: 'output' } },
	};

	test('are drafted, published and run', async () => {
		const created = await data('POST /v3/workflows', { name: 'Daily', product_graph: graph });
		expect(created).toMatchObject({ draft_revision: 1, latest_version: { version_number: 1 } });
		const path = `/v3/workflows/${created.id}`;
		const patch = { product_graph: graph, expected_revision: 1 };
		expect((await data(`PATCH ${path}`, patch)).draft_revision).toBe(2);
		expect((await call(`POST ${path}/versions`, { product_graph: graph })).status).toBe(200);
		const changed = { ...graph, nodes: graph.nodes.slice(0, 1), outputs: {} };
		expect((await call(`POST ${path}/versions`, { product_graph: changed })).status).toBe(201);

		const run = (key: string, inputs: object) => {
			const headers = { 'x-api-key': simulator.apiKey, 'idempotency-key': key };
			const body = { workflow_id: created.id, version_number: 1, inputs };
			return call('POST /v3/workflow-runs', body, headers);
		};
		const keyless = await refusal('POST /v3/workflow-runs', { workflow_id: created.id });
		expect(keyless[2]).toBe('Idempotency-Key');
		expect((await run('k0', {})).body.error.param).toBe('inputs.topic');
		const { id } = (await run('k', { topic: 'Bread' })).body.data;
		expect((await run('k', { topic: 'Bread' })).body.data.id).toBe(id);
		expect((await run('k', { topic: 'Rye' })).body.error.code).toBe('conflict');
		const { statuses, last } = await followJob(`/v3/workflow-runs/${id}`);
		expect(statuses).toEqual(['pending', 'processing', 'succeeded']);
		expect(last).toMatchObject({
			progress: { total: 2, succeeded: 2 },
			outputs: [{ name: 'result', status: 'ready' }],
		});
	});

	test('report all problems of a graph at once', async () => {
		const nodes = [
			{ id: 'a', type: 'nothing', depends_on: ['b'] },
			{ id: 'b', type: 'text', depends_on: ['a', 'c'] },
		];
		const product_graph = { ...graph, nodes };
		const { body } = await call('POST /v3/workflows', { name: 'Broken', product_graph });
		expect(body.error.errors.map(({ code }: { code: string }) => code)).toEqual([
			'unknown_node_type',
			'dangling_dependency',
			'dangling_dependency',
			'cycle_detected',
		]);
	});
});
