import { startSimulator, type Simulator } from '../../simulator';
import { caller, speaking, until, type Caller } from './support';

/**
 * Every error code that the service documents (docs/service.md, Errors), and the codes that
 * `graph_invalid` lists in `errors[]`.
 */
const documented: Record<string, string[]> = {
	400: [
		'invalid_parameter',
		'content_policy_violation',
		'unlimited_mode_disabled',
		'avatar_consent_required',
		'avatar_not_usable',
		'avatar_expired',
		'voice_expired',
		'voice_unavailable',
		'voice_not_cloneable',
		'voice_settings_not_supported',
		'resource_limit_reached',
		'template_limit_reached',
		'role_not_allowed',
		'script_too_short',
		'tts_text_invalid',
		'download_failed',
		'ephemeral_upload_disabled',
		'scenes_unavailable',
		'template_source_unsupported',
		'variable_match_not_found',
		'variable_match_spans_styles',
		'invalid_encryption_key',
		'hyperframes_project_invalid',
	],
	401: ['unauthorized'],
	402: [
		'insufficient_credit',
		'trial_limit_exceeded',
		'subscription_required',
		'plan_upgrade_required',
	],
	403: [
		'forbidden',
		'insufficient_api_key_scope',
		'resource_access_denied',
		'ai_vendor_access_restricted',
		'brand_kit_locked',
		'voice_not_usable',
		'phone_verification_required',
		'encryption_disabled',
	],
	404: [
		'video_not_found',
		'avatar_not_found',
		'voice_not_found',
		'template_not_found',
		'asset_not_found',
		'webhook_not_found',
		'batch_not_found',
		'resource_not_found',
		'hyperframes_render_not_found',
		'not_found',
	],
	409: [
		'conflict',
		'resource_not_ready',
		'request_in_progress',
		'brand_kit_not_ready',
		'voice_not_ready',
		'voice_training_failed',
		'stale_workflow_draft',
		'workflow_archived',
		'template_update_in_progress',
		'workflow_run_admission_refused',
		'artifact_unavailable',
		'stale_edit_version',
		'encryption_setup_pending',
		'encryption_cross_tree_transfer',
		'encryption_setup_failed',
	],
	413: ['hyperframes_project_too_large'],
	422: [
		'graph_invalid',
		'image_processing_failed',
		'unknown_node_type',
		'node_type_unavailable',
		'invalid_config',
		'dangling_dependency',
		'cycle_detected',
	],
	429: ['rate_limit_exceeded', 'quota_exceeded'],
	500: ['internal_error', 'video_delete_failed'],
	503: ['service_unavailable', 'encryption_temporarily_unavailable'],
	504: ['gateway_timeout'],
};

/** Codes that no request leads to, and why. Faults bring them. */
const unreachable: Record<string, string> = {
	unlimited_mode_disabled: 'no request names an unlimited mode',
	role_not_allowed: 'neither what a role is here nor which request has one is said',
	invalid_encryption_key: 'no request carries a key',
	internal_error: 'says that the service broke, not that the request was wrong',
	video_delete_failed: 'says that the service broke: its storage did not let go',
	service_unavailable: 'says that the service is away, whatever the request',
};

let simulator: Simulator;
let call: Caller;

beforeEach(async () => {
	simulator = await startSimulator({ jobSeconds: 10, requestsPerMinute: 200 });
	call = caller(simulator);
});
afterEach(() => simulator.close());

const asset = (asset_id: string) => ({ type: 'asset_id', asset_id });
const film = { type: 'url', url: 'https://files.example/film.mp4' };
const sound = { type: 'url', url: 'https://files.example/sound.wav' };
const inline = { type: 'base64', media_type: 'text/plain', data: 'bm8gemlw' };
const recordings = { mode: 'professional', audio: [sound] };
const spoken = { text: 'Good morning', language: 'en' };
const dub = { video: film, audio: sound };

const video = (more: object) => call('POST /v3/videos', { ...speaking, ...more });
const workspace = (change: Parameters<Simulator['control']['setWorkspace']>[0]) =>
	simulator.control.setWorkspace(change);
