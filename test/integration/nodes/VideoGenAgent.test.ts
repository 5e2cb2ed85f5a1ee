import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenAgent/operations';
import type { Simulator } from '../../../simulator';
import { byId, runNode, storeBinary } from '../support/engine';
import {
	uploadAsset,
	describeOperations,
	first,
	runForJson,
	url,
	type Cases,
} from '../support/cases';
import { retryOnFail } from '../support/calls';
import { useService } from '../support/service';
import { noWait } from '../support/expectedRequest';

const run = async (service: Simulator, parameters: INodeParameters) =>
	await runForJson(service, 'VideoGenAgent', parameters);

const welcome = { operation: 'create', prompt: 'A welcome', mode: 'generate', ...noWait };

const aSession = async (service: Simulator) => {
	const { session_id: id } = await run(service, welcome);
	return await run(service, { operation: 'get', session_id: byId(id) });
};

const twoScenes = async (service: Simulator): Promise<IDataObject> => {
	const session = await aSession(service);
	const read = await runForJson(service, 'VideoGenVideo', {
		operation: 'getScenes',
		video_id: byId(session.video_id),
	});
	const scenes = read.scenes as IDataObject[];
	return { ...session, edit_version: read.edit_version, scene_id: scenes[0]?.id };
};

const cases: Cases = {
	'session.create': {
		line: 'POST /v3/video-agents',
		parameters: {
			prompt: 'A welcome',
			options: {
				...{ style_id: byId('style_001'), avatar_id: byId('look_001_1') },
				voice_id: byId('voice_001'),
				orientation: 'portrait',
				callback_id: 'order-1',
				incognito_mode: true,
				files: {
					file: [{ file: url('https://files.example/a.png') }],
				},
				additionalBodyFields: '{"visibility": "private"}',
			},
		},
		differences: { mode: 'generate' },
		returns: (items) =>
			expect(first(items)).toMatchObject({
				session_id: expect.any(String),
				job: { kind: 'session', id: first(items).session_id },
			}),
	},
	'session.continue': {
		line: 'POST /v3/video-agents/{session_id}',
		before: aSession,
		parameters: { message: 'Shorter, please', options: { voice_id: byId('voice_002') } },
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ session_id: ids.session_id, job: { kind: 'video' } });
			expect(first(items).video_id).not.toBe(ids.video_id);
		},
	},
	'session.editScenes': {
		line: 'POST /v3/video-agents/{session_id}',
		before: async (service) => ({
			...(await twoScenes(service)),
			asset_id: (await uploadAsset(service)).asset_id,
		}),
		parameters: (ids) => ({
			scene_snapshot_video_id: byId(ids.video_id),
			editsFrom: 'form',
			edit_plan: { edit: [{ scene_id: byId(ids.scene_id), text: 'On a beach' }] },
			options: {
				message: 'Thanks',
				avatar_id: byId('look_001_1'),
				voice_id: byId('voice_002'),
				files: { file: [{ file: byId(ids.asset_id) }] },
			},
		}),
		differences: (ids) => ({
			edit_plan: [
				{
					scene_id: ids.scene_id,
					text: 'On a beach',
					scene_snapshot_video_id: ids.video_id,
					edit_version: ids.edit_version,
				},
			],
			files: [{ type: 'asset_id', asset_id: ids.asset_id }],
			scene_snapshot_video_id: undefined,
		}),
	},
	'session.generateLegacy': {
		line: 'POST /v1/video_agent/generate',
		before: uploadAsset,
		parameters: (ids) => ({
			prompt: 'A welcome',
			options: {
				duration_sec: 20,
				orientation: 'landscape',
				incognito_mode: true,
				files: { file: [{ file: byId(ids.asset_id) }] },
			},
		}),
		differences: (ids) => ({ files: [{ asset_id: ids.asset_id }] }),
	},
	'session.get': { line: 'GET /v3/video-agents/{session_id}', before: aSession },
	'session.getMany': { line: 'GET /v3/video-agents', before: aSession },
	'session.getResource': {
		line: 'GET /v3/video-agents/{session_id}/resources/{resource_id}',
		before: async (service) => {
			const session = await aSession(service);
			const messages = session.messages as Array<{ resource_ids?: string[] }>;
			return { ...session, resource_id: messages.flatMap((one) => one.resource_ids ?? [])[0] };
		},
	},
	'style.getMany': {
		line: 'GET /v3/video-agents/styles',
		parameters: { options: { tag: 'cinematic' } },
	},
	'session.getVideos': { line: 'GET /v3/video-agents/{session_id}/videos', before: aSession },
	'session.stop': {
		line: 'POST /v3/video-agents/{session_id}/stop',
		before: async (service) => await run(service, welcome),
	},
};

