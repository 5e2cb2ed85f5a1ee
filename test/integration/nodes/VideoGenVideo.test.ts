import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenVideo/operations';
import type { Simulator } from '../../../simulator';
import { avatar } from '../support/calls';
import { describeOperations, runForJson, url, type Cases } from '../support/cases';
import { byId, readContent, runForItems, runNode } from '../support/engine';
import { media } from '../support/media';
import { useService } from '../support/service';

const speech = { script: 'Hello there, this is a long enough text.', voice_id: 'voice_001' };

/** The same in the form. */
const spoken = { speechFrom: 'text', script: speech.script, voice_id: byId('voice_001') };

const spokenScene = { speech: 'text', script: speech.script, voice_id: byId('voice_001') };
import { noWait } from '../support/expectedRequest';

const aVideo = async (service: Simulator) =>
	await runForJson(service, 'VideoGenVideo', {
		operation: 'createAvatar',
		avatar_id: byId('look_001_1'),
		...spoken,
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
	return await runForJson(service, 'VideoGenAgent', { operation: 'get', session_id: byId(id) });
};

const cases: Cases = {
	createAvatar: {
		line: 'POST /v3/videos',
		parameters: {
			avatar_id: byId('look_001_1'),
			speechFrom: 'audio',
			audio: url('https://files.example/a.mp3'),
			options: {
				title: 'Hello',
				aspect_ratio: '9:16',
				resolution: '1080p',
				fit: 'cover',
				voice_settings: { speed: 1.2, locale: 'en-GB' },
				callback_url: 'https://flows.example/done',
				folder_id: byId('folder_001'),
				brand_glossary_id: byId('glossary_001'),
				background: { background: { type: 'color', value: '#00ff88' } },
				caption: 'burned',
				engine: 'avatar_v',
				reference_look_id: byId('look_001_1'),
				watermark: {
					watermark: {
						image: url('https://files.example/w.png'),
						position: 'top_left',
						scale: 0.5,
					},
				},
			},
		},
		differences: {
			type: 'avatar',
			audio_url: 'https://files.example/a.mp3',
			caption: { file_format: 'srt', style: 'default' },
			engine: { type: 'avatar_v', reference_look_id: 'look_001_1' },
			watermark: {
				image: { type: 'url', url: 'https://files.example/w.png' },
				opacity: 1,
				scale: 0.5,
				placement: { position: 'top_left', offset_x: 0, offset_y: 0 },
			},
			audio: undefined,
			reference_look_id: undefined,
		},
		keyed: true,
	},
	createImage: {
		line: 'POST /v3/videos',
		parameters: {
			image: url('https://files.example/me.png'),
			...spoken,
			options: { motion_prompt: 'waves', expressiveness: 'high' },
		},
		differences: { type: 'image' },
		keyed: true,
	},
	createCinematic: {
		line: 'POST /v3/videos',
		parameters: {
			prompt: 'A walk',
			avatar_id: { look: [{ avatar_id: byId('look_001_1') }, { avatar_id: byId('look_002_1') }] },
			options: {
				duration: '15',
				resolution: '1080p',
				enhance_prompt: true,
				references: {
					reference: [{ file: url('https://files.example/a.png') }],
				},
			},
		},
		differences: { type: 'cinematic_avatar', duration: 15 },
		keyed: true,
	},
	createStudio: {
		line: 'POST /v3/videos',
		parameters: {
			scenesFrom: 'form',
			scenes: {
				scene: [
					{ type: 'avatar_video', avatar_id: byId('look_001_1'), ...spokenScene },
					{
						type: 'image',
						source: url('https://files.example/a.png'),
						speech: 'none',
						duration: 4,
					},
					{
						...{ type: 'video', source: url('https://files.example/a.mp4'), ...spokenScene },
						script: 'And here is the product, in all its beauty.',
						...{ playback_mode: 'loop', volume: 0.3, mute: false },
					},
				],
			},
			options: { title: 'Three scenes', resolution: '720p' },
		},
		differences: {
			type: 'studio',
			scenes: [
				{
					type: 'avatar_video',
					input: { type: 'avatar', avatar_id: 'look_001_1', ...speech },
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
					voiceover: { ...speech, script: 'And here is the product, in all its beauty.' },
				},
			],
		},
		keyed: true,
	},
	createBatch: {
		line: 'POST /v3/videos/batches',
		parameters: {
			itemIs: 'avatar',
			avatar_id: byId('look_001_1'),
			...spoken,
			options: { batch_title: 'All', title: 'One', folder_id: byId('folder_001') },
		},
		differences: {
			title: 'All',
			videos: [
				{
					type: 'avatar',
					avatar_id: 'look_001_1',
					...speech,
					title: 'One',
				},
			],
			avatar_id: undefined,
			script: undefined,
			voice_id: undefined,
			batch_title: undefined,
		},
		keyed: true,
	},
	getBatch: {
		line: 'GET /v3/videos/batches/{batch_id}',
		before: async (service) =>
			await runForJson(service, 'VideoGenVideo', {
				operation: 'createBatch',
				itemIs: 'json',
				video_json: '{"type": "cinematic_avatar", "avatar_id": ["look_001_1"], "prompt": "A walk"}',
				...noWait,
			}),
		differences: { limit: '100' },
	},
	get: { line: 'GET /v3/videos/{video_id}', before: aVideo },
	getMany: { line: 'GET /v3/videos', before: aVideo, parameters: { options: { title: 'sale' } } },
	getScenes: { line: 'GET /v3/videos/{video_id}/scenes', before: aSession },
	getStatuses: {
		line: 'GET /v3/videos/statuses',
		before: aVideo,
		parameters: (ids) => ({ video_ids: `${ids.video_id}, unknown`, batch_ids: '' }),
		differences: (ids) => ({ video_ids: `${ids.video_id},unknown`, batch_ids: undefined }),
		returns: (items, ids) =>
			expect(items.map(({ json }) => json)).toMatchObject([
				{ video_id: ids.video_id, status: 'completed' },
				{ video_id: 'unknown', status: 'not_found' },
			]),
	},
	delete: { line: 'DELETE /v3/videos/{video_id}', before: aVideo },
	download: {
		line: 'GET /v3/videos/{video_id}',
		before: aVideo,
		parameters: {
			files: ['subtitle'],
			binaryPropertyName: 'subtitle',
			options: { fileName: 'words.srt' },
		},
		differences: { files: undefined },
		returns: async (items) => {
			expect(await readContent(items[0], 'subtitle')).toEqual(media('captions.srt'));
		},
	},
};

describeOperations('VideoGenVideo', resources, cases, [
	// With a reference look, which the simulator accepts with one engine only.
	'createAvatar, Engine, a choice of the user’s own',
]);

/** Sends a batch of these JSON payloads. */
const sendRows = async (service: Simulator, rows: IDataObject[], options: INodeParameters = {}) =>
	await runNode(
		service,
		'VideoGenVideo',
		{ operation: 'createBatch', itemIs: 'json', video_json: '={{ $json }}', ...noWait, options },
		{ items: rows.map((json) => ({ json })) },
	);
/** The videos of the batch that was sent. */
const sentRows = (service: Simulator) => {
	const [sent] = service.control.requests({ path: '/v3/videos/batches' });
	return (sent?.body as { videos: IDataObject[] }).videos;
};

describe('a pause for a voice without pause support', () => {
	const service = useService();

	const speak = (script: string) => ({
		...{ ...spoken, avatar_id: byId('look_001_1'), script, ...noWait },
	});
	const script = '=Hello {{ $json.pause }} there, this is a long enough text.';
	const rows = ['', '<break time="1s"/>', ''].map((pause) => ({ json: { pause } }));
	const posts = () => service.control.requests({ method: 'POST' });

	test.each(['createAvatar', 'createBatch'])(
		'is rejected before any item is sent (%s)',
		async (operation) => {
			const parameters = { operation, itemIs: 'avatar', ...speak(script) };
			const { error } = await runNode(service, 'VideoGenVideo', parameters, { items: rows });
			expect(error?.message).toMatch(
				/"Script" contains a pause .*voice_001 does not support pauses \[row 2\]/,
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
		const json = { type: 'avatar', script: 'Hello <break time="1s"/> there' };
		const { error } = await sendRows(service, [
			{ ...json, avatar_id: 'look_001_1', voice_id: 'voice_001' },
		]);
		expect(error?.message).toContain('voice_001 does not support pauses');
	});

	test.each(['form', 'json'])(
		'is reported with the scene of a studio video (%s)',
		async (scenesFrom) => {
			const input = {
				...{ type: 'avatar', avatar_id: 'look_001_1', voice_id: 'voice_001' },
				script: 'Hello <break time="1s"/> there',
			};
			const scene = { type: 'avatar_video', speech: 'text', ...speak(input.script) };
			const { error } = await runNode(service, 'VideoGenVideo', {
				...{ operation: 'createStudio', scenesFrom, ...noWait },
				scenes: { scene: [{ ...scene, script: 'No pause' }, scene] },
				scenes_json: [
					{ type: 'avatar_video', input: { ...input, script: 'No pause' } },
					{ type: 'avatar_video', input },
				],
			} as INodeParameters);
			expect(error?.message).toContain('"Script of scene 2" contains a pause');
			expect(posts()).toEqual([]);
		},
	);
});

describe('VideoGenVideo, specific behavior', () => {
	const service = useService();

	test('adds the engine to avatar videos among JSON payloads that set none', async () => {
		const payloads: IDataObject[] = [
			{ type: 'avatar', avatar_id: 'look_001_1', ...speech },
			{ type: 'avatar', avatar_id: 'look_001_1', ...speech, engine: { type: 'avatar_iv' } },
			{ type: 'cinematic_avatar', avatar_id: ['look_001_1'], prompt: 'A walk' },
		];
		await sendRows(service, payloads, { engine: 'avatar_v' });
		expect(sentRows(service).map(({ engine }) => engine)).toEqual([
			{ type: 'avatar_v' },
			{ type: 'avatar_iv' },
			undefined,
		]);
	});

	const payload = { type: 'avatar', avatar_id: 'look_001_1', script: 'Hello there' };
	const cinematic = { type: 'cinematic_avatar', avatar_id: ['look_001_1'], prompt: 'A walk' };

	test('adds the options for cinematic videos to a payload of that type', async () => {
		await sendRows(service, [cinematic], { auto_duration: true, resolution: '1080p' });
		expect(sentRows(service)).toEqual([{ ...cinematic, auto_duration: true, resolution: '1080p' }]);
	});

	test.each<[string, IDataObject, INodeParameters, RegExp]>([
		[
			'a resolution that cinematic videos do not support',
			cinematic,
			{ resolution: '4k' },
			/^"Resolution" of a cinematic video must be 1080p or 720p, but is 4K/,
		],
		[
			'an option that cinematic videos do not support',
			cinematic,
			{ caption: 'file' },
			/^"Captions" cannot be used with cinematic videos/,
		],
		[
			'engine and expressiveness of the payload',
			{ ...payload, engine: { type: 'avatar_v' }, expressiveness: 'high' },
			{},
			/^"Expressiveness" cannot be used with the Avatar V engine/,
		],
		[
			'an engine of the options and expressiveness of the payload',
			{ ...payload, expressiveness: 'high' },
			{ engine: 'avatar_v' },
			/^"Expressiveness" cannot be used with the Avatar V engine/,
		],
		[
			'a reference look of the payload without its engine',
			{ ...payload, engine: { type: 'avatar_iii', reference_look_id: 'look_001_2' } },
			{},
			/^"Reference Look" requires the Avatar V engine/,
		],
		[
			'a background without a color',
			payload,
			{ background: { background: { type: 'color', value: '' } } },
			/^"Background" must have a color/,
		],
		[
			'a background behind what is transparent',
			{ ...payload, output_format: 'webm' },
			{ background: { background: { type: 'color', value: '#ffffff' } } },
			/^"Background" cannot be used with "Output Format" WebM/,
		],
	])('rejects %s before any request', async (_, row, options, message) => {
		const { error } = await sendRows(service, [row], options);
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
	])('a payload with %s is taken as it is', async (_, row, options) => {
		const { error } = await sendRows(service, [row], options);
		expect(error?.context?.details ?? {}).not.toMatchObject({ code: 'invalid_value' });
		expect(sentRows(service)).toEqual([row]);
	});

	test('sends no playback settings for a studio video scene with defaults', async () => {
		const videoScene = {
			type: 'video',
			source: url('https://files.example/a.mp4'),
			speech: 'none',
		};
		const scene = [
			videoScene,
			{ ...videoScene, playback_mode: 'freeze', volume: 1, mute: false },
			{ ...videoScene, mute: true },
			{ ...videoScene, volume: 0 },
		];
		const parameters = { operation: 'createStudio', scenesFrom: 'form', ...noWait };
		await runForItems(service, 'VideoGenVideo', { ...parameters, scenes: { scene } });
		const [sent] = service.control.requests({ path: '/v3/videos' });
		const { scenes } = sent?.body as { scenes: IDataObject[] };
		const source = { type: 'url', url: 'https://files.example/a.mp4' };
		expect(scenes).toEqual([
			{ type: 'video', source },
			{ type: 'video', source },
			{ type: 'video', source, playback: { mute: true } },
			{ type: 'video', source, playback: { volume: 0 } },
		]);
	});

	test('the form sets engine, motion, background and voice of a scene, and an image can speak', async () => {
		const scenes = [
			{
				...{ type: 'avatar_video', avatar_id: byId('look_001_1'), ...spokenScene },
				voice_settings: { speed: 1.2, locale: 'en-GB' },
				avatar_settings: {
					...{ background_color: '#00ff88', engine: 'avatar_iii' },
					...{ expressiveness: 'high', motion_prompt: 'waves' },
				},
			},
			{
				...{ type: 'speaking_image', source: url('https://files.example/me.png'), ...spokenScene },
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
			caption: { file_format: 'srt', style: 'default' },
			scenes: [
				{
					type: 'avatar_video',
					input: {
						...{ type: 'avatar', avatar_id: 'look_001_1', ...speech },
						voice_settings: { speed: 1.2, locale: 'en-GB' },
						engine: { type: 'avatar_iii' },
						background: { type: 'color', color: '#00ff88' },
						...{ expressiveness: 'high', motion_prompt: 'waves' },
					},
				},
				{
					type: 'avatar_video',
					input: {
						type: 'image',
						image: { type: 'url', url: 'https://files.example/me.png' },
						...speech,
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

	test('the form sets the reference look of a scene, for the Avatar V engine only', async () => {
		const createWith = async (settings: INodeParameters) => {
			const scene = { type: 'avatar_video', avatar_id: byId('look_001_1'), ...spokenScene };
			const reference_look_id = byId('look_001_2');
			return await runNode(service, 'VideoGenVideo', {
				...{ operation: 'createStudio', scenesFrom: 'form', ...noWait },
				scenes: { scene: [{ ...scene, avatar_settings: { ...settings, reference_look_id } }] },
			} as INodeParameters);
		};
		const { error } = await createWith({});
		expect(error?.message).toContain('has "Reference Look", which requires the Avatar V engine');
		await createWith({ engine: 'avatar_v' });
		const [sent] = service.control.requests({ path: '/v3/videos' });
		expect(sent?.body).toMatchObject({
			scenes: [{ input: { engine: { type: 'avatar_v', reference_look_id: 'look_001_2' } } }],
		});
	});

	test.each([
		[
			'image',
			{ ...spoken, image: url('={{ $json.photo }}'), script: '={{ $json.text }}' },
			{
				...{ type: 'image', image: { type: 'url', url: 'https://files.example/ada.png' } },
				...{ script: 'Hello, this is Ada speaking.', voice_id: 'voice_001' },
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
				...{ type: 'cinematic_avatar', avatar_id: ['look_001_1'] },
				...{ prompt: 'A walk', auto_duration: true },
			},
		],
	])('a row of a batch by form: %s', async (itemIs, form, video) => {
		const json = { photo: 'https://files.example/ada.png', text: 'Hello, this is Ada speaking.' };
		const parameters = { operation: 'createBatch', itemIs, ...form, ...noWait } as INodeParameters;
		await runForItems(service, 'VideoGenVideo', parameters, { items: [{ json }] });
		expect(sentRows(service)).toEqual([video]);
	});

	test.each([
		[
			'={{ "image" }}',
			{ auto_duration: true },
			'"Automatic Duration" is for cinematic videos only',
		],
		['={{ "avatar" }}', { enhance_prompt: true }, '"Enhance Prompt" is for cinematic videos only'],
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
			...{ image: url('https://files.example/a.png') },
			...{ speechFrom: 'text', script: 'Hello there.', voice_id: byId('voice_001') },
			// n8n requires all fields if an expression selects the kind.
			...{ audio: url('https://files.example/a.mp3'), video_json: '{}' },
		} as INodeParameters;
		const { error } = await runNode(service, 'VideoGenVideo', parameters);
		expect(error?.message).toContain(message);
		expect(service.control.requests()).toEqual([]);
	});

	test('hides the options for cinematic videos from rows that are avatar videos', async () => {
		const parameters = avatar({
			...{ operation: 'createBatch', itemIs: 'avatar' },
			lookAndSound: { auto_duration: true, enhance_prompt: true, fit: 'cover' },
		});
		const { error } = await runNode(service, 'VideoGenVideo', parameters);
		expect(error).toBeUndefined();
		const [row] = sentRows(service);
		expect(row).toMatchObject({ type: 'avatar', fit: 'cover' });
		expect(Object.keys(row ?? {})).not.toContain('enhance_prompt');
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
