/**
 * Every operation on n8n's engine: the exact request that it sends, the items that it returns,
 * which item they come from, and what Continue On Fail makes of a refusal.
 */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { operations as agentOperations } from '../../nodes/VideoGenAgent/operations';
import { operations as videoOperations } from '../../nodes/VideoGenVideo/operations';
import { startSimulator, type Simulator } from '../../simulator';
import { byId, contentOf, runNode } from './engine';

let service: Simulator;

beforeAll(async () => {
	service = await startSimulator({ jobSeconds: 0 });
});
afterAll(async () => await service.close());
beforeEach(() => service.control.reset());

type Kind = 'agent' | 'video';

interface Case {
	kind: Kind;
	/** What makes the ids that the parameters need. */
	before?: () => Promise<IDataObject>;
	parameters: (ids: IDataObject) => INodeParameters;
	/** Method and path; the body (writes) or the query (reads), exactly. */
	sends: (ids: IDataObject) => { line: string; body?: unknown; query?: IDataObject };
	/** Whether an idempotency key goes with it. */
	keyed?: boolean;
	returns: (items: INodeExecutionData[], ids: IDataObject) => void | Promise<void>;
}

const first = (items: INodeExecutionData[]) => items[0]?.json ?? {};
const noWait = { waitForCompletion: false };
const list = { returnAll: false, limit: 3 };

async function made(kind: Kind, parameters: INodeParameters): Promise<IDataObject> {
	const { items, error } = await runNode(service, kind, parameters);
	if (error) throw new Error(error.message);
	const { json } = items[0] as INodeExecutionData;
	service.control.clearFaults();
	return json;
}

const aVideo = async () =>
	await made('video', {
		operation: 'createAvatar',
		avatar_id: byId('look_001_1'),
		speechFrom: 'text',
		script: 'Hello there, this is a long enough text.',
		voice_id: byId('voice_001'),
		...noWait,
		options: { caption: 'burned' },
	});

const aSession = async () => {
	const { session_id: id } = await made('agent', {
		operation: 'create',
		prompt: 'A welcome',
		mode: 'generate',
		...noWait,
	});
	return await made('agent', { operation: 'get', session_id: byId(String(id)) });
};

const twoScenes = async () => {
	const session = await aSession();
	const read = await made('video', {
		operation: 'getScenes',
		video_id: byId(String(session.video_id)),
	});
	const scenes = read.scenes as IDataObject[];
	return { ...session, edit_version: read.edit_version, scene_id: scenes[0]?.id };
};

