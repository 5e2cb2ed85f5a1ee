import { request } from 'undici';
import { startSimulator, type Simulator } from '../../simulator';
import { caller, startReceiver, type Caller } from './support';

let simulator: Simulator;
let call: Caller;

beforeEach(async () => {
	simulator = await startSimulator({ jobSeconds: 100 });
	call = caller(simulator);
});
afterEach(() => simulator.close());

const advance = (seconds: number) => simulator.control.clock.advance(seconds);
const film = { type: 'url', url: 'https://films.example/talk.mp4' };
const sound = { type: 'url', url: 'https://audio.example/talk.mp3' };
const data = async (line: string, body?: unknown) => {
	const reply = await call(line, body);
	expect([reply.status, reply.body.error]).toEqual([expect.any(Number), undefined]);
	expect(reply.status).toBeLessThan(300);
	return reply.body.data;
};
const refusal = async (line: string, body?: unknown) => {
	const { status, body: reply } = await call(line, body);
	return [status, reply.error?.code, reply.error?.param];
};

/** Reads a job before, during and after its time. */
async function follow(path: string) {
	const statuses: string[] = [(await data(`GET ${path}`)).status];
	advance(50);
	statuses.push((await data(`GET ${path}`)).status);
	advance(51);
	const last = await data(`GET ${path}`);
	return { statuses: [...statuses, last.status], last };
}

test('model videos', async () => {
	const created = await call('POST /v3/models/videos', {
		mode: 'text_to_video',
		model: 'short-1',
		prompt: 'A wave',
		duration: 6,
	});
	expect(created.status).toBe(202);
	const { statuses, last } = await follow(`/v3/models/videos/${created.body.data.video_id}`);
	expect(statuses).toEqual(['pending', 'processing', 'completed']);
	expect(last).toMatchObject({ video_url: expect.any(String), duration: 6, model: 'short-1' });
	const refer = (more: object) =>
		refusal('POST /v3/models/videos', {
			mode: 'reference_to_video',
			model: 'short-1',
			prompt: 'A wave',
			...more,
		});
	expect(await refer({ reference_audio: [sound] })).toEqual([
		400,
		'invalid_parameter',
		'reference_images',
	]);
	const many = { reference_images: Array(9).fill(film), reference_videos: Array(3).fill(film) };
	expect(await refer({ ...many, reference_audio: [sound] })).toEqual([
		400,
		'invalid_parameter',
		'reference_images',
	]);
	expect(await refer({ reference_images: [film], duration: 4 })).toEqual([
		400,
		'invalid_parameter',
		'duration',
	]);
});

