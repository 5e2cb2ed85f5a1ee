import { resources } from '../../../nodes/VideoGenAvatar/operations';
import { startSimulator, type Simulator } from '../../../simulator';
import {
	describeOperations,
	few,
	first,
	runForJson,
	noWait,
	url,
	type Case,
} from '../support/cases';
import { readWholeList } from '../support/contexts';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const aPhoto = async (service: Simulator) =>
	await runForJson(service, 'VideoGenAvatar', {
		resource: 'avatar',
		operation: 'createFromPhoto',
		name: 'Maria',
		file: url('https://files.example/maria.png'),
		...noWait,
	});

const own = 'group_private_001';
const ownLook = 'look_private_001';

const cases: Record<string, Case> = {
	'avatar.createFromPrompt': {
		parameters: () => ({
			name: 'Baker',
			prompt: 'A friendly baker',
			...noWait,
			options: {
				reference_images: {
					entry: [
						{ image: url('https://files.example/a.png') },
						{ image: url('https://files.example/b.png') },
					],
				},
				avatar_id: byId(ownLook),
				avatar_group_id: byId(own),
				aspect_ratio: '4:5',
			},
		}),
		sends: () => ({
			line: 'POST /v3/avatars',
			body: {
				type: 'prompt',
				name: 'Baker',
				prompt: 'A friendly baker',
				reference_images: [
					{ type: 'url', url: 'https://files.example/a.png' },
					{ type: 'url', url: 'https://files.example/b.png' },
				],
				avatar_id: ownLook,
				avatar_group_id: own,
				aspect_ratio: '4:5',
			},
		}),
		keyed: true,
		returns: (items) => {
			expect(items).toHaveLength(1);
			expect(first(items)).toMatchObject({
				look_id: expect.stringMatching(/^look_/),
				name: 'Baker',
				avatar_type: 'photo_avatar',
				group_id: own,
				avatar_group: { id: own, looks_count: 2 },
				job: { kind: 'look', id: first(items).look_id },
			});
		},
	},
	'avatar.createFromPhoto': {
		parameters: () => ({
			name: 'Maria',
			file: url('https://files.example/maria.png'),
			...noWait,
			options: { avatar_group_id: byId(own) },
		}),
		sends: () => ({
			line: 'POST /v3/avatars',
			body: {
				type: 'photo',
				name: 'Maria',
				file: { type: 'url', url: 'https://files.example/maria.png' },
				avatar_group_id: own,
			},
		}),
		keyed: true,
		returns: (items) => {
			expect(first(items)).toMatchObject({ group_id: own, job: { kind: 'look' } });
		},
	},
	'avatar.createDigitalTwin': {
		parameters: () => ({ name: 'Me', file: url('https://files.example/me.mp4'), ...noWait }),
		sends: () => ({
			line: 'POST /v3/avatars',
			body: {
				type: 'digital_twin',
				name: 'Me',
				file: { type: 'url', url: 'https://files.example/me.mp4' },
			},
		}),
		keyed: true,
		returns: (items) => {
			expect(first(items)).toMatchObject({
				avatar_type: 'digital_twin',
				avatar_group: { consent_status: 'pending' },
				job: { kind: 'look', id: first(items).look_id },
			});
		},
	},
	'avatar.requestConsent': {
		parameters: () => ({
			group_id: byId('group_private_004'),
			consentBy: 'page',
			reroute_url: 'https://example.com/thanks',
			options: { consent_text: 'I agree.' },
		}),
		sends: () => ({
			line: 'POST /v3/avatars/group_private_004/consent',
			body: { consent_text: 'I agree.', reroute_url: 'https://example.com/thanks' },
		}),
		keyed: true,
		returns: (items) => {
			expect(first(items)).toMatchObject({
				url: expect.stringContaining('/consent/group_private_004'),
				avatar_group: { id: 'group_private_004', status: 'pending_consent' },
			});
		},
	},
	'avatar.get': {
		parameters: () => ({ group_id: byId(own) }),
		sends: () => ({ line: `GET /v3/avatars/${own}`, query: {} }),
		returns: (items) => {
			expect(first(items)).toMatchObject({ group_id: own, name: 'Me', consent_status: 'approved' });
		},
	},
	'avatar.getMany': {
		parameters: () => ({ ...few, options: { ownership: 'private' } }),
		sends: () => ({ line: 'GET /v3/avatars', query: { limit: '3', ownership: 'private' } }),
		returns: (items) => {
			expect(items.map(({ json }) => json.name)).toEqual(['Me', 'Sales lead', 'Mascot']);
		},
	},
	'avatar.update': {
		parameters: () => ({ group_id: byId(own), default_voice_id: byId('voice_003') }),
		sends: () => ({
			line: `PATCH /v3/avatars/${own}`,
			body: { default_voice_id: 'voice_003' },
		}),
		returns: (items) => {
			expect(first(items)).toMatchObject({ group_id: own, default_voice_id: 'voice_003' });
		},
	},
	'avatar.delete': {
		before: aPhoto,
		parameters: (ids) => ({ group_id: byId(String(ids.group_id)) }),
		sends: (ids) => ({ line: `DELETE /v3/avatars/${String(ids.group_id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toEqual({ group_id: ids.group_id, deleted: true });
		},
	},
	'look.createPack': {
		parameters: () => ({
			reference_look_id: byId(ownLook),
			...noWait,
			options: { aspect_ratio: '9:16' },
		}),
		sends: () => ({
			line: 'POST /v3/avatars/looks',
			body: { type: 'look_pack', reference_look_id: ownLook, aspect_ratio: '9:16' },
		}),
		keyed: true,
		returns: (items) => {
			expect(items).toHaveLength(3);
			const ids = first(items).look_ids as string[];
			expect(new Set(ids).size).toBe(3);
			expect(items.map(({ json }) => json)).toEqual(
				ids.map((id) => ({
					look_id: id,
					group_id: own,
					look_ids: ids,
					job: { kind: 'look', id },
				})),
			);
		},
	},
	'look.createFromTemplate': {
		parameters: () => ({
			reference_look_id: byId(ownLook),
			template_id: 'business',
			...noWait,
			// A ratio that the form does not offer.
			options: { aspect_ratio: '4:5', additionalBodyFields: '{"pose": "sitting"}' },
		}),
		sends: () => ({
			line: 'POST /v3/avatars/looks',
			body: {
				type: 'template',
				reference_look_id: ownLook,
				template_id: 'business',
				aspect_ratio: '4:5',
				pose: 'sitting',
			},
		}),
		keyed: true,
		returns: (items) => {
			expect(items).toHaveLength(1);
			expect(first(items)).toMatchObject({ group_id: own, job: { kind: 'look' } });
		},
	},
	'look.get': {
		parameters: () => ({ look_id: byId('look_002_1') }),
		sends: () => ({ line: 'GET /v3/avatars/looks/look_002_1', query: {} }),
		returns: (items) => {
			expect(first(items)).toMatchObject({ look_id: 'look_002_1', name: 'Bea in the office' });
		},
	},
	'look.getMany': {
		parameters: () => ({
			...few,
			options: { group_id: byId(own), avatar_type: 'digital_twin', ownership: 'private' },
		}),
		sends: () => ({
			line: 'GET /v3/avatars/looks',
			query: { limit: '3', group_id: own, avatar_type: 'digital_twin', ownership: 'private' },
		}),
		returns: (items) => {
			expect(items.map(({ json }) => json.look_id)).toEqual([ownLook]);
		},
	},
	'look.update': {
		parameters: () => ({ look_id: byId(ownLook), name: 'Me in the garden' }),
		sends: () => ({
			line: `PATCH /v3/avatars/looks/${ownLook}`,
			body: { name: 'Me in the garden' },
		}),
		returns: (items) => {
			expect(first(items)).toMatchObject({ look_id: ownLook, name: 'Me in the garden' });
		},
	},
	'look.delete': {
		before: aPhoto,
		parameters: (ids) => ({ look_id: byId(String(ids.look_id)) }),
		sends: (ids) => ({ line: `DELETE /v3/avatars/looks/${String(ids.look_id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toEqual({ look_id: ids.look_id, deleted: true });
		},
	},
};

describeOperations('VideoGenAvatar', resources, cases, [
	'avatar.createFromPrompt, Add to Avatar, 1 characters',
	'avatar.getMany, Ownership, a choice of the user’s own',
	'look.getMany, Avatar Type, a choice of the user’s own',
	'look.getMany, Ownership, a choice of the user’s own',
]);

describe('lists', () => {
	const service = useService({ pageSize: 2 });

	test('all avatars and all looks are read in pages of at most 50', async () => {
		const own = await startSimulator({ jobSeconds: 0 });
		try {
			for (const [resource, operation, path] of [
				['avatar', 'getMany', '/v3/avatars'],
				['look', 'getMany', '/v3/avatars/looks'],
			] as const) {
				const { items } = await runNode(own, 'VideoGenAvatar', {
					resource,
					operation,
					returnAll: true,
				});
				expect(items.length).toBeGreaterThan(30);
				const ids = items.map(({ json }) => json[resource === 'avatar' ? 'group_id' : 'look_id']);
				expect(new Set(ids).size).toBe(items.length);
				const pages = own.control.requests({ method: 'GET', path });
				expect(pages[0]?.query.limit).toBe('50');
			}
		} finally {
			await own.close();
		}
	});

	const search = async (filter?: string, name = 'searchAvatarGroups') =>
		await readWholeList(service, 'VideoGenAvatar', name, { filter });

	test('the list of avatars shows those of the account first, with a note if one cannot be used', async () => {
		const all = await search();
		expect(all.slice(0, 6).map(({ name }) => name)).toEqual([
			'Me (1 look)',
			'Sales lead (1 look)',
			'Mascot (1 look)',
			'New colleague (1 look, cannot be used: consent pending)',
			'Blurry portrait (1 look, cannot be used: failed)',
			'Abel (1 look)',
		]);
		expect(new Set(all.map(({ value }) => value)).size).toBe(37);
		expect(all[0]).toMatchObject({
			value: 'group_private_001',
			url: expect.stringContaining('http'),
		});
	});

	test.each([
		['searchOwnAvatarGroups', 5],
		['searchOwnLooks', 5],
	])('%s shows only those of the account', async (name, count) => {
		const found = (await search(undefined, name)).map(({ value }) => String(value));
		expect(found).toHaveLength(count);
		expect(found.filter((value) => !value.includes('private'))).toEqual([]);
	});

	test('the list of avatars can be searched by name and by ID', async () => {
		expect((await search('zoe')).map(({ name }) => name)).toEqual(['Zoe (2 looks)']);
		expect((await search('group_private_003')).map(({ name }) => name)).toEqual([
			'Mascot (1 look)',
		]);
	});
});
