import { type Simulator } from '../../simulator';
import { errorCodes } from '../errorCodes';
import { audioInput, avatarVideo, useSimulator, videoInput, waitUntil } from './support';

const codes = errorCodes.map(({ code, status = 500 }) => ({ code, status }));

/** Codes that no request leads to, and why. Tests inject them as faults. */
const unreachable: Record<string, string> = {
	unlimited_mode_disabled: 'no request has an unlimited mode',
	role_not_allowed: 'roles are undocumented',
	invalid_encryption_key: 'no request carries a key',
	authentication_failed: 'undocumented for this service',
	voice_provider_error: 'undocumented for this service',
	asset_not_available: 'undocumented for this service',
	internal_error: 'the service failed, whatever the request',
	video_delete_failed: 'the storage of the service failed',
	service_unavailable: 'the service is down, whatever the request',
};

const simulator = useSimulator({ jobSeconds: 10, requestsPerMinute: 200 });
const { call, data } = simulator;

const asset = (asset_id: string) => ({ type: 'asset_id', asset_id });
const inline = { type: 'base64', media_type: 'text/plain', data: 'bm8gemlw' };
const recordings = { mode: 'professional', audio: [audioInput] };
const spoken = { text: 'Good morning', language: 'en' };
const dub = { video: videoInput, audio: audioInput };

const video = (more: object = {}) => call('POST /v3/videos', { ...avatarVideo, ...more });
const train = (more: object = {}) =>
	call('POST /v3/models/audio/voices', { ...recordings, ...more });
const workspace = (change: Parameters<Simulator['control']['setWorkspace']>[0]) =>
	simulator.control.setWorkspace(change);
/** Sends a request in a changed workspace. */
const within =
	(change: Parameters<typeof workspace>[0], send = () => video()) =>
	() => {
		workspace(change);
		return send();
	};
const later = () => simulator.control.clock.advance(11);

const startUpload = (content_type = 'image/png') =>
	call('POST /v3/assets/direct-uploads', { filename: 'a', content_type, size_bytes: 4 });

/** Uploads a small file. */
async function upload(content_type: string) {
	const { asset_id } = (await startUpload(content_type)).body.data;
	simulator.control.change('assets', asset_id, { status: 'ready', bytes: Buffer.from('abcd') });
	return asset_id as string;
}

async function voice(how: 'training' | 'trained' | 'failed') {
	if (how === 'failed') simulator.control.failNext('model_voice', { code: 'odd', message: 'No' });
	const { voice_id } = (await train()).body.data;
	if (how !== 'training') later();
	return voice_id as string;
}

const speak = (voice_id: string, more: object = {}) =>
	call('POST /v3/models/audio/tts', { ...spoken, voice_id, ...more });
const template = (video_id: string) => call('POST /v3/templates', { video_id });

const graph = (more: object = {}) => ({
	schema_version: '1.0.0',
	inputs: { clip: { type: 'video', required: false } },
	nodes: [{ id: 'render', type: 'video', ...more }],
});
const workflow = (product_graph: object = graph()) =>
	call('POST /v3/workflows', { name: 'Daily', product_graph });
const run = (workflow_id: string, inputs = {}, key = 'k') => {
	const headers = { 'x-api-key': simulator.apiKey, 'idempotency-key': key };
	return call('POST /v3/workflow-runs', { workflow_id, inputs }, headers);
};
const workflowId = async () => (await workflow()).body.data.id as string;
const revise = (id: string, expected_revision = 1) =>
	call(`PATCH /v3/workflows/${id}`, { product_graph: graph(), expected_revision });

const declare = (text: string, more: object = {}) =>
	call('PUT /v3/templates/template_002/variables', {
		expected_edit_version: 2,
		variables: [{ name: 'word', text }],
		...more,
	});

