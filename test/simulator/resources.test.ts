import { request } from 'undici';
import { audioInput, startReceiver, useSimulator, videoInput } from './support';

const simulator = useSimulator({ jobSeconds: 100 });
const { call, data, rejection } = simulator;

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
const dub = { video: videoInput, audio: audioInput };
const voice = { mode: 'professional', audio: [audioInput] };
const wave = { mode: 'text_to_video', model: 'short-1', prompt: 'A wave' };

test.each<[string, object, string, string]>([
	['models/videos', wave, 'video_id', 'pending processing completed'],
	['models/audio/voices', voice, 'voice_id', 'PENDING PENDING ACTIVE'],
	[
		'voices/clone',
		{ audio: audioInput, voice_name: 'Mine' },
		'voice_clone_id',
		'processing processing complete',
	],
	['lipsyncs', dub, 'lipsync_id', 'pending running completed'],
	['ai-clipping', { video: videoInput }, 'ai_clipping_id', 'pending running completed'],
	['hyperframes/renders', { project }, 'render_id', 'queued rendering completed'],
	['background-removals', { video: videoInput }, 'id', 'pending processing completed'],
])('POST /v3/%s starts a job', async (path, body, id, statuses) => {
	const job = await data(`POST /v3/${path}`, body);
	const followed = await followJob(`/v3/${path.replace('/clone', '')}/${job[id]}`);
	expect(followed.statuses.join(' ')).toBe(statuses);
});

test('a model video needs an image or video among at most 12 references', async () => {
	const line = 'POST /v3/models/videos';
	const body = { ...wave, mode: 'reference_to_video' };
	const audio = { reference_audio: [audioInput] };
	const rejected = [400, 'invalid_parameter', 'reference_images'];
	expect(await rejection(line, { ...body, ...audio })).toEqual(rejected);
	const images = Array(9).fill(videoInput);
	const many = { ...body, reference_images: images, reference_videos: images.slice(0, 3) };
	await data(line, many);
	expect(await rejection(line, { ...many, ...audio })).toEqual(rejected);
});

test('a professional voice speaks breaks of up to 5 seconds, also as a stream', async () => {
	const { voice_id } = await data('POST /v3/models/audio/voices', voice);
	advance(101);
	const body = { voice_id, text: 'One <break time="5s"/> two', language: 'en' };
	const { audio_url } = await data('POST /v3/models/audio/tts', body);
	const wav = Buffer.from(await (await request(audio_url)).body.arrayBuffer());
	const long = { ...body, text: 'One <break time="6s"/> two' };
	const tooLong = [400, 'tts_text_invalid', 'text'];
	expect(await rejection('POST /v3/models/audio/tts', long)).toEqual(tooLong);

	const stream = { ...body, text: 'One two', with_timestamps: true };
	const { headers, body: text } = await call('POST /v3/models/audio/tts/stream', stream);
	expect(headers['content-type']).toContain('text/event-stream');
	const frames = String(text).trim().split('\n\n');
	expect(frames.pop()).toBe('data: [DONE]');
	const parts = frames.map((frame) => JSON.parse(frame.replace('data: ', '')));
	expect(parts.map(({ type }) => type)).toEqual(['audio', 'alignment']);
	expect(Buffer.from(parts[0].audio, 'base64')).toEqual(wav);
});

test('only private voices can be deleted', async () => {
	await data('DELETE /v3/voices/voice_private_001');
	const gone = [404, 'voice_not_found', null];
	expect(await rejection('GET /v3/voices/voice_private_001')).toEqual(gone);
});

test('sounds are filtered by type and score', async () => {
	const line = 'GET /v3/audio/sounds?query=door&type=sound_effects&min_score=0.9';
	const sounds = (await data(line)) as Array<{ type: string; score: number }>;
	expect(sounds.length).toBeGreaterThan(0);
	expect(sounds.every(({ type, score }) => type === 'sound_effects' && score >= 0.9)).toBe(true);
});