const cases: Record<string, Case> = {
	'agent create': {
		kind: 'agent',
		parameters: () => ({
			operation: 'create',
			prompt: 'A welcome',
			mode: 'chat',
			...noWait,
			options: {
				style_id: byId('style_001'),
				avatar_id: byId('look_001_1'),
				voice_id: byId('voice_001'),
				orientation: 'portrait',
				callback_id: 'order-1',
				incognito_mode: true,
				files: {
					file: [{ file: { __rl: true, mode: 'url', value: 'https://files.example/a.png' } }],
				},
				additionalBodyFields: '{"visibility": "private"}',
			},
		}),
		sends: () => ({
			line: 'POST /v3/video-agents',
			body: {
				prompt: 'A welcome',
				mode: 'chat',
				style_id: 'style_001',
				avatar_id: 'look_001_1',
				voice_id: 'voice_001',
				orientation: 'portrait',
				callback_id: 'order-1',
				incognito_mode: true,
				files: [{ type: 'url', url: 'https://files.example/a.png' }],
				visibility: 'private',
			},
		}),
		returns: (items) => {
			expect(first(items)).toMatchObject({
				session_id: expect.any(String),
				job: { kind: 'session', id: first(items).session_id },
			});
		},
	},
	'agent continue': {
		kind: 'agent',
		before: aSession,
		parameters: (ids) => ({
			operation: 'continue',
			session_id: byId(String(ids.session_id)),
			message: 'Shorter, please',
			...noWait,
			options: { voice_id: byId('voice_002') },
		}),
		sends: (ids) => ({
			line: `POST /v3/video-agents/${String(ids.session_id)}`,
			body: { message: 'Shorter, please', voice_id: 'voice_002' },
		}),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ session_id: ids.session_id, job: { kind: 'video' } });
			expect(first(items).video_id).not.toBe(ids.video_id);
		},
	},
	'agent editScenes': {
		kind: 'agent',
		before: twoScenes,
		parameters: (ids) => ({
			operation: 'editScenes',
			session_id: byId(String(ids.session_id)),
			scene_snapshot_video_id: byId(String(ids.video_id)),
			editsFrom: 'form',
			edit_plan: { edit: [{ scene_id: byId(String(ids.scene_id)), text: 'On a beach' }] },
			...noWait,
			options: { message: 'Thanks' },
		}),
		sends: (ids) => ({
			line: `POST /v3/video-agents/${String(ids.session_id)}`,
			body: {
				edit_plan: [
					{
						scene_id: ids.scene_id,
						text: 'On a beach',
						scene_snapshot_video_id: ids.video_id,
						edit_version: ids.edit_version,
					},
				],
				message: 'Thanks',
			},
		}),
		returns: (items) => {
			expect(first(items)).toMatchObject({ video_id: expect.any(String), job: { kind: 'video' } });
		},
	},
	'agent generate': {
		kind: 'agent',
		parameters: () => ({
			operation: 'generate',
			prompt: 'A welcome',
			...noWait,
			options: { duration_sec: 20, orientation: 'landscape' },
		}),
		sends: () => ({
			line: 'POST /v1/video_agent/generate',
			body: { prompt: 'A welcome', duration_sec: 20, orientation: 'landscape' },
		}),
		returns: (items) => {
			expect(first(items)).toMatchObject({ video_id: expect.any(String), job: { kind: 'video' } });
		},
	},
	'agent get': {
		kind: 'agent',
		before: aSession,
		parameters: (ids) => ({ operation: 'get', session_id: byId(String(ids.session_id)) }),
		sends: (ids) => ({ line: `GET /v3/video-agents/${String(ids.session_id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ session_id: ids.session_id, status: 'completed' });
		},
	},
	'agent getAll': {
		kind: 'agent',
		before: aSession,
		parameters: () => ({ operation: 'getAll', ...list }),
		sends: () => ({ line: 'GET /v3/video-agents', query: { limit: '3' } }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ session_id: ids.session_id });
		},
	},
	'agent getResource': {
		kind: 'agent',
		before: aSession,
		parameters: (ids) => ({
			operation: 'getResource',
			session_id: byId(String(ids.session_id)),
			resource_id: resourceOf(ids),
		}),
		sends: (ids) => ({
			line: `GET /v3/video-agents/${String(ids.session_id)}/resources/${resourceOf(ids)}`,
			query: {},
		}),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ resource_id: resourceOf(ids) });
		},
	},
	'agent getStyles': {
		kind: 'agent',
		parameters: () => ({ operation: 'getStyles', ...list, options: { tag: 'cinematic' } }),
		sends: () => ({
			line: 'GET /v3/video-agents/styles',
			query: { limit: '3', tag: 'cinematic' },
		}),
		returns: (items) => {
			expect(items.length).toBeGreaterThan(0);
			for (const { json } of items) expect(json.tags).toContain('cinematic');
		},
	},
	'agent getVideos': {
		kind: 'agent',
		before: aSession,
		parameters: (ids) => ({
			operation: 'getVideos',
			session_id: byId(String(ids.session_id)),
			...list,
		}),
		sends: (ids) => ({
			line: `GET /v3/video-agents/${String(ids.session_id)}/videos`,
			query: { limit: '3' },
		}),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ id: ids.video_id });
		},
	},
	'agent stop': {
		kind: 'agent',
		before: async () =>
			await made('agent', {
				operation: 'create',
				prompt: 'A welcome',
				mode: 'generate',
				waitForCompletion: false,
			}),
		parameters: (ids) => ({ operation: 'stop', session_id: byId(String(ids.session_id)) }),
		sends: (ids) => ({ line: `POST /v3/video-agents/${String(ids.session_id)}/stop`, body: null }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ session_id: ids.session_id });
		},
	},
	'video createAvatar': {
		kind: 'video',
		parameters: () => ({
			operation: 'createAvatar',
			avatar_id: byId('look_001_1'),
			speechFrom: 'audio',
			audio: { __rl: true, mode: 'url', value: 'https://files.example/a.mp3' },
			...noWait,
			options: {
				title: 'Hello',
				folder_id: byId('folder_001'),
				brand_glossary_id: byId('glossary_001'),
				aspect_ratio: '9:16',
				resolution: '1080p',
				fit: 'cover',
				background: { background: { type: 'color', value: '#00ff88' } },
				caption: 'burned',
				engine: 'avatar_v',
				reference_look_id: byId('look_001_1'),
				voice_settings: { speed: 1.2, locale: 'en-GB' },
				watermark: {
					watermark: {
						image: { __rl: true, mode: 'url', value: 'https://files.example/w.png' },
						position: 'top_left',
						scale: 0.5,
					},
				},
				callback_url: 'https://flows.example/done',
			},
		}),
		sends: () => ({
			line: 'POST /v3/videos',
			body: {
				type: 'avatar',
				avatar_id: 'look_001_1',
				audio_url: 'https://files.example/a.mp3',
				title: 'Hello',
				folder_id: 'folder_001',
				brand_glossary_id: 'glossary_001',
				aspect_ratio: '9:16',
				resolution: '1080p',
				fit: 'cover',
				background: { type: 'color', value: '#00ff88' },
				caption: { file_format: 'srt', style: 'default' },
				engine: { type: 'avatar_v', reference_look_id: 'look_001_1' },
				voice_settings: { speed: 1.2, locale: 'en-GB' },
				watermark: {
					image: { type: 'url', url: 'https://files.example/w.png' },
					opacity: 1,
					scale: 0.5,
					placement: { position: 'top_left', offset_x: 0, offset_y: 0 },
				},
				callback_url: 'https://flows.example/done',
			},
		}),
		keyed: true,
		returns: (items) => {
			expect(first(items)).toMatchObject({
				video_id: expect.any(String),
				job: { kind: 'video', id: first(items).video_id },
			});
		},
	},
	'video createImage': {
		kind: 'video',
		parameters: () => ({
			operation: 'createImage',
			image: { __rl: true, mode: 'url', value: 'https://files.example/me.png' },
			speechFrom: 'text',
			script: 'Hello there, this is a long enough text.',
			voice_id: byId('voice_001'),
			...noWait,
			options: { motion_prompt: 'waves', expressiveness: 'high' },
		}),
		sends: () => ({
			line: 'POST /v3/videos',
			body: {
				type: 'image',
				image: { type: 'url', url: 'https://files.example/me.png' },
				script: 'Hello there, this is a long enough text.',
				voice_id: 'voice_001',
				motion_prompt: 'waves',
				expressiveness: 'high',
			},
		}),
		keyed: true,
		returns: (items) => {
			expect(first(items)).toMatchObject({ job: { kind: 'video' } });
		},
	},
	'video createCinematic': {
		kind: 'video',
		parameters: () => ({
			operation: 'createCinematic',
			prompt: 'A walk',
			avatar_id: { look: [{ avatar_id: byId('look_001_1') }, { avatar_id: byId('look_002_1') }] },
			...noWait,
			options: {
				duration: '15',
				resolution: '1080p',
				enhance_prompt: true,
				references: {
					reference: [{ file: { __rl: true, mode: 'url', value: 'https://files.example/a.png' } }],
				},
			},
		}),
		sends: () => ({
			line: 'POST /v3/videos',
			body: {
				type: 'cinematic_avatar',
				prompt: 'A walk',
				avatar_id: ['look_001_1', 'look_002_1'],
				duration: 15,
				resolution: '1080p',
				enhance_prompt: true,
				references: [{ type: 'url', url: 'https://files.example/a.png' }],
			},
		}),
		keyed: true,
		returns: (items) => {
			expect(first(items)).toMatchObject({ job: { kind: 'video' } });
		},
	},
	'video createStudio': {
		kind: 'video',
		parameters: () => ({
			operation: 'createStudio',
			scenesFrom: 'form',
			scenes: {
				scene: [
					{
						type: 'avatar_video',
						avatar_id: byId('look_001_1'),
						speech: 'text',
						script: 'Hello there, this is a long enough text.',
						voice_id: byId('voice_001'),
					},
					{
						type: 'image',
						source: { __rl: true, mode: 'url', value: 'https://files.example/a.png' },
						speech: 'none',
						duration: 4,
					},
					{
						type: 'video',
						source: { __rl: true, mode: 'url', value: 'https://files.example/a.mp4' },
						speech: 'text',
						script: 'And here is the product, in all its beauty.',
						voice_id: byId('voice_001'),
						playback_mode: 'loop',
						volume: 0.3,
						mute: false,
					},
				],
			},
			...noWait,
			options: { title: 'Three scenes', resolution: '720p' },
		}),
		sends: () => ({
			line: 'POST /v3/videos',
			body: {
				type: 'studio',
				title: 'Three scenes',
				resolution: '720p',
				scenes: [
					{
						type: 'avatar_video',
						input: {
							type: 'avatar',
							avatar_id: 'look_001_1',
							script: 'Hello there, this is a long enough text.',
							voice_id: 'voice_001',
						},
					},
					{
						type: 'image',
						source: { type: 'url', url: 'https://files.example/a.png' },
						duration: 4,
					},
					{
						type: 'video',
						source: { type: 'url', url: 'https://files.example/a.mp4' },
						playback: { mode: 'loop', volume: 0.3, mute: false },
						voiceover: {
							script: 'And here is the product, in all its beauty.',
							voice_id: 'voice_001',
						},
					},
				],
			},
		}),
		keyed: true,
		returns: (items) => {
			expect(first(items)).toMatchObject({ job: { kind: 'video' } });
		},
	},
	'video createBatch': {
		kind: 'video',
		parameters: () => ({
			operation: 'createBatch',
			itemIs: 'avatar',
			avatar_id: byId('look_001_1'),
			speechFrom: 'text',
			script: 'Hello there, this is a long enough text.',
			voice_id: byId('voice_001'),
			...noWait,
			options: { batch_title: 'All', title: 'One', folder_id: byId('folder_001') },
		}),
		sends: () => ({
			line: 'POST /v3/videos/batches',
			body: {
				title: 'All',
				folder_id: 'folder_001',
				videos: [
					{
						type: 'avatar',
						avatar_id: 'look_001_1',
						script: 'Hello there, this is a long enough text.',
						voice_id: 'voice_001',
						title: 'One',
					},
				],
			},
		}),
		keyed: true,
		returns: (items) => {
			expect(first(items)).toMatchObject({
				batch_id: expect.any(String),
				job: { kind: 'batch', id: first(items).batch_id },
			});
		},
	},
	'video getBatch': {
		kind: 'video',
		before: async () =>
			await made('video', {
				operation: 'createBatch',
				itemIs: 'json',
				payload: '{"type": "cinematic_avatar", "avatar_id": ["look_001_1"], "prompt": "A walk"}',
				...noWait,
			}),
		parameters: (ids) => ({ operation: 'getBatch', batch_id: String(ids.batch_id) }),
		sends: (ids) => ({
			line: `GET /v3/videos/batches/${String(ids.batch_id)}`,
			query: { limit: '100' },
		}),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({
				batch_id: ids.batch_id,
				status: 'completed',
				total_items: 1,
				items: [{ item_index: 0, status: 'completed', video_id: expect.any(String) }],
			});
		},
	},
	'video get': {
		kind: 'video',
		before: aVideo,
		parameters: (ids) => ({ operation: 'get', video_id: byId(String(ids.video_id)) }),
		sends: (ids) => ({ line: `GET /v3/videos/${String(ids.video_id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({
				id: ids.video_id,
				status: 'completed',
				video_url: expect.stringContaining('http'),
			});
		},
	},
	'video getAll': {
		kind: 'video',
		before: aVideo,
		parameters: () => ({ operation: 'getAll', ...list, options: { title: 'video' } }),
		sends: () => ({ line: 'GET /v3/videos', query: { limit: '3', title: 'video' } }),
		returns: (items) => {
			for (const { json } of items) expect(String(json.title).toLowerCase()).toContain('video');
		},
	},
	'video getScenes': {
		kind: 'video',
		before: aSession,
		parameters: (ids) => ({ operation: 'getScenes', video_id: byId(String(ids.video_id)) }),
		sends: (ids) => ({ line: `GET /v3/videos/${String(ids.video_id)}/scenes`, query: {} }),
		returns: (items) => {
			expect(first(items)).toMatchObject({
				edit_version: expect.any(String),
				scenes: expect.arrayContaining([expect.objectContaining({ id: expect.any(String) })]),
			});
		},
	},
	'video delete': {
		kind: 'video',
		before: aVideo,
		parameters: (ids) => ({ operation: 'delete', video_id: byId(String(ids.video_id)) }),
		sends: (ids) => ({ line: `DELETE /v3/videos/${String(ids.video_id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ id: ids.video_id, deleted: true });
		},
	},
	'video download': {
		kind: 'video',
		before: aVideo,
		parameters: (ids) => ({
			operation: 'download',
			video_id: byId(String(ids.video_id)),
			file: 'subtitle',
			binaryPropertyName: 'subtitle',
			options: { fileName: 'words.srt' },
		}),
		sends: (ids) => ({ line: `GET /v3/videos/${String(ids.video_id)}`, query: {} }),
		returns: async (items, ids) => {
			expect(first(items)).toMatchObject({ id: ids.video_id });
			expect(items[0]?.binary?.subtitle).toMatchObject({ fileName: 'words.srt' });
			const content = await contentOf(items[0], 'subtitle');
			expect(content.toString()).toMatch(/^1\r?\n00:00:0/);
		},
	},
};

function resourceOf(ids: IDataObject): string {
	const messages = ids.messages as Array<{ resource_ids?: string[] }>;
	return messages.flatMap((message) => message.resource_ids ?? [])[0] ?? 'none';
}

/** The requests since the last look, without those of files. */
const sent = (from: number) =>
	service.control
		.requests()
		.slice(from)
		.filter(({ path }) => path.startsWith('/v'));

test('every operation has a case here', () => {
	const all = [
		...agentOperations.map(({ value }) => `agent ${value}`),
		...videoOperations.map(({ value }) => `video ${value}`),
	];
	expect(Object.keys(cases).sort()).toEqual(all.sort());
});

describe.each(Object.entries(cases))('%s', (_, one) => {
	test('sends the exact request, and returns items that know their item', async () => {
		const ids = (await one.before?.()) ?? {};
		const from = service.control.requests().length;
		const result = await runNode(service, one.kind, one.parameters(ids));
		expect(result.error).toBeUndefined();

		const expected = one.sends(ids);
		const [method, path] = expected.line.split(' ');
		const request = sent(from).find((r) => r.method === method && r.path === path);
		expect(request).toBeDefined();
		if ('body' in expected) expect(request?.body ?? null).toEqual(expected.body);
		if (expected.query) expect(request?.query).toEqual(expected.query);
		expect(request?.headers['x-api-key']).toBe(service.apiKey);
		if (one.keyed) expect(request?.headers['idempotency-key']).toMatch(/^n8n-[0-9a-f]{48}$/);
		else expect(request?.headers['idempotency-key']).toBeUndefined();

		await one.returns(result.items, ids);
		for (const item of result.items) expect(item.pairedItem).toEqual({ item: 0 });
	});

	test('continues on fail with the facts of the refusal, and stops without', async () => {
		const ids = (await one.before?.()) ?? {};
		service.control.fail({
			path: /^\/v/,
			status: 403,
			code: 'resource_access_denied',
			message: 'Not yours',
		});
		const continued = await runNode(service, one.kind, one.parameters(ids), {
			node: { onError: 'continueRegularOutput' },
		});
		expect(continued.error).toBeUndefined();
		expect(continued.items).toHaveLength(1);
		expect(continued.items[0]).toMatchObject({
			pairedItem: { item: 0 },
			json: {
				error: expect.stringContaining('belongs to another user or organization: Not yours'),
				details: {
					status: 403,
					code: 'resource_access_denied',
					// The envelope of v1 has no request id.
					...(one.sends(ids).line.includes('/v1/')
						? {}
						: { request_id: expect.stringMatching(/^[0-9a-f]{32}$/) }),
				},
			},
		});

		const stopped = await runNode(service, one.kind, one.parameters(ids));
		expect(stopped.error?.message).toContain('Not yours');
		expect(stopped.error?.httpCode).toBe('403');
	});
});
