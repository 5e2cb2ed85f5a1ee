import { resources } from '../../../nodes/VideoGenAvatar/operations';
import { type Simulator } from '../../../simulator';
import {
	describeOperations,
	first,
	isRunning,
	runForJson,
	url,
	type Cases,
} from '../support/cases';
import { readWholeList } from '../support/contexts';
import { byId } from '../support/engine';
import { useService } from '../support/service';
import { noWait } from '../support/expectedRequest';

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

const cases: Cases = {
	'avatar.createFromPrompt': {
		line: 'POST /v3/avatars',
		parameters: {
			name: 'Baker',
			prompt: 'A friendly baker',
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
		},
		differences: { type: 'prompt' },
		keyed: true,
	},
	'avatar.createFromPhoto': {
		line: 'POST /v3/avatars',
		parameters: {
			name: 'Maria',
			file: url('https://files.example/maria.png'),
			options: { avatar_group_id: byId(own) },
		},
		differences: { type: 'photo' },
		keyed: true,
	},
	'avatar.createDigitalTwin': {
		line: 'POST /v3/avatars',
		parameters: { name: 'Me', file: url('https://files.example/me.mp4') },
		differences: { type: 'digital_twin' },
		keyed: true,
	},
	'avatar.requestConsent': {
		line: 'POST /v3/avatars/group_private_004/consent',
		parameters: {
			consentBy: 'page',
			reroute_url: 'https://example.com/thanks',
			options: { consent_text: 'I agree.' },
		},
		keyed: true,
	},
	'avatar.get': `GET /v3/avatars/${own}`,
	'avatar.getMany': { line: 'GET /v3/avatars', parameters: { options: { ownership: 'private' } } },
	'avatar.update': {
		line: `PATCH /v3/avatars/${own}`,
		parameters: { default_voice_id: byId('voice_003') },
	},
	'avatar.delete': { line: 'DELETE /v3/avatars/{group_id}', before: aPhoto },
	'look.createPack': {
		line: 'POST /v3/avatars/looks',
		parameters: { reference_look_id: byId(ownLook), options: { aspect_ratio: '9:16' } },
		differences: { type: 'look_pack' },
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
		line: 'POST /v3/avatars/looks',
		parameters: {
			reference_look_id: byId(ownLook),
			template_id: 'business',
			// A ratio that the form does not offer.
			options: { aspect_ratio: '4:5', additionalBodyFields: '{"pose": "sitting"}' },
		},
		differences: { type: 'template' },
		keyed: true,
	},
	'look.get': 'GET /v3/avatars/looks/look_002_1',
	'look.getMany': {
		line: 'GET /v3/avatars/looks',
		parameters: {
			options: { group_id: byId(own), avatar_type: 'digital_twin', ownership: 'private' },
		},
	},
	'look.update': {
		line: `PATCH /v3/avatars/looks/${ownLook}`,
		parameters: { name: 'Me in the garden' },
	},
	'look.delete': { line: 'DELETE /v3/avatars/looks/{look_id}', before: aPhoto },
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