const later = () => simulator.control.clock.advance(11);

async function made(line: string, body: unknown, headers?: Record<string, string>) {
	const reply = await call(line, body, headers);
	expect([line, reply.status, reply.body.error]).toEqual([line, expect.any(Number), undefined]);
	return reply.body.data;
}

/** A small file, uploaded into no folder. */
async function upload(content_type: string) {
	const file = { filename: 'a', content_type, size_bytes: 4 };
	const { asset_id } = await made('POST /v3/assets/direct-uploads', file);
	simulator.control.change('assets', asset_id, { status: 'ready', bytes: Buffer.from('abcd') });
	return asset_id as string;
}

async function voice(how: 'training' | 'trained' | 'failed') {
	if (how === 'failed') simulator.control.failNext('model_voice', { code: 'odd', message: 'No' });
	const { voice_id } = await made('POST /v3/models/audio/voices', recordings);
	if (how !== 'training') later();
	return voice_id as string;
}

const speak = (voice_id: string) => call('POST /v3/models/audio/tts', { ...spoken, voice_id });

const graph = (more: object = {}) => ({
	schema_version: '1.0.0',
	inputs: { clip: { type: 'video', required: false } },
	nodes: [{ id: 'film', type: 'video', ...more }],
});
const workflow = (product_graph: object = graph()) =>
	call('POST /v3/workflows', { name: 'Daily', product_graph });
const run = async (workflow_id: string, inputs = {}, key = 'k') =>
	call(
		'POST /v3/workflow-runs',
		{ workflow_id, inputs },
		{ 'x-api-key': simulator.apiKey, 'idempotency-key': key },
	);
const workflowId = async () => (await workflow()).body.data.id as string;

const declare = (text: string, more: object = {}) =>
	call('PUT /v3/templates/template_002/variables', {
		expected_edit_version: 2,
		variables: [{ name: 'word', text }],
		...more,
	});