test('translations: one per language, each also a video, with a callback', async () => {
	const receiver = await startReceiver();
	const line = 'POST /v3/video-translations';
	const { video_translation_ids: ids } = await data(line, {
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
	const rejected = [400, 'invalid_parameter', 'video.type'];
	expect(await rejection(line, { video: inline, output_languages: ['German'] })).toEqual(rejected);
});

test('a batch of translations counts every language', async () => {
	const item = { video: videoInput, output_languages: ['German', 'French'] };
	const line = 'POST /v3/video-translations/batches';
	const { batch_id } = await data(line, { video_translations: [item, item] });
	advance(101);
	const done = { status: 'completed', counts_by_status: { completed: 4 } };
	expect(await data(`GET /v3/video-translations/batches/${batch_id}`)).toMatchObject(done);
	const statuses = await data(`GET /v3/video-translations/statuses?batch_ids=${batch_id}`);
	expect(statuses).toHaveLength(4);
	const rejected = [400, 'invalid_parameter', 'video_translations'];
	expect(await rejection(line, { video_translations: Array(51).fill(item) })).toEqual(rejected);
});

test('a proofread has subtitles once it is completed', async () => {
	const body = { video: videoInput, title: 'Talk', output_languages: ['German'] };
	const { proofread_ids } = await data('POST /v3/video-translations/proofreads', body);
	const path = `/v3/video-translations/proofreads/${proofread_ids[0]}`;
	expect((await rejection(`GET ${path}/srt`))[1]).toBe('resource_not_ready');
	expect((await followJob(path)).last.status).toBe('completed');
	expect(await data(`GET ${path}/srt`)).toHaveProperty('srt_url');
});

test('a composition render rejects legacy resolutions with 422', async () => {
	const legacy = { project, resolution: 'landscape-4k' };
	const rejected = [422, 'invalid_parameter', 'resolution'];
	expect(await rejection('POST /v3/hyperframes/renders', legacy)).toEqual(rejected);
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
	expect((await rejection(`POST ${path}/text`, { delta: 'four' }))[0]).toBe(410);
	const ended = { status: 'completed', end_reason: 'final_marker' };
	expect((await followJob(path)).last).toMatchObject(ended);
	const text = String((await words).body);
	expect(text.match(/"word":"(\w+)"/g)).toHaveLength(3);
	expect(text.trim().endsWith('event: end\ndata: {"reason":"final_marker"}')).toBe(true);
});

test('templates: declared variables are filled in, others are rejected', async () => {
	const { id } = await data('POST /v3/templates', { video_id: 'video_001', name: 'Sale' });
	const variables = [{ name: 'topic', text: 'Spring sale' }];
	const declared = { expected_edit_version: 1, variables };
	expect(await data(`PUT /v3/templates/${id}/variables`, declared)).toMatchObject({
		edit_version: 2,
		variables: { topic: { type: 'text', content: 'Spring sale' } },
	});
	const text = (name: string) => ({ variables: { [name]: { type: 'text', content: 'Bread' } } });
	const unknown = [400, 'invalid_parameter', 'variables.other'];
	expect(await rejection(`POST /v3/templates/${id}`, text('other'))).toEqual(unknown);
	const line = 'POST /v3/templates/template_001';
	const speaker = { variables: { headline: { type: 'voice', voice_id: 'voice_001' } } };
	const wrongType = [400, 'invalid_parameter', 'variables.headline.type'];
	expect(await rejection(line, speaker)).toEqual(wrongType);
	const scene_ids = ['template_001_scene_1'];
	const filled = await data(line, { ...text('headline'), scene_ids });
	const { scenes } = await data(`GET /v3/videos/${filled.id}/scenes`);
	expect(scenes).toMatchObject([{ script: { text: 'Bread, and welcome.' } }]);
});

test('a digital twin needs consent, and then more looks can be created', async () => {
	const body = { type: 'digital_twin', name: 'Ann', file: videoInput };
	const { avatar_item, avatar_group } = await data('POST /v3/avatars', body);
	const { statuses } = await followJob(`/v3/avatars/looks/${avatar_item.id}`);
	expect(statuses).toEqual(['processing', 'processing', 'pending_consent']);
	const path = `/v3/avatars/${avatar_group.id}`;
	const consent = await data(`POST ${path}/consent`, { consent_video: videoInput });
	expect(consent).toMatchObject({ url: null, avatar_group: { status: 'completed' } });
	const pack = { type: 'look_pack', reference_look_id: avatar_item.id };
	const { group_id, look_ids } = await data('POST /v3/avatars/looks', pack);
	expect(group_id).toBe(avatar_group.id);
	advance(101);
	expect((await data(`GET /v3/avatars/looks/${look_ids[0]}`)).status).toBe('completed');
	expect((await data(`GET ${path}`)).looks_count).toBe(4);
	expect((await rejection('PATCH /v3/avatars/looks/look_001_1', { name: 'x' }))[0]).toBe(403);
	await data(`DELETE ${path}`);
	expect((await rejection(`GET /v3/avatars/looks/${avatar_item.id}`))[0]).toBe(404);
});

test('workflows are versioned by their graph, and run once per key', async () => {
	const graph = {
		schema_version: '1.0.0',
		inputs: { topic: { type: 'text' } },
		nodes: [
			{ id: 'write', type: 'text' },
			{ id: 'render', type: 'video', depends_on: ['write'] },
		],
		outputs: { result: { node_id: 'render', port: 'output' } },
	};
	const { id: workflow_id } = await data('POST /v3/workflows', {
		name: 'Daily',
		product_graph: graph,
	});
	const publish = async (product_graph: object) =>
		(await call(`POST /v3/workflows/${workflow_id}/versions`, { product_graph })).status;
	const changed = { ...graph, nodes: graph.nodes.slice(0, 1), outputs: {} };
	expect([await publish(graph), await publish(changed)]).toEqual([200, 201]);

	const run = async (key: string, inputs: object) => {
		const headers = { 'x-api-key': simulator.apiKey, 'idempotency-key': key };
		const body = { workflow_id, version_number: 1, inputs };
		return (await call('POST /v3/workflow-runs', body, headers)).body;
	};
	expect((await rejection('POST /v3/workflow-runs', { workflow_id }))[2]).toBe('Idempotency-Key');
	expect((await run('k0', {})).error.param).toBe('inputs.topic');
	const { id } = (await run('k', { topic: 'Bread' })).data;
	expect((await run('k', { topic: 'Bread' })).data.id).toBe(id);
	expect((await run('k', { topic: 'Rye' })).error.code).toBe('conflict');
	const { statuses, last } = await followJob(`/v3/workflow-runs/${id}`);
	expect(statuses).toEqual(['pending', 'processing', 'succeeded']);
	expect(last).toMatchObject({
		progress: { total: 2, succeeded: 2 },
		outputs: [{ name: 'result', status: 'ready' }],
	});
});

test('all problems of a graph are reported at once', async () => {
	const nodes = [
		{ id: 'a', type: 'nothing', depends_on: ['b'] },
		{ id: 'b', type: 'text', depends_on: ['a', 'c'] },
	];
	const product_graph = { schema_version: '1.0.0', nodes };
	const { body } = await call('POST /v3/workflows', { name: 'Broken', product_graph });
	expect(body.error.errors.map(({ code }: { code: string }) => code)).toEqual([
		'unknown_node_type',
		'dangling_dependency',
		'cycle_detected',
	]);
});