/** The request that returns each code, after its preparation. */
const rejections: Record<string, () => ReturnType<typeof call>> = {
	invalid_parameter: () => call('POST /v3/video-agents', {}),
	content_policy_violation: () => video({ script: 'BANNED words, for everybody to hear' }),
	avatar_consent_required: () => video({ avatar_id: 'look_private_004' }),
	avatar_not_usable: () => video({ avatar_id: 'look_private_005' }),
	avatar_expired: () => {
		simulator.control.change('looks', 'look_001_1', { expired: true });
		return video();
	},
	voice_expired: () => {
		simulator.control.change('voices', 'voice_001', { expired: true });
		return video({ voice_id: 'voice_001' });
	},
	voice_unavailable: async () => {
		simulator.control.failNext('voice_clone', { code: 'odd', message: 'Noise only' });
		const clone = { audio: audioInput, voice_name: 'Mine' };
		const { voice_clone_id } = await data('POST /v3/voices/clone', clone);
		later();
		return video({ voice_id: voice_clone_id });
	},
	voice_not_cloneable: () => train({ voice_id: 'voice_001' }),
	voice_settings_not_supported: () =>
		video({ voice_id: 'voice_002', voice_settings: { locale: 'en-GB' } }),
	resource_limit_reached: async () => {
		const voice_id = await voice('trained');
		for (let training = 2; training <= 5; training += 1) {
			expect((await train({ voice_id })).status).toBe(202);
			later();
		}
		return train({ voice_id });
	},
	template_limit_reached: async () => {
		workspace({ templateLimit: 5 });
		expect((await template('video_001')).status).toBe(200);
		return template('video_002');
	},
	script_too_short: () => video({ script: 'Hi!' }),
	tts_text_invalid: async () =>
		speak(await voice('trained'), { text: 'One <emphasis>two</emphasis>' }),
	download_failed: () => video({ script: null, audio_url: 'https://gone.invalid/speech.mp3' }),
	ephemeral_upload_disabled: within({ inlineFiles: false }, () =>
		call('POST /v3/background-removals', { video: inline }),
	),
	scenes_unavailable: async () => {
		const cinematic = { type: 'cinematic_avatar', avatar_id: ['look_001_1'], prompt: 'Rain' };
		const { video_id } = await data('POST /v3/videos', cinematic);
		return call(`GET /v3/videos/${video_id}/scenes`);
	},
	template_source_unsupported: async () => template((await video()).body.data.video_id),
	variable_match_not_found: () => declare('Nowhere'),
	variable_match_spans_styles: () => declare('you very'),
	hyperframes_project_invalid: () => call('POST /v3/hyperframes/renders', { project: inline }),

	unauthorized: () => call('GET /v3/videos', undefined, { 'x-api-key': 'wrong' }),

	insufficient_credit: within({ credit: 0 }),
	trial_limit_exceeded: async () => {
		workspace({ trialJobs: 1 });
		expect((await video()).status).toBe(200);
		return call('POST /v3/lipsyncs', dub);
	},
	subscription_required: within({ plan: 'free' }, train),
	plan_upgrade_required: within({ plan: 'free' }, () => video({ resolution: '4k' })),

	forbidden: () => {
		const key = simulator.control.addKey({ forbidden: ['GET /v3/webhooks/endpoints'] });
		return call('GET /v3/webhooks/endpoints', undefined, { 'x-api-key': key });
	},
	insufficient_api_key_scope: () => {
		const key = simulator.control.addKey({ scopes: ['videos:read'] });
		return call('POST /v3/videos', avatarVideo, { 'x-api-key': key });
	},
	resource_access_denied: () => call('DELETE /v3/voices/voice_001'),
	ai_vendor_access_restricted: within({ otherVendors: false }, () => {
		const body = { voice_id: 'voice_001', text: 'Good morning', settings: { model_id: 'any' } };
		return call('POST /v3/voices/speech', body);
	}),
	brand_kit_locked: within({ lockedBrandKit: 'kit_001' }, () =>
		call('POST /v3/video-agents', { prompt: 'Bread', brand_kit_id: 'kit_002' }),
	),
	voice_not_usable: () => speak('voice_001'),
	phone_verification_required: within({ phoneVerified: false }),
	encryption_disabled: within({ encryption: 'disabled' }),

	video_not_found: () => call('DELETE /v3/videos/gone'),
	avatar_not_found: () => call('GET /v3/avatars/gone'),
	voice_not_found: () => call('GET /v3/voices/gone'),
	template_not_found: () => call('GET /v3/templates/gone'),
	asset_not_found: () => call('GET /v3/assets/gone'),
	webhook_not_found: () => call('DELETE /v3/webhooks/endpoints/gone'),
	batch_not_found: () => call('POST /v3/assets/complete/batches', { batch_id: 'gone' }),
	resource_not_found: () => call('GET /v3/folders/gone'),
	hyperframes_render_not_found: () => call('GET /v3/hyperframes/renders/gone'),
	not_found: () => call('GET /v3/video-agents/gone'),

	conflict: async () => {
		const endpoint = { url: 'https://flows.example/a' };
		await data('POST /v3/webhooks/endpoints', endpoint);
		return call('POST /v3/webhooks/endpoints', endpoint);
	},
	resource_not_ready: async () => {
		const { asset_id } = (await startUpload()).body.data;
		return call(`POST /v3/assets/${asset_id}/complete`, {});
	},
	request_in_progress: async () => {
		const headers = { 'x-api-key': simulator.apiKey, 'idempotency-key': 'same' };
		simulator.control.fail({ path: '/v3/videos', delayMs: 60_000, times: 1 });
		const first = call('POST /v3/videos', avatarVideo, headers);
		await waitUntil(() => simulator.control.requests({ path: '/v3/videos' }).length === 1);
		const second = await call('POST /v3/videos', avatarVideo, headers);
		simulator.control.clearFaults();
		expect((await first).status).toBe(200);
		return second;
	},
	brand_kit_not_ready: async () => {
		const { brand_kit_id } = await data('POST /v3/brand-kits', { url: 'https://bakery.example' });
		const roles = { color_roles: { primary: '#000000' } };
		return call(`PATCH /v3/brand-kits/${brand_kit_id}`, roles);
	},
	voice_not_ready: async () => speak(await voice('training')),
	voice_training_failed: async () => speak(await voice('failed')),
	stale_workflow_draft: async () => revise(await workflowId(), 7),
	workflow_archived: async () => {
		const id = await workflowId();
		simulator.control.change('workflows', id, { status: 'archived' });
		return revise(id);
	},
	template_update_in_progress: () => {
		simulator.control.change('templates', 'template_002', { updating: true });
		return declare('soon');
	},
	workflow_run_admission_refused: async () => {
		workspace({ runsAtOnce: 1 });
		const id = await workflowId();
		expect((await run(id, {}, 'first')).status).toBe(200);
		return run(id, {}, 'second');
	},
	artifact_unavailable: async () => run(await workflowId(), { clip: 'deleted' }),
	stale_edit_version: () => declare('soon', { expected_edit_version: 1 }),
	encryption_setup_pending: within({ encryption: 'pending' }, startUpload),
	encryption_cross_tree_transfer: async () => {
		simulator.control.change('folders', 'folder_001', { customerKey: true });
		const body = { ...dub, video: asset(await upload('video/mp4')), folder_id: 'folder_001' };
		return call('POST /v3/lipsyncs', body);
	},
	encryption_setup_failed: within({ encryption: 'failed' }),

	hyperframes_project_too_large: async () => {
		const id = await upload('application/zip');
		simulator.control.change('assets', id, { size: 300 * 1024 * 1024 });
		return call('POST /v3/hyperframes/renders', { project: asset(id) });
	},

	graph_invalid: () => workflow({ schema_version: '1.0.0', outputs: { a: { node_id: 'gone' } } }),
	image_processing_failed: async () => {
		const file = asset(await upload('audio/wav'));
		return call('POST /v3/avatars', { type: 'photo', name: 'Ann', file });
	},
	unknown_node_type: () => workflow(graph({ type: 'nothing' })),
	node_type_unavailable: () => workflow(graph({ type: 'image', variant: 'classic' })),
	invalid_config: () => workflow(graph({ config: 'text' })),
	dangling_dependency: () => workflow(graph({ depends_on: ['gone'] })),
	cycle_detected: () => workflow(graph({ depends_on: ['render'] })),

	rate_limit_exceeded: async () => {
		const voice_id = await voice('trained');
		for (let count = 0; count < 30; count += 1) expect((await speak(voice_id)).status).toBe(200);
		return speak(voice_id);
	},
	quota_exceeded: async () => {
		workspace({ quotaJobs: 1 });
		expect((await video()).status).toBe(200);
		return video();
	},

	endpoint_sunset: within({ hasLegacyRoutes: false }, () => call('GET /v1/user/me')),
	encryption_temporarily_unavailable: within({ encryption: 'unavailable' }),
	gateway_timeout: () =>
		video({ background: { type: 'image', url: 'https://slow.invalid/a.png' } }),
};

test('every documented code has a request that returns it, or a reason why none does', () => {
	expect(codes.length).toBeGreaterThan(0);
	const covered = [...Object.keys(rejections), ...Object.keys(unreachable)];
	expect(covered.sort()).toEqual(codes.map(({ code }) => code).sort());
});

test.each(codes.filter(({ code }) => rejections[code]))(
	'$status $code',
	async ({ code, status }) => {
		const reply = await rejections[code]?.();
		expect(reply?.status).toBe(status);
		const { error } = reply?.body ?? {};
		const inGraph = error.code === 'graph_invalid' && code !== 'graph_invalid';
		const found = inGraph ? error.errors.map((one: { code: string }) => one.code) : [error.code];
		expect(found).toEqual([code]);
		if (status === 429) expect(Number(reply?.headers['retry-after'])).toBeGreaterThan(0);
	},
);