/** A request that is refused with the code, after what leads there. */
const refusals: Record<string, () => ReturnType<Caller>> = {
	invalid_parameter: () => call('POST /v3/video-agents', {}),
	content_policy_violation: () => video({ script: 'BANNED words, for everybody to hear' }),
	avatar_consent_required: () => video({ avatar_id: 'look_private_004' }),
	avatar_not_usable: () => video({ avatar_id: 'look_private_005' }),
	avatar_expired: () => {
		simulator.control.change('looks', 'look_001_1', { expired: true });
		return video({});
	},
	voice_expired: () => {
		simulator.control.change('voices', 'voice_001', { expired: true });
		return video({ voice_id: 'voice_001' });
	},
	voice_unavailable: async () => {
		simulator.control.failNext('voice_clone', { code: 'odd', message: 'Noise only' });
		const clone = { audio: sound, voice_name: 'Mine' };
		const { voice_clone_id } = await made('POST /v3/voices/clone', clone);
		later();
		return video({ voice_id: voice_clone_id });
	},
	voice_not_cloneable: () =>
		call('POST /v3/models/audio/voices', { ...recordings, voice_id: 'voice_001' }),
	voice_settings_not_supported: () =>
		video({ voice_id: 'voice_002', voice_settings: { locale: 'en-GB' } }),
	resource_limit_reached: async () => {
		const voice_id = await voice('trained');
		for (let training = 2; training <= 5; training += 1) {
			await made('POST /v3/models/audio/voices', { ...recordings, voice_id });
			later();
		}
		return call('POST /v3/models/audio/voices', { ...recordings, voice_id });
	},
	template_limit_reached: async () => {
		workspace({ templateLimit: 5 });
		await made('POST /v3/templates', { video_id: 'video_001' });
		return call('POST /v3/templates', { video_id: 'video_002' });
	},
	script_too_short: () => video({ script: 'Hi!' }),
	tts_text_invalid: async () =>
		call('POST /v3/models/audio/tts', {
			...spoken,
			voice_id: await voice('trained'),
			text: 'One <emphasis>two</emphasis>',
		}),
	download_failed: () => video({ script: null, audio_url: 'https://gone.invalid/speech.mp3' }),
	ephemeral_upload_disabled: () => {
		workspace({ inlineFiles: false });
		return call('POST /v3/background-removals', { video: inline });
	},
	scenes_unavailable: async () => {
		const cinematic = { type: 'cinematic_avatar', avatar_id: ['look_001_1'], prompt: 'Rain' };
		const { video_id } = await made('POST /v3/videos', cinematic);
		return call(`GET /v3/videos/${video_id}/scenes`);
	},
	template_source_unsupported: async () => {
		const { video_id } = await made('POST /v3/videos', speaking);
		return call('POST /v3/templates', { video_id });
	},
	variable_match_not_found: () => declare('Nowhere'),
	variable_match_spans_styles: () => declare('you very'),
	hyperframes_project_invalid: () => call('POST /v3/hyperframes/renders', { project: inline }),

	unauthorized: () => call('GET /v3/videos', undefined, { 'x-api-key': 'wrong' }),

	insufficient_credit: () => {
		workspace({ credit: 0 });
		return video({});
	},
	trial_limit_exceeded: async () => {
		workspace({ trialJobs: 1 });
		await made('POST /v3/videos', speaking);
		return call('POST /v3/lipsyncs', dub);
	},
	subscription_required: () => {
		workspace({ plan: 'free' });
		return call('POST /v3/models/audio/voices', recordings);
	},
	plan_upgrade_required: () => {
		workspace({ plan: 'free' });
		return video({ resolution: '4k' });
	},

	forbidden: () => {
		const key = simulator.control.addKey({ forbidden: ['GET /v3/webhooks/endpoints'] });
		return call('GET /v3/webhooks/endpoints', undefined, { 'x-api-key': key });
	},
	insufficient_api_key_scope: () => {
		const key = simulator.control.addKey({ scopes: ['videos:read'] });
		return call('POST /v3/videos', speaking, { 'x-api-key': key });
	},
	resource_access_denied: () => call('DELETE /v3/voices/voice_001'),
	ai_vendor_access_restricted: () => {
		workspace({ otherVendors: false });
		const body = { voice_id: 'voice_001', text: 'Good morning', settings: { model_id: 'any' } };
		return call('POST /v3/voices/speech', body);
	},
	brand_kit_locked: () => {
		workspace({ lockedBrandKit: 'kit_001' });
		return call('POST /v3/video-agents', { prompt: 'Bread', brand_kit_id: 'kit_002' });
	},
	voice_not_usable: () => speak('voice_001'),
	phone_verification_required: () => {
		workspace({ phoneVerified: false });
		return video({});
	},
	encryption_disabled: () => {
		workspace({ encryption: 'disabled' });
		return video({});
	},

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
		await made('POST /v3/webhooks/endpoints', endpoint);
		return call('POST /v3/webhooks/endpoints', endpoint);
	},
	resource_not_ready: async () => {
		const file = { filename: 'a.png', content_type: 'image/png', size_bytes: 4 };
		const { asset_id } = await made('POST /v3/assets/direct-uploads', file);
		return call(`POST /v3/assets/${asset_id}/complete`, {});
	},
	request_in_progress: async () => {
		const headers = { 'x-api-key': simulator.apiKey, 'idempotency-key': 'same' };
		simulator.control.fail({ path: '/v3/videos', delayMs: 60_000, times: 1 });
		const first = call('POST /v3/videos', speaking, headers);
		await until(() => simulator.control.requests({ path: '/v3/videos' }).length === 1);
		const second = await call('POST /v3/videos', speaking, headers);
		simulator.control.clearFaults();
		expect((await first).status).toBe(200);
		return second;
	},
	brand_kit_not_ready: async () => {
		const { brand_kit_id } = await made('POST /v3/brand-kits', { url: 'https://bakery.example' });
		const roles = { color_roles: { primary: '#000000' } };
		return call(`PATCH /v3/brand-kits/${brand_kit_id}`, roles);
	},
	voice_not_ready: async () => speak(await voice('training')),
	voice_training_failed: async () => speak(await voice('failed')),
	stale_workflow_draft: async () =>
		call(`PATCH /v3/workflows/${await workflowId()}`, {
			product_graph: graph(),
			expected_revision: 7,
		}),
	workflow_archived: async () => {
		const id = await workflowId();
		simulator.control.change('workflows', id, { status: 'archived' });
		return call(`PATCH /v3/workflows/${id}`, { product_graph: graph(), expected_revision: 1 });
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
	encryption_setup_pending: () => {
		workspace({ encryption: 'pending' });
		const file = { filename: 'a.png', content_type: 'image/png', size_bytes: 4 };
		return call('POST /v3/assets/direct-uploads', file);
	},
	encryption_cross_tree_transfer: async () => {
		simulator.control.change('folders', 'folder_001', { customerKey: true });
		const body = { ...dub, video: asset(await upload('video/mp4')), folder_id: 'folder_001' };
		return call('POST /v3/lipsyncs', body);
	},
	encryption_setup_failed: () => {
		workspace({ encryption: 'failed' });
		return video({});
	},

	hyperframes_project_too_large: async () => {
		const id = await upload('application/zip');
		simulator.control.change('assets', id, { size: 300 * 1024 * 1024 });
		return call('POST /v3/hyperframes/renders', { project: asset(id) });
	},

	graph_invalid: () => workflow({ schema_version: '1.0.0', outputs: { a: { node_id: 'gone' } } }),
	image_processing_failed: async () =>
		call('POST /v3/avatars', {
			type: 'photo',
			name: 'Ann',
			file: asset(await upload('audio/wav')),
		}),
	unknown_node_type: () => workflow(graph({ type: 'nothing' })),
	node_type_unavailable: () => workflow(graph({ type: 'image', variant: 'classic' })),
	invalid_config: () => workflow(graph({ config: 'text' })),
	dangling_dependency: () => workflow(graph({ depends_on: ['gone'] })),
	cycle_detected: () => workflow(graph({ depends_on: ['film'] })),

	rate_limit_exceeded: async () => {
		const voice_id = await voice('trained');
		for (let count = 0; count < 30; count += 1) expect((await speak(voice_id)).status).toBe(200);
		return speak(voice_id);
	},
	quota_exceeded: async () => {
		workspace({ quotaJobs: 1 });
		await made('POST /v3/videos', speaking);
		return video({});
	},

	encryption_temporarily_unavailable: () => {
		workspace({ encryption: 'unavailable' });
		return video({});
	},
	gateway_timeout: () =>
		video({ background: { type: 'image', url: 'https://slow.invalid/a.png' } }),
};