describeOperations('VideoGenAgent', resources, cases, [
	// The node requests the session or scenes first, and the simulator has none.
	'session.continue, Message, 10001 characters',
	'session.editScenes, Message, 10001 characters',
]);

describe('VideoGenAgent: edits, chats and the legacy API', () => {
	const service = useService();

	test('edits of another video use the version of that video', async () => {
		const [one, two] = [await twoScenes(service), await twoScenes(service)];
		service.control.fail({
			method: 'GET',
			path: `/v3/videos/${two.video_id}/scenes`,
			status: 200,
			body: { data: { video_id: two.video_id, edit_version: '77', scenes: [] } },
		});
		const edits = [
			{ scene_id: one.scene_id, text: 'A' },
			{ scene_id: 's', text: 'B', scene_snapshot_video_id: two.video_id },
			{ scene_id: 's', text: 'C', scene_snapshot_video_id: two.video_id, edit_version: '5' },
			{ scene_id: 's', text: 'D', scene_snapshot_video_id: two.video_id, edit_version: null },
		];
		await runNode(service, 'VideoGenAgent', {
			...{ operation: 'editScenes', session_id: byId(one.session_id), ...noWait },
			scene_snapshot_video_id: byId(one.video_id),
			...{ editsFrom: 'json', edit_plan_json: JSON.stringify(edits) },
		});
		const path = `/v3/video-agents/${one.session_id}`;
		const [turn] = service.control.requests({ method: 'POST', path });
		const { video_id: first, edit_version } = one;
		const { video_id: second } = two;
		expect(turn?.body).toMatchObject({
			edit_plan: [
				{ text: 'A', scene_snapshot_video_id: first, edit_version },
				{ text: 'B', scene_snapshot_video_id: second, edit_version: '77' },
				{ text: 'C', scene_snapshot_video_id: second, edit_version: '5' },
				{ text: 'D', scene_snapshot_video_id: second, edit_version: '77' },
			],
		});
		const reads = service.control.requests({ method: 'GET', path: /\/scenes$/ }).slice(-2);
		expect(reads.map((read) => read.path)).toEqual(
			[first, second].map((id) => `/v3/videos/${id}/scenes`),
		);
	});

	const wait = { waitForCompletion: true, options: { pollInterval: 1 } };

	test('a new session, a message and an edit return their video under the same keys', async () => {
		const two = await twoScenes(service);
		const session = { session_id: byId(two.session_id) };
		const items = [
			await run(service, { operation: 'create', prompt: 'Hi', ...wait }),
			await run(service, {
				...{ operation: 'editScenes', ...session, editsFrom: 'form', ...wait },
				scene_snapshot_video_id: byId(two.video_id),
				edit_plan: { edit: [{ scene_id: byId(two.scene_id), text: 'On a beach' }] },
			}),
			await run(service, { operation: 'continue', ...session, message: 'Shorter', ...wait }),
		];
		for (const item of items) {
			expect(item).toMatchObject({
				session_id: expect.any(String),
				status: 'completed',
				title: expect.any(String),
				video_url: expect.stringContaining('http'),
				video: { id: item.video_id, video_url: item.video_url },
			});
		}
	});

	test.each(['generate', 'chat'])(
		'the URL of the video is above the messages of a session in mode %s',
		async (mode) => {
			const opened = await run(service, { ...welcome, mode, ...wait });
			const session = { session_id: byId(opened.session_id) };
			const say = { operation: 'continue', ...session, message: 'Yes, make it', ...wait };
			if (mode === 'chat') await run(service, say);
			const [waited] = (
				await runNode(service, 'VideoGenJob', {
					...{ operation: 'wait', jobs: 'id', kind: 'session' },
					job_id: String(opened.session_id),
				})
			).items;
			const got = await run(service, { operation: 'get', ...session });
			for (const item of [waited?.json ?? {}, got, ...(mode === 'generate' ? [opened] : [])]) {
				const keys = Object.keys(item);
				expect(item.video_url).toEqual(expect.stringContaining('http'));
				expect(keys.indexOf('video_url')).toBeLessThan(keys.indexOf('messages'));
			}
		},
	);

	test('a message that the agent answers with a question ends the wait without a new video', async () => {
		const opened = await run(service, { ...welcome, mode: 'chat', ...wait });
		const session = { session_id: byId(opened.session_id) };
		const say = async (message: string) =>
			await run(service, { operation: 'continue', ...session, message, ...wait });
		expect(await say('Yes, make it')).toMatchObject({
			status: 'completed',
			job: { kind: 'video' },
		});
		const before = service.control.requests().length;
		const item = await say('Could it be longer?');
		expect(item).toMatchObject({
			...{ session_id: opened.session_id, status: 'waiting_for_input', video_id: null },
			job: { kind: 'chat_session', id: opened.session_id },
		});
		expect(item).not.toHaveProperty('video');
		expect(item).not.toHaveProperty('video_url');
		// The node does not request the old video.
		const calls = service.control.requests().slice(before);
		expect(calls.filter(({ path }) => path.startsWith('/v3/videos'))).toEqual([]);
	});

	test('a retry of the node still knows how the session was before the message', async () => {
		const opened = await run(service, { ...welcome, mode: 'chat', ...wait });
		const message = { operation: 'continue', session_id: byId(opened.session_id), ...wait };
		await run(service, { ...message, message: 'Yes, make it' });
		const path = /video-agents/;
		// The session is read, the message is sent, and the first status check fails.
		service.control.fail({ method: 'GET', path, delayMs: 1, times: 1 });
		service.control.fail({ method: 'GET', path, status: 403, times: 1 });
		const { items, error } = await runNode(
			service,
			'VideoGenAgent',
			{ ...message, message: 'Could it be longer?' },
			{ node: retryOnFail },
		);
		expect(error).toBeUndefined();
		expect(first(items)).toMatchObject({ status: 'waiting_for_input', video_id: null });
		expect(service.control.requests({ method: 'POST', path })).toHaveLength(3);
	});

	test.each([
		['A welcome', 'reviewing'],
		['A welcome, but for whom?', 'waiting_for_input'],
	])(
		'the wait for a chat that starts with "%s" ends with the status %s',
		async (prompt, status) => {
			const item = await run(service, { ...welcome, prompt, mode: 'chat', ...wait });
			expect(item).toMatchObject({ status, job: { kind: 'chat_session', id: item.session_id } });
			expect(item).not.toHaveProperty('video');
		},
	);

	test('every item has the last message of the agent in reply, and no message of the user', async () => {
		const prompt = 'A welcome, but for whom?';
		const opened = await run(service, { ...welcome, prompt, mode: 'chat', ...wait });
		expect(opened.reply).toMatch(/\?$/);
		const session = { session_id: byId(opened.session_id) };
		const read = await run(service, { operation: 'get', ...session });
		expect(read.reply).toBe(opened.reply);

		const messages = [{ role: 'user', type: 'text', content: 'Hello?' }];
		service.control.fail({ method: 'GET', path: /^\/v3\/video-agents\/\w+$/, data: { messages } });
		const silent = await run(service, { operation: 'get', ...session });
		expect(silent).toMatchObject({ messages });
		expect(silent).not.toHaveProperty('reply');
	});

	test('without a chat, the wait continues in the same states', async () => {
		const item = await run(service, { ...welcome, prompt: 'A welcome, but for whom?', ...wait });
		expect(item).toMatchObject({ status: 'completed', video: { status: 'completed' } });
	});

	test('a failed session without an error object reports its newest error message', async () => {
		service.control.failNext('session', { code: 'out_of_ideas', message: 'No idea came' });
		service.control.fail({ method: 'GET', path: /^\/v3\/video-agents\/\w+$/, without: ['error'] });
		const { error } = await runNode(service, 'VideoGenAgent', { ...welcome, ...wait });
		expect(error?.message).toBe('The session failed: No idea came');
	});

	test('the legacy API receives files of the item as asset IDs without a type, and rejects URLs', async () => {
		const generate = (value: string, mode: string) => ({
			operation: 'generateLegacy',
			prompt: 'A welcome',
			...noWait,
			options: { files: { file: [{ file: { __rl: true, mode, value } }] } },
		});
		const binary = { photo: await storeBinary(Buffer.from('pixels'), 'me.png', 'image/png') };
		const { error } = await runNode(service, 'VideoGenAgent', generate('photo', 'binary'), {
			items: [{ json: {}, binary }],
		});
		expect(error).toBeUndefined();
		const [made] = service.control.requests({ path: '/v1/video_agent/generate' });
		expect(made?.body).toEqual({
			prompt: 'A welcome',
			files: [{ asset_id: expect.stringMatching(/^\w+$/) }],
		});

		service.control.reset();
		const byUrl = await runNode(
			service,
			'VideoGenAgent',
			generate('https://files.example/a.png', 'url'),
		);
		expect(byUrl.error?.message).toContain('"Files → entry 1" must be an asset');
		expect(service.control.requests()).toEqual([]);
	});
});
