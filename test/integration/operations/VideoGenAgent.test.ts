import type { IDataObject } from 'n8n-workflow';
import { operations } from '../../../nodes/VideoGenAgent/operations';
import type { Simulator } from '../../../simulator';
import { byId } from '../engine';
import { describeOperations, few, first, made, noWait, type Case } from './cases';

const aSession = async (service: Simulator) => {
	const { session_id: id } = await made(service, 'VideoGenAgent', {
		operation: 'create',
		prompt: 'A welcome',
		mode: 'generate',
		...noWait,
	});
	return await made(service, 'VideoGenAgent', { operation: 'get', session_id: byId(String(id)) });
};

const twoScenes = async (service: Simulator) => {
	const session = await aSession(service);
	const read = await made(service, 'VideoGenVideo', {
		operation: 'getScenes',
		video_id: byId(String(session.video_id)),
	});
	const scenes = read.scenes as IDataObject[];
	return { ...session, edit_version: read.edit_version, scene_id: scenes[0]?.id };
};

const cases: Record<string, Case> = {
	create: {
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
	continue: {
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
	editScenes: {
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
	generate: {
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
	get: {
		before: aSession,
		parameters: (ids) => ({ operation: 'get', session_id: byId(String(ids.session_id)) }),
		sends: (ids) => ({ line: `GET /v3/video-agents/${String(ids.session_id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ session_id: ids.session_id, status: 'completed' });
		},
	},
	getAll: {
		before: aSession,
		parameters: () => ({ operation: 'getAll', ...few }),
		sends: () => ({ line: 'GET /v3/video-agents', query: { limit: '3' } }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ session_id: ids.session_id });
		},
	},
	getResource: {
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
	getStyles: {
		parameters: () => ({ operation: 'getStyles', ...few, options: { tag: 'cinematic' } }),
		sends: () => ({
			line: 'GET /v3/video-agents/styles',
			query: { limit: '3', tag: 'cinematic' },
		}),
		returns: (items) => {
			expect(items.length).toBeGreaterThan(0);
			for (const { json } of items) expect(json.tags).toContain('cinematic');
		},
	},
	getVideos: {
		before: aSession,
		parameters: (ids) => ({
			operation: 'getVideos',
			session_id: byId(String(ids.session_id)),
			...few,
		}),
		sends: (ids) => ({
			line: `GET /v3/video-agents/${String(ids.session_id)}/videos`,
			query: { limit: '3' },
		}),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ id: ids.video_id });
		},
	},
	stop: {
		before: async (service) =>
			await made(service, 'VideoGenAgent', {
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
};

function resourceOf(ids: IDataObject): string {
	const messages = ids.messages as Array<{ resource_ids?: string[] }> | string;
	if (typeof messages === 'string') return messages;
	return messages.flatMap((message) => message.resource_ids ?? [])[0] ?? 'none';
}

describeOperations('VideoGenAgent', operations, cases);