const codes = Object.entries(documented).flatMap(([status, list]) =>
	list.map((code) => ({ code, status: Number(status) })),
);

test('every documented code is refused for a request, or there is a reason why none leads to it', () => {
	expect(codes).toHaveLength(76);
	const told = [...Object.keys(refusals), ...Object.keys(unreachable)];
	expect(told.sort()).toEqual(codes.map(({ code }) => code).sort());
});

test.each(codes.filter(({ code }) => refusals[code]))('$status $code', async ({ code, status }) => {
	const reply = await refusals[code]?.();
	expect(reply?.status).toBe(status);
	const { error } = reply?.body ?? {};
	const inGraph = error.code === 'graph_invalid' && code !== 'graph_invalid';
	const found = inGraph ? error.errors.map((one: { code: string }) => one.code) : [error.code];
	expect(found).toEqual([code]);
	if (status === 429) expect(Number(reply?.headers['retry-after'])).toBeGreaterThan(0);
});

test.each(codes.filter(({ code }) => unreachable[code]))(
	'$status $code comes as a fault',
	async ({ code, status }) => {
		simulator.control.fail({ status, code, times: 1 });
		const reply = await call('GET /v3/videos');
		expect([reply.status, reply.body.error.code]).toEqual([status, code]);
	},
);