test('professional voices and their speech', async () => {
	const trained = await call('POST /v3/models/audio/voices', {
		mode: 'professional',
		audio: [sound],
		name: 'Founder',
	});
	expect(trained.status).toBe(202);
	const { voice_id } = trained.body.data;
	const speak = (more = {}) => ({ voice_id, text: 'Good morning.', language: 'en', ...more });
	const tts = 'POST /v3/models/audio/tts';
	expect(await refusal(tts, speak())).toEqual([409, 'voice_not_ready', 'voice_id']);
	advance(101);
	expect((await data(`GET /v3/models/audio/voices/${voice_id}`)).status).toBe('ACTIVE');
	const speech = await data(tts, speak());
	expect(speech).toEqual({ audio_url: expect.any(String), duration: expect.any(Number) });
	const wav = Buffer.from(await (await request(speech.audio_url)).body.arrayBuffer());
	expect(wav.subarray(0, 4).toString()).toBe('RIFF');
	expect([wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([
		1, 44100, 16,
	]);
	expect(await refusal(tts, speak({ voice_id: 'voice_001' }))).toEqual([
		403,
		'voice_not_usable',
		'voice_id',
	]);
	expect(await refusal(tts, speak({ voice_id: 'gone' }))).toEqual([
		404,
		'voice_not_found',
		'voice_id',
	]);
	expect((await call(tts, speak({ text: 'One <break time="5s"/> two' }))).status).toBe(200);
	expect(await refusal(tts, speak({ text: 'One <break time="6s"/> two' }))).toEqual([
		400,
		'tts_text_invalid',
		'text',
	]);
	expect(await refusal(tts, { voice_id, text: 'x' })).toEqual([
		400,
		'invalid_parameter',
		'language',
	]);

	const again = await call('POST /v3/models/audio/voices', {
		mode: 'professional',
		audio: [sound],
		voice_id,
	});
	expect(again.body.data).toEqual({ voice_id });
	expect((await data(`GET /v3/models/audio/voices/${voice_id}`)).status).toBe('PENDING');
});

test('speech is limited to 30 requests a minute', async () => {
	const { voice_id } = await data('POST /v3/models/audio/voices', {
		mode: 'professional',
		audio: [sound],
	});
	advance(101);
	const body = { voice_id, text: 'Good morning.', language: 'en' };
	for (let count = 0; count < 30; count += 1) await data('POST /v3/models/audio/tts', body);
	const refused = await call('POST /v3/models/audio/tts', body);
	expect(refused.status).toBe(429);
	expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

test('streamed speech ends with its marker unless it is cut', async () => {
	const { voice_id } = await data('POST /v3/models/audio/voices', {
		mode: 'professional',
		audio: [sound],
	});
	advance(101);
	const body = { voice_id, text: 'One two', language: 'en', with_timestamps: true };
	const { headers, body: text } = await call('POST /v3/models/audio/tts/stream', body);
	expect(headers['content-type']).toContain('text/event-stream');
	const frames = String(text)
		.trim()
		.split('\n\n')
		.map((frame) => frame.replace('data: ', ''));
	expect(frames.at(-1)).toBe('[DONE]');
	const parts = frames.slice(0, -1).map((frame) => JSON.parse(frame));
	expect(parts.map(({ type }) => type)).toEqual(['audio', 'alignment']);
	expect(Buffer.from(parts[0].audio, 'base64').subarray(0, 4).toString()).toBe('RIFF');
	simulator.control.fail({ path: /stream$/, cut: 'midway', times: 1 });
	await expect(call('POST /v3/models/audio/tts/stream', body)).rejects.toThrow();
});

test('voices: speech, clones, design and deletion', async () => {
	const speech = await data('POST /v3/voices/speech', {
		voice_id: 'voice_001',
		text: 'Good morning everybody',
		settings: { model_id: 'any' },
	});
	expect(speech.word_timestamps).toHaveLength(3);
	expect((await data('POST /v3/voices', { prompt: 'warm' })).voices).toHaveLength(3);
	const { voice_clone_id } = await data('POST /v3/voices/clone', {
		audio: sound,
		voice_name: 'Mine',
	});
	const { statuses } = await follow(`/v3/voices/${voice_clone_id}`);
	expect(statuses).toEqual(['processing', 'processing', 'complete']);
	expect(await data(`DELETE /v3/voices/${voice_clone_id}`)).toEqual({ voice_id: voice_clone_id });
	expect(await refusal(`GET /v3/voices/${voice_clone_id}`)).toEqual([404, 'voice_not_found', null]);
	expect((await refusal('DELETE /v3/voices/voice_001'))[1]).toBe('resource_access_denied');
});

test('sounds', async () => {
	const found = await call('GET /v3/audio/sounds?query=calm');
	expect(found.body.data).toHaveLength(10);
	expect(found.body.data[0]).toMatchObject({ type: 'music', score: expect.any(Number) });
	const effects = await data('GET /v3/audio/sounds?query=door&type=sound_effects&min_score=0.9');
	expect(effects.every(({ score }: { score: number }) => score >= 0.9)).toBe(true);
	expect(await refusal('GET /v3/audio/sounds')).toEqual([400, 'invalid_parameter', 'query']);
});

test('translations, one per language, with event and callback', async () => {
	const receiver = await startReceiver();
	const { video_translation_ids: ids } = await data('POST /v3/video-translations', {
		video: film,
		output_languages: ['German', 'Spanish'],
		title: 'Talk',
		folder_id: 'folder_003',
		fps_mode: 'cfr',
		enable_caption: true,
		callback_url: `${receiver.origin}/done`,
		callback_id: 'c1',
	});
	expect(ids).toHaveLength(2);
	const { statuses, last } = await follow(`/v3/video-translations/${ids[0]}`);
	expect(statuses).toEqual(['pending', 'running', 'completed']);
	expect(last).toMatchObject({
		output_language: 'German',
		srt_caption_url: expect.any(String),
		vtt_caption_url: expect.any(String),
		callback_id: 'c1',
	});
	const asVideo = await data(`GET /v3/videos/${ids[1]}`);
	expect(asVideo).toMatchObject({
		output_language: 'es',
		status: 'completed',
		folder_id: 'folder_003',
		subtitle_url: expect.any(String),
		captioned_video_url: null,
	});
	await simulator.control.idle();
	expect(receiver.received.map(({ json }) => json.event_data.video_translate_id).sort()).toEqual(
		[...ids].sort(),
	);
	expect(receiver.received[0]?.json.event_type).toBe('video_translate.success');
	await receiver.close();

	const bad = { video: film, output_languages: ['Klingon'] };
	expect(await refusal('POST /v3/video-translations', bad)).toEqual([
		400,
		'invalid_parameter',
		'output_languages[0]',
	]);
	const inline = { type: 'base64', media_type: 'video/mp4', data: 'AAAA' };
	expect(
		await refusal('POST /v3/video-translations', { video: inline, output_languages: ['German'] }),
	).toEqual([400, 'invalid_parameter', 'video.type']);
	expect((await data('GET /v3/video-translations/languages')).languages).toContain('German');
	expect((await data(`PATCH /v3/video-translations/${ids[0]}`, { title: 'New' })).title).toBe(
		'New',
	);
	expect(await data(`DELETE /v3/video-translations/${ids[0]}`)).toEqual({ id: ids[0] });
});

test('batches of translations count languages', async () => {
	const item = { video: film, output_languages: ['German', 'French'] };
	const { batch_id } = await data('POST /v3/video-translations/batches', {
		video_translations: [item, item],
	});
	advance(101);
	expect(await data(`GET /v3/video-translations/batches/${batch_id}`)).toMatchObject({
		status: 'completed',
		counts_by_status: { completed: 4 },
	});
	const statuses = await data(`GET /v3/video-translations/statuses?batch_ids=${batch_id}`);
	expect(statuses).toHaveLength(4);
	expect(
		await refusal('POST /v3/video-translations/batches', {
			video_translations: Array(51).fill(item),
		}),
	).toEqual([400, 'invalid_parameter', 'video_translations']);
});

test('proofreads lead to a translation', async () => {
	const { proofread_ids } = await data('POST /v3/video-translations/proofreads', {
		video: film,
		title: 'Talk',
		output_languages: ['German'],
	});
	const path = `/v3/video-translations/proofreads/${proofread_ids[0]}`;
	expect((await refusal(`GET ${path}/srt`))[1]).toBe('resource_not_ready');
	expect((await follow(path)).last.status).toBe('completed');
	expect(await data(`GET ${path}/srt`)).toHaveProperty('srt_url');
	expect((await data(`PUT ${path}/srt`, { srt: film })).id).toBe(proofread_ids[0]);
	const { video_translation_id } = await data(`POST ${path}/generate`, {});
	const { last } = await follow(`/v3/video-translations/${video_translation_id}`);
	expect(last).toMatchObject({ status: 'completed', output_language: 'German' });
});

test('lipsyncs', async () => {
	const body = { video: film, audio: sound, title: 'Dub' };
	const { lipsync_id } = await data('POST /v3/lipsyncs', body);
	const { statuses, last } = await follow(`/v3/lipsyncs/${lipsync_id}`);
	expect(statuses).toEqual(['pending', 'running', 'completed']);
	expect(last).toMatchObject({ video_url: expect.any(String), caption_url: expect.any(String) });
	const { batch_id } = await data('POST /v3/lipsyncs/batches', { lipsyncs: [body, body] });
	advance(101);
	expect((await data(`GET /v3/lipsyncs/batches/${batch_id}`)).status).toBe('completed');
	expect(await data('GET /v3/lipsyncs')).toHaveLength(3);
	expect((await refusal('POST /v3/lipsyncs', { video: film }))[2]).toBe('audio');
});

test('clips', async () => {
	const { ai_clipping_id } = await data('POST /v3/ai-clipping', {
		video: film,
		output_settings: { duration_types: ['30', 'long'], aspect_ratio: 'square' },
	});
	const { statuses, last } = await follow(`/v3/ai-clipping/${ai_clipping_id}`);
	expect(statuses).toEqual(['pending', 'running', 'completed']);
	expect(last).toMatchObject({
		progress: 100,
		output_settings: { caption_style: 'outline_classic', aspect_ratio: 'square' },
	});
	expect(last.clips).toHaveLength(3);
	expect(last.clips[0]).toMatchObject({ virality_score: 91, video_url: expect.any(String) });
	expect((await data('GET /v3/ai-clipping'))[0].clips).toHaveLength(3);
	expect(await data(`DELETE /v3/ai-clipping/${ai_clipping_id}`)).toEqual({ id: ai_clipping_id });
});

test('composition renders', async () => {
	const zip = Buffer.from('PK\u0003\u0004').toString('base64');
	const project = { type: 'base64', media_type: 'application/zip', data: zip };
	const path = 'POST /v3/hyperframes/renders';
	const created = await call(path, { project, variables: { name: 'Bea' } });
	expect(created.status).toBe(202);
	const { statuses, last } = await follow(`/v3/hyperframes/renders/${created.body.data.render_id}`);
	expect(statuses).toEqual(['queued', 'rendering', 'completed']);
	expect(last).toMatchObject({ resolution: '1080p', aspect_ratio: '16:9', fps: 30 });
	expect((await refusal(path, { project, resolution: 'landscape-4k' }))[0]).toBe(422);
	const text = { ...project, data: Buffer.from('no zip').toString('base64') };
	expect(await refusal(path, { project: text })).toEqual([
		400,
		'hyperframes_project_invalid',
		'project',
	]);
	expect((await refusal('GET /v3/hyperframes/renders/gone'))[1]).toBe(
		'hyperframes_render_not_found',
	);
});

test('background removals', async () => {
	const body = { video: film, layers: ['mask'], request_id: 'r1' };
	const job = await data('POST /v3/background-removals', body);
	expect((await data('POST /v3/background-removals', body)).id).toBe(job.id);
	const { statuses, last } = await follow(`/v3/background-removals/${job.id}`);
	expect(statuses).toEqual(['pending', 'processing', 'completed']);
	expect(Object.keys(last.layers)).toEqual(['mask']);
	expect(await data(`DELETE /v3/background-removals/${job.id}`)).toEqual({
		id: job.id,
		deleted: true,
	});
	expect((await data(`GET /v3/background-removals/${job.id}`)).status).toBe('deleted');
});

test('realtime streams', async () => {
	const { stream_id } = await data('POST /v3/avatar-realtime', {
		type: 'text_stream',
		avatar_id: 'look_001_1',
		voice_id: 'voice_001',
		text: 'One two',
	});
	const path = `/v3/avatar-realtime/${stream_id}`;
	const words = call(`GET ${path}/words`);
	const pushed = await call(`POST ${path}/text`, { delta: 'three', final: true });
	expect([pushed.status, pushed.body.data]).toEqual([202, { ok: true, buffered_bytes: 5 }]);
	expect((await call(`POST ${path}/text`, { delta: 'four' })).status).toBe(410);
	expect((await follow(path)).last).toMatchObject({
		status: 'completed',
		end_reason: 'final_marker',
	});
	const text = String((await words).body);
	expect(text.match(/"word":"(\w+)"/g)).toHaveLength(3);
	expect(text.trim().endsWith('event: end\ndata: {"reason":"final_marker"}')).toBe(true);
});

test('templates: promote, declare variables, generate', async () => {
	const made = await data('POST /v3/templates', { video_id: 'video_001', name: 'Sale' });
	expect(made.elements[0].current.text).toBe('This is about: Spring sale.');
	const path = `/v3/templates/${made.id}`;
	const declare = (version: number, text: string) => ({
		expected_edit_version: version,
		variables: [{ name: 'topic', text }],
	});
	const put = `PUT ${path}/variables`;
	expect((await refusal(put, declare(9, 'Spring sale')))[1]).toBe('stale_edit_version');
	expect((await refusal(put, declare(1, 'Autumn')))[1]).toBe('variable_match_not_found');
	const declared = await data(put, declare(1, 'Spring sale'));
	expect(declared).toMatchObject({
		edit_version: 2,
		variables: { topic: { type: 'text', content: 'Spring sale' } },
	});
	const text = (content: string) => ({ topic: { type: 'text', content } });
	const video = await data(`POST ${path}`, { variables: text('Bread'), folder_id: 'folder_001' });
	expect(video).toMatchObject({ status: 'pending', folder_id: 'folder_001' });
	expect((await follow(`/v3/videos/${video.id}`)).last.status).toBe('completed');
	expect(
		await refusal(`POST ${path}`, { variables: { other: { type: 'text', content: 'x' } } }),
	).toEqual([400, 'invalid_parameter', 'variables.other']);
	expect(
		await refusal('POST /v3/templates/template_001', {
			variables: { headline: { type: 'voice', voice_id: 'voice_001' } },
		}),
	).toEqual([400, 'invalid_parameter', 'variables.headline.type']);
	const filled = await data('POST /v3/templates/template_001', {
		variables: { headline: { type: 'text', content: 'Fresh bread' } },
		scene_ids: ['template_001_scene_1'],
	});
	const { scenes } = await data(`GET /v3/videos/${filled.id}/scenes`);
	expect(scenes.map(({ script }: { script: { text: string } }) => script.text)).toEqual([
		'Fresh bread, and welcome.',
	]);
});

test('avatars and looks', async () => {
	const { avatar_item, avatar_group } = await data('POST /v3/avatars', {
		type: 'digital_twin',
		name: 'Ann',
		file: film,
	});
	expect(avatar_group.status).toBe('processing');
	const { statuses } = await follow(`/v3/avatars/looks/${avatar_item.id}`);
	expect(statuses).toEqual(['processing', 'processing', 'pending_consent']);
	const asked = await data(`POST /v3/avatars/${avatar_group.id}/consent`, {});
	expect(asked.url).toContain('http');
	const given = await data(`POST /v3/avatars/${avatar_group.id}/consent`, { consent_video: film });
	expect(given).toMatchObject({ url: null, avatar_group: { status: 'completed' } });
	const pack = await data('POST /v3/avatars/looks', {
		type: 'look_pack',
		reference_look_id: avatar_item.id,
	});
	expect(pack).toEqual({ group_id: avatar_group.id, look_ids: expect.any(Array) });
	advance(101);
	expect((await data(`GET /v3/avatars/looks/${pack.look_ids[0]}`)).status).toBe('completed');
	expect((await data(`GET /v3/avatars/${avatar_group.id}`)).looks_count).toBe(4);
	expect((await refusal('PATCH /v3/avatars/looks/look_001_1', { name: 'x' }))[0]).toBe(403);
	expect(await data(`DELETE /v3/avatars/${avatar_group.id}`)).toEqual({ id: avatar_group.id });
});

describe('workflows', () => {
	const graph = {
		schema_version: '1.0.0',
		inputs: { topic: { type: 'text' } },
		nodes: [
			{ id: 'write', type: 'text' },
			{ id: 'film', type: 'video', depends_on: ['write'] },
		],
		outputs: { result: { node_id: 'film', port: 'output' } },
	};

	test('are drafted, published and run', async () => {
		const made = await data('POST /v3/workflows', { name: 'Daily', product_graph: graph });
		expect(made).toMatchObject({ draft_revision: 1, latest_version: { version_number: 1 } });
		const path = `/v3/workflows/${made.id}`;
		const patched = await data(`PATCH ${path}`, { product_graph: graph, expected_revision: 1 });
		expect(patched.draft_revision).toBe(2);
		expect(
			(await refusal(`PATCH ${path}`, { product_graph: graph, expected_revision: 1 }))[1],
		).toBe('stale_workflow_draft');
		expect((await call(`POST ${path}/versions`, { product_graph: graph })).status).toBe(200);
		const changed = { ...graph, nodes: graph.nodes.slice(0, 1), outputs: {} };
		expect((await call(`POST ${path}/versions`, { product_graph: changed })).status).toBe(201);

		const run = (key: string | undefined, inputs: object) =>
			call(
				'POST /v3/workflow-runs',
				{ workflow_id: made.id, version_number: 1, inputs },
				{
					'x-api-key': simulator.apiKey,
					...(key ? { 'idempotency-key': key } : {}),
				},
			);
		expect((await run(undefined, { topic: 'x' })).body.error.param).toBe('Idempotency-Key');
		expect((await run('k0', {})).body.error.param).toBe('inputs.topic');
		const { id } = (await run('k', { topic: 'Bread' })).body.data;
		expect((await run('k', { topic: 'Bread' })).body.data.id).toBe(id);
		expect((await run('k', { topic: 'Rye' })).body.error.code).toBe('conflict');
		const { statuses, last } = await follow(`/v3/workflow-runs/${id}`);
		expect(statuses).toEqual(['pending', 'processing', 'succeeded']);
		expect(last).toMatchObject({
			progress: { total: 2, succeeded: 2 },
			outputs: [{ name: 'result', status: 'ready' }],
		});
	});

	test('have all problems of their graph named at once', async () => {
		const broken = {
			...graph,
			nodes: [
				{ id: 'a', type: 'nothing', depends_on: ['b'] },
				{ id: 'b', type: 'text', depends_on: ['a', 'c'] },
			],
		};
		const reply = await call('POST /v3/workflows', { name: 'Broken', product_graph: broken });
		expect(reply.status).toBe(422);
		expect(reply.body.error.code).toBe('graph_invalid');
		expect(reply.body.error.errors.map(({ code }: { code: string }) => code)).toEqual([
			'unknown_node_type',
			'dangling_dependency',
			'dangling_dependency',
			'cycle_detected',
		]);
	});
});
