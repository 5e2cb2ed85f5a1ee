import { resources } from '../../../nodes/VideoGenAvatar/operations';
import { type Simulator } from '../../../simulator';
import {
	describeOperations,
	few,
	first,
	isRunning,
	runForJson,
	noWait,
	url,
	type Case,
	withId,
} from '../support/cases';
import { readWholeList } from '../support/contexts';
import { byId } from '../support/engine';
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
	},
	'avatar.get': withId('GET /v3/avatars/{group_id}', { group_id: own }),
	'avatar.getMany': {
		parameters: () => ({ ...few, options: { ownership: 'private' } }),
		sends: () => ({ line: 'GET /v3/avatars', query: { limit: '3', ownership: 'private' } }),
	},
	'avatar.update': {
		parameters: () => ({ group_id: byId(own), default_voice_id: byId('voice_003') }),
		sends: () => ({ line: `PATCH /v3/avatars/${own}`, body: { default_voice_id: 'voice_003' } }),
	},
	'avatar.delete': withId('DELETE /v3/avatars/{group_id}', aPhoto),
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
					...{ look_id: id, group_id: own, look_ids: ids, job: { kind: 'look', id } },
					...isRunning,
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
	},
	'look.get': withId('GET /v3/avatars/looks/{look_id}', { look_id: 'look_002_1' }),
	'look.getMany': {
		parameters: () => ({
			...few,
			options: { group_id: byId(own), avatar_type: 'digital_twin', ownership: 'private' },
		}),
		sends: () => ({
			line: 'GET /v3/avatars/looks',
			query: { limit: '3', group_id: own, avatar_type: 'digital_twin', ownership: 'private' },
		}),
	},
	'look.update': {
		parameters: () => ({ look_id: byId(ownLook), name: 'Me in the garden' }),
		sends: () => ({
			line: `PATCH /v3/avatars/looks/${ownLook}`,
			body: { name: 'Me in the garden' },
		}),
	},
	'look.delete': withId('DELETE /v3/avatars/looks/{look_id}', aPhoto),
};

describeOperations('VideoGenAvatar', resources, cases, [
	'avatar.createFromPrompt, Add to Avatar, 1 characters',
	'avatar.getMany, Ownership, a choice of the user’s own',
	'look.getMany, Avatar Type, a choice of the user’s own',
	'look.getMany, Ownership, a choice of the user’s own',
]);

describe('lists', () => {
	const service = useService({ pageSize: 2 });

	const search = async (filter?: string, name = 'searchAvatarGroups') =>
		await readWholeList(service, 'VideoGenAvatar', name, { filter });

	test('the list of avatars shows those of the account first, with a note if one cannot be used', async () => {
		const all = await search();
		expect(all.slice(0, 6).map(({ name }) => name)).toEqual([
			...['Me (1 look)', 'Sales lead (1 look)', 'Mascot (1 look)'],
			'New colleague (1 look, cannot be used: consent pending)',
			'Blurry portrait (1 look, cannot be used: failed)',
			'Abel (1 look)',
		]);
		expect(new Set(all.map(({ value }) => value)).size).toBe(37);
		expect(all[0]).toMatchObject({ value: own, url: expect.stringContaining('http') });
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
		expect((await search('group_private_003'))[0]?.name).toBe('Mascot (1 look)');
	});
});
