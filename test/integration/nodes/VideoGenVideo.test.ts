import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenVideo/operations';
import type { Simulator } from '../../../simulator';
import { avatar } from '../support/calls';
import {
	describeOperations,
	few,
	first,
	runForJson,
	noWait,
	url,
	type Case,
} from '../support/cases';
import { byId, readContent, runForItems, runNode } from '../support/engine';
import { useService } from '../support/service';

const aVideo = async (service: Simulator) =>
	await runForJson(service, 'VideoGenVideo', {
		operation: 'createAvatar',
		avatar_id: byId('look_001_1'),
		speechFrom: 'text',
		script: 'Hello there, this is a long enough text.',
		voice_id: byId('voice_001'),
		...noWait,
		options: { caption: 'burned' },
	});

const aSession = async (service: Simulator) => {
	const { session_id: id } = await runForJson(service, 'VideoGenAgent', {
		operation: 'create',
		prompt: 'A welcome',
		mode: 'generate',
		...noWait,
	});
	return await runForJson(service, 'VideoGenAgent', {
		operation: 'get',
		session_id: byId(String(id)),
	});
};

const cases: Record<string, Case> = {
	createAvatar: {
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
	createImage: {
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
	createCinematic: {
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
	createStudio: {
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
						playback: { mode: 'loop', volume: 0.3 },
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
	createBatch: {
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
				job: { kind: 'video_batch', id: first(items).batch_id },
			});
		},
	},
	getBatch: {
		before: async (service) =>
			await runForJson(service, 'VideoGenVideo', {
				operation: 'createBatch',
				itemIs: 'json',
				video_json: '{"type": "cinematic_avatar", "avatar_id": ["look_001_1"], "prompt": "A walk"}',
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
	get: {
		before: aVideo,
		parameters: (ids) => ({ operation: 'get', video_id: byId(String(ids.video_id)) }),
		sends: (ids) => ({ line: `GET /v3/videos/${String(ids.video_id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({
				video_id: ids.video_id,
				status: 'completed',
				video_url: expect.stringContaining('http'),
			});
		},
	},
	getMany: {
		before: aVideo,
		parameters: () => ({ operation: 'getMany', ...few, options: { title: 'video' } }),
		sends: () => ({ line: 'GET /v3/videos', query: { limit: '3', title: 'video' } }),
		returns: (items) => {
			for (const { json } of items) expect(String(json.title).toLowerCase()).toContain('video');
		},
	},
	getScenes: {
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
	getStatuses: {
		before: aVideo,
		parameters: (ids) => ({ video_ids: `${String(ids.video_id)}, unknown`, batch_ids: '' }),
		sends: (ids) => ({
			line: 'GET /v3/videos/statuses',
			query: { video_ids: `${String(ids.video_id)},unknown` },
		}),
		returns: (items, ids) => {
			expect(items.map(({ json }) => json)).toMatchObject([
				{ video_id: ids.video_id, status: 'completed' },
				{ video_id: 'unknown', status: 'not_found' },
			]);
		},
	},
	delete: {
		before: aVideo,
		parameters: (ids) => ({ operation: 'delete', video_id: byId(String(ids.video_id)) }),
		sends: (ids) => ({ line: `DELETE /v3/videos/${String(ids.video_id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ video_id: ids.video_id, deleted: true });
		},
	},
	download: {
		before: aVideo,
		parameters: (ids) => ({
			operation: 'download',
			video_id: byId(String(ids.video_id)),
			files: ['subtitle'],
			binaryPropertyName: 'subtitle',
			options: { fileName: 'words.srt' },
		}),
		sends: (ids) => ({ line: `GET /v3/videos/${String(ids.video_id)}`, query: {} }),
		returns: async (items, ids) => {
			expect(first(items)).toMatchObject({ video_id: ids.video_id });
			expect(items[0]?.binary?.subtitle).toMatchObject({ fileName: 'words.srt' });
			const content = await readContent(items[0], 'subtitle');
			expect(content.toString()).toMatch(/^1\r?\n00:00:0/);
		},
	},
};

describeOperations('VideoGenVideo', resources, cases, [
	// With a reference look, which the simulator accepts with one engine only.
	'createAvatar, Engine, a choice of the user’s own',
]);

describe('a pause for a voice without pause support', () => {
	const service = useService();

	const spoken = (script: string) => ({
		...{ avatar_id: byId('look_001_1'), speechFrom: 'text', script, voice_id: byId('voice_001') },
		...noWait,
	});
	const script = '=Hello {{ $json.pause }} there, this is a long enough text.';
	const rows = ['', '<break time="1s"/>', ''].map((pause) => ({ json: { pause } }));
	const posts = () => service.control.requests({ method: 'POST' });

	test.each(['createAvatar', 'createBatch'])(
		'is refused before any item is sent (%s)',
		async (operation) => {
			const parameters = { operation, itemIs: 'avatar', ...spoken(script) };
			const { error } = await runNode(service, 'VideoGenVideo', parameters, { items: rows });
			expect(error?.message).toMatch(
				/"Script" has a pause .*voice_001 does not support pauses \[item 1\]/,
			);
			expect(posts()).toEqual([]);
			// With Continue On Fail, the other rows are created.
			const { items } = await runNode(service, 'VideoGenVideo', parameters, {
				items: rows,
				node: { onError: 'continueRegularOutput' },
			});
			expect(items.map(({ json }) => json.error ?? 'made')).toEqual([
				'made',
				expect.stringContaining('does not support pauses'),
				'made',
			]);
			expect(service.control.jobs('video')).toHaveLength(2);
		},
	);

	test('is found in the JSON payload of a row', async () => {
		const { error } = await runNode(
			service,
			'VideoGenVideo',
			{ operation: 'createBatch', itemIs: 'json', video_json: '={{ $json }}', ...noWait },
			{
				items: [
					{
						json: {
							...{ type: 'avatar', avatar_id: 'look_001_1', voice_id: 'voice_001' },
							script: 'Hello <break time="1s"/> there',
						},
					},
				],
			},
		);
		expect(error?.message).toContain('voice_001 does not support pauses');
	});

	test.each(['form', 'json'])(
		'is reported with the scene of a studio video (%s)',
		async (scenesFrom) => {
			const input = {
				...{ type: 'avatar', avatar_id: 'look_001_1', voice_id: 'voice_001' },
				script: 'Hello <break time="1s"/> there',
			};
			const scene = { type: 'avatar_video', speech: 'text', ...spoken(input.script) };
			const { error } = await runNode(service, 'VideoGenVideo', {
				...{ operation: 'createStudio', scenesFrom, ...noWait },
				scenes: { scene: [{ ...scene, script: 'No pause' }, scene] },
				scenes_json: [
					{ type: 'avatar_video', input: { ...input, script: 'No pause' } },
					{ type: 'avatar_video', input },
				],
			} as INodeParameters);
			expect(error?.message).toContain('"Script of scene 2" has a pause');
			expect(posts()).toEqual([]);
		},
	);
});

describe('VideoGenVideo, specific behavior', () => {
	const service = useService();

	test('adds the engine to avatar videos among JSON payloads that set none', async () => {
		const speech = { script: 'Hello there, this is a long enough text.', voice_id: 'voice_001' };
		const payloads: IDataObject[] = [
			{ type: 'avatar', avatar_id: 'look_001_1', ...speech },
			{ type: 'avatar', avatar_id: 'look_001_1', ...speech, engine: { type: 'avatar_iv' } },
			{ type: 'cinematic_avatar', avatar_id: ['look_001_1'], prompt: 'A walk' },
		];
		await runNode(
			service,
			'VideoGenVideo',
			{
				operation: 'createBatch',
				itemIs: 'json',
				video_json: '={{ $json }}',
				...noWait,
				options: { engine: 'avatar_v' },
			},
			{ items: payloads.map((json) => ({ json })) },
		);
		const [sent] = service.control.requests({ path: '/v3/videos/batches' });
		const { videos } = sent?.body as { videos: IDataObject[] };
		expect(videos.map(({ engine }) => engine)).toEqual([
			{ type: 'avatar_v' },
			{ type: 'avatar_iv' },
			undefined,
		]);
	});

	const payload = { type: 'avatar', avatar_id: 'look_001_1', script: 'Hello there' };
	test.each<[string, IDataObject, INodeParameters, RegExp]>([
		[
			'engine and expressiveness of the payload',
			{ ...payload, engine: { type: 'avatar_v' }, expressiveness: 'high' },
			{},
			/^"Expressiveness" cannot be used with the engine Avatar V/,
		],
		[
			'an engine of the options and expressiveness of the payload',
			{ ...payload, expressiveness: 'high' },
			{ engine: 'avatar_v' },
			/^"Expressiveness" cannot be used with the engine Avatar V/,
		],
		[
			'a reference look of the payload without its engine',
			{ ...payload, engine: { type: 'avatar_iii', reference_look_id: 'look_001_2' } },
			{},
			/^"Reference Look" needs the engine Avatar V/,
		],
		[
			'a background behind what is transparent',
			{ ...payload, output_format: 'webm' },
			{ background: { background: { type: 'color', value: '#ffffff' } } },
			/^"Background" cannot be used with "Output Format" WebM/,
		],
	])('refuses %s before any request', async (_, json, options, message) => {
		const { error } = await runNode(
			service,
			'VideoGenVideo',
			{ operation: 'createBatch', itemIs: 'json', video_json: '={{ $json }}', ...noWait, options },
			{ items: [{ json }] },
		);
		expect(error?.message).toMatch(message);
		expect(service.control.requests()).toHaveLength(0);
	});

	test.each<[string, IDataObject, INodeParameters]>([
		[
			'an engine of its own',
			{ ...payload, engine: { type: 'avatar_iv' }, expressiveness: 'low' },
			{ engine: 'avatar_v' },
		],
		[
			'no engine at all',
			{
				type: 'image',
				image: { type: 'url', url: 'https://files.example/a.png' },
				script: 'Hello there, you',
				voice_id: 'voice_001',
				expressiveness: 'low',
			},
			{ engine: 'avatar_v' },
		],
		['nulls', { ...payload, engine: null, expressiveness: null }, {}],
	])('a payload with %s is taken as it is', async (_, json, options) => {
		const { error } = await runNode(
			service,
			'VideoGenVideo',
			{ operation: 'createBatch', itemIs: 'json', video_json: '={{ $json }}', ...noWait, options },
			{ items: [{ json }] },
		);
		expect(error?.context?.details ?? {}).not.toMatchObject({ code: 'invalid_value' });
		expect(service.control.requests({ path: '/v3/videos/batches' })).toHaveLength(1);
	});

	test('sends no playback settings for a studio video scene with defaults', async () => {
		const videoScene = {
			type: 'video',
			source: url('https://files.example/a.mp4'),
			speech: 'none',
		};
		const scenes = [
			videoScene,
			{ ...videoScene, playback_mode: 'freeze', volume: 1, mute: false },
			{ ...videoScene, mute: true },
			{ ...videoScene, volume: 0 },
		];
		const parameters = { operation: 'createStudio', scenesFrom: 'form', ...noWait };
		await runForItems(service, 'VideoGenVideo', { ...parameters, scenes: { scene: scenes } });
		const [sent] = service.control.requests({ path: '/v3/videos' });
		const { scenes: bodies } = sent?.body as { scenes: IDataObject[] };
		expect(bodies.map((scene) => Object.keys(scene))).toEqual([
			['type', 'source'],
			['type', 'source'],
			['type', 'source', 'playback'],
			['type', 'source', 'playback'],
		]);
		expect(bodies.map(({ playback }) => playback)).toEqual([
			undefined,
			undefined,
			{ mute: true },
			{ volume: 0 },
		]);
	});

	test('the form sets engine, motion, background and voice of a scene, and an image can speak', async () => {
		const url = (value: string) => ({ __rl: true as const, mode: 'url', value });
		const script = 'Hello there, this is a long enough text.';
		const speech = { speech: 'text', script, voice_id: byId('voice_001') };
		const scenes = [
			{
				...{ type: 'avatar_video', avatar_id: byId('look_001_1'), ...speech },
				voice_settings: { speed: 1.2, locale: 'en-GB' },
				avatar_settings: {
					background_color: '#00ff88',
					engine: 'avatar_iii',
					expressiveness: 'high',
					motion_prompt: 'waves',
				},
			},
			{
				...{ type: 'speaking_image', source: url('https://files.example/me.png'), ...speech },
				avatar_settings: { motion_prompt: 'nods' },
			},
		];
		const parameters = { operation: 'createStudio', scenesFrom: 'form', ...noWait };
		const of = (scene: unknown[]) =>
			({ ...parameters, scenes: { scene }, options: { captions: 'burned' } }) as INodeParameters;
		await runForItems(service, 'VideoGenVideo', of(scenes));
		const [sent] = service.control.requests({ path: '/v3/videos' });
		expect(sent?.body).toMatchObject({
			captions: { file_format: 'srt', style: 'default' },
			scenes: [
				{
					type: 'avatar_video',
					input: {
						type: 'avatar',
						avatar_id: 'look_001_1',
						script,
						voice_id: 'voice_001',
						voice_settings: { speed: 1.2, locale: 'en-GB' },
						engine: { type: 'avatar_iii' },
						background: { type: 'color', color: '#00ff88' },
						expressiveness: 'high',
						motion_prompt: 'waves',
					},
				},
				{
					type: 'avatar_video',
					input: {
						type: 'image',
						image: { type: 'url', url: 'https://files.example/me.png' },
						script,
						voice_id: 'voice_001',
						motion_prompt: 'nods',
					},
				},
			],
		});

		const [, speakingScene] = scenes;
		const { error } = await runNode(
			service,
			'VideoGenVideo',
			of([{ ...speakingScene, avatar_settings: { engine: 'avatar_iii' } }]),
		);
		expect(error?.message).toContain('has "Engine", which only avatars support');
	});

	test.each([
		[
			'image',
			{
				image: { __rl: true, mode: 'url', value: '={{ $json.photo }}' },
				speechFrom: 'text',
				script: '={{ $json.text }}',
				voice_id: byId('voice_001'),
			},
			{
				type: 'image',
				image: { type: 'url', url: 'https://files.example/ada.png' },
				script: 'Hello, this is Ada speaking.',
				voice_id: 'voice_001',
			},
		],
		[
			'cinematic',
			{
				prompt: '={{ $json.text }}',
				cinematic_looks: { look: [{ avatar_id: byId('look_001_1') }] },
				duration: 6,
				options: {
					enhance_prompt: true,
					references: { reference: [{ file: url('={{ $json.photo }}') }] },
				},
			},
			{
				type: 'cinematic_avatar',
				avatar_id: ['look_001_1'],
				prompt: 'Hello, this is Ada speaking.',
				duration: 6,
				enhance_prompt: true,
				references: [{ type: 'url', url: 'https://files.example/ada.png' }],
			},
		],
		[
			'cinematic',
			{
				...{ prompt: 'A walk', cinematic_looks: { look: [{ avatar_id: byId('look_001_1') }] } },
				...{ duration: 6, options: { auto_duration: true } },
			},
			{
				type: 'cinematic_avatar',
				avatar_id: ['look_001_1'],
				prompt: 'A walk',
				auto_duration: true,
			},
		],
	])('a row of a batch by form: %s', async (itemIs, form, video) => {
		const json = {
			photo: 'https://files.example/ada.png',
			text: 'Hello, this is Ada speaking.',
		};
		const parameters = { operation: 'createBatch', itemIs, ...form, ...noWait } as INodeParameters;
		await runForItems(service, 'VideoGenVideo', parameters, { items: [{ json }] });
		const [sent] = service.control.requests({ path: '/v3/videos/batches' });
		expect(sent?.body).toEqual({ videos: [video] });
	});

	test.each([
		['image', { auto_duration: true }, '"Automatic Duration" is for cinematic videos only'],
		['avatar', { enhance_prompt: true }, '"Enhance Prompt" is for cinematic videos only'],
		['cinematic', { engine: 'avatar_v' }, '"Engine" cannot be used with cinematic videos'],
		['image', { engine: 'avatar_v' }, '"Engine" cannot be used with image videos'],
		['cinematic', { caption: 'file' }, '"Captions" cannot be used with cinematic videos'],
		['cinematic', { aspect_ratio: 'auto' }, '"Aspect Ratio" of a cinematic video must be one of'],
		['cinematic', { resolution: '4k' }, '"Resolution" of a cinematic video must be 1080p or 720p'],
	])('a row that is %s does not take %j', async (itemIs, options, message) => {
		const parameters = {
			...{ operation: 'createBatch', itemIs, ...noWait, options },
			avatar_id: byId('look_001_1'),
			...{ prompt: 'A walk', cinematic_looks: { look: [{ avatar_id: byId('look_001_1') }] } },
			...{ image: { __rl: true, mode: 'url', value: 'https://files.example/a.png' } },
			...{ speechFrom: 'text', script: 'Hello there.', voice_id: byId('voice_001') },
		} as INodeParameters;
		const { error } = await runNode(service, 'VideoGenVideo', parameters);
		expect(error?.message).toContain(message);
		expect(service.control.requests()).toEqual([]);
	});

	test('sends an unknown engine unchanged, with its reference look', async () => {
		const parameters = avatar({
			options: { engine: '={{ "avatar_vi" }}', reference_look_id: byId('look_001_2') },
		});
		await runNode(service, 'VideoGenVideo', parameters);
		const [sent] = service.control.requests({ path: '/v3/videos' });
		expect(sent?.body).toMatchObject({
			engine: { type: 'avatar_vi', reference_look_id: 'look_001_2' },
		});
	});
});
