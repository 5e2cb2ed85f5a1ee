/**
 * The list searches of From List, called as the editor calls them. The simulator has small pages, so that
 * every list has several.
 */
import type { IDataObject, INodeListSearchItems, INodeParameters } from 'n8n-workflow';
import { loadListPage, readWholeList, type ListQuery } from '../support/contexts';
import { byId, loadNodeType, type Service } from '../support/engine';
import { createCaller, useService } from '../support/service';

const service = useService({ pageSize: 2 });
const unpaged = useService();
const call = createCaller(service);

interface Options extends ListQuery {
	as?: Service;
}

/** Finds a node with this list search. */
const findNode = (method: string) =>
	['VideoGenAgent', 'VideoGenVideo'].find(
		(node) => loadNodeType(node).methods?.listSearch?.[method],
	) ?? 'no node';

const loadPage = async (method: string, { as = service, ...more }: Options = {}) =>
	await loadListPage(as, findNode(method), method, more);

const readList = async (method: string, { as = service, ...more }: Options = {}) =>
	await readWholeList(as, findNode(method), method, more);

const values = (entries: INodeListSearchItems[]) => entries.map(({ value }) => value);
const reads = (path?: string) => service.control.requests({ method: 'GET', path });

/** Lets the service respond once with these rows. */
const respondWith = (path: string, data: unknown[]) =>
	service.control.fail({
		path,
		times: 1,
		status: 200,
		body: { data, has_more: false, next_token: null },
	});

const url = expect.stringContaining('http');

test.each([
	[
		'searchVoices',
		'/v3/voices',
		'voice_002',
		'Aria (bright) (English, female, supports pauses)',
		url,
	],
	[
		'searchLooks',
		'/v3/avatars/looks',
		'look_002_1',
		'Bea in the office (Studio avatar, landscape)',
		url,
	],
	['searchStyles', '/v3/video-agents/styles', 'style_002', 'Night Drive (9:16, cinematic)', url],
	['searchBrandKits', '/v3/brand-kits', 'kit_002', 'Harbour Bank'],
	['searchBrandGlossaries', '/v3/brand-glossaries', 'glossary_002', 'Medicine'],
	['searchVideos', '/v3/videos', 'video_003', 'Welcome aboard (completed)', url],
])('%s shows the entries of all pages, and reads each page once', async (...row) => {
	const [search, path, value, name, link] = row;
	const entries = await readList(search);
	expect(reads(path).length).toBeGreaterThan(1);
	expect(new Set(reads(path).map(({ query }) => JSON.stringify(query))).size).toBe(
		reads(path).length,
	);
	expect(entries.find((entry) => entry.value === value)).toEqual({ name, value, url: link });
	expect(entries.map((entry) => entry.name).join()).not.toMatch(/undefined|null|\[object/);
	expect(new Set(values(entries)).size).toBe(entries.length);
	expect(values(await readList(search, { as: unpaged }))).toEqual(values(entries));
});

test('searchSessions shows the sessions of the account, the newest first', async () => {
	for (const prompt of ['A welcome', 'A farewell', 'A tour']) {
		await call('POST /v3/video-agents', { prompt });
	}
	const sessions = service.control.jobs('session') as Array<{ id: string }>;
	expect(await readList('searchSessions')).toMatchObject([
		{ name: 'A tour', value: sessions[2]?.id },
		{ name: 'A farewell', value: sessions[1]?.id },
		{ name: 'A welcome', value: sessions[0]?.id },
	]);
});

test('entries with the same name can be told apart, also on different pages', async () => {
	for (let i = 0; i < 3; i++) await call('POST /v3/video-agents', { prompt: 'A welcome' });
	const names = (await readList('searchSessions')).map(({ name }) => name);
	expect(names).toEqual(Array(3).fill(expect.stringMatching(/^A welcome …\w{6}$/)));
	expect(new Set(names).size).toBe(3);
});

test('private voices and looks come before the public ones', async () => {
	const voices = values(await readList('searchVoices'));
	const looks = values(await readList('searchLooks'));
	expect(voices.slice(0, 3)).toEqual(['voice_private_001', 'voice_private_002', 'voice_001']);
	expect(looks.findIndex((value) => !String(value).includes('private'))).toBe(5);
	expect(looks.slice(5).filter((value) => String(value).includes('private'))).toEqual([]);
});

test('an account without private voices gets the public ones immediately', async () => {
	respondWith('/v3/voices', []);
	expect(values((await loadPage('searchVoices')).results)).toEqual(['voice_001', 'voice_002']);
});

describe('a filter', () => {
	test.each(['searchVoices', 'searchVideos', 'searchBrandKits'])(
		'of %s finds an entry of the last page by a part of its name, in any case, between blanks',
		async (search) => {
			const whole = await readList(search);
			const last = whole.at(-1);
			const filter = ` ${last?.name.slice(1, 6).toUpperCase()} `;
			const found = await readList(search, { filter });
			expect(values(found)).toContain(last?.value);
			expect(found.length).toBeLessThan(whole.length);
			expect(await readList(search, { filter: 'no such thing' })).toEqual([]);
			expect(await loadPage(search, { filter: '  ' })).toEqual(await loadPage(search));
		},
	);

	test('reads at most 20 pages of a long list at a time', async () => {
		const [kept] = (await loadPage('searchStyles', { filter: 'magazine' })).results;
		expect(kept?.value).toBe('style_026');

		const { results, paginationToken } = await loadPage('searchLooks', { filter: 'frank' });
		expect(results).toEqual([]);
		expect(reads('/v3/avatars/looks')).toHaveLength(20);
		const token = String(paginationToken);
		const next = await loadPage('searchLooks', { filter: 'frank', token });
		expect(next.results.map(({ name }) => name)).toContainEqual(
			expect.stringContaining('Frank in the'),
		);
	});

	test('of videos is applied by the service to their title, on every page', async () => {
		const found = await readList('searchVideos', { filter: 'sale' });
		expect(values(found)).toEqual(['video_005', 'video_002', 'video_001']);
		expect(reads().map(({ path, query }) => [path, query.title])).toEqual([
			['/v3/videos', 'sale'],
			['/v3/videos', 'sale'],
		]);
		respondWith('/v3/videos', [{ id: 'video_9', title: 'Sommerverkauf', status: 'completed' }]);
		const { results } = await loadPage('searchVideos', { filter: 'sale' });
		expect(values(results)).toEqual(['video_9']);
	});

	test('continues from the private looks to the public ones', async () => {
		// "Sales lead" is on the first private page; the later private pages have no match.
		const names = (await readList('searchLooks', { filter: 'ad' })).map(({ name }) => name);
		expect(names[0]).toContain('Sales lead');
		expect(names.slice(1).length).toBeGreaterThan(0);
		for (const name of names.slice(1)) expect(name).toContain('Nadia');
	});

	test('also matches the details after the name', async () => {
		const found = await readList('searchVoices', { filter: 'turkish' });
		expect(found.length).toBeGreaterThan(0);
		for (const { name } of found) expect(name).toContain('Turkish');
	});
});

test.each([
	[
		'a session without a title has its ID as the name',
		'searchSessions',
		'/v3/video-agents',
		{ session_id: 'sess_1', created_at: 1, title: null },
		{ name: 'sess_1', value: 'sess_1' },
	],
	[
		'a glossary may have the newer key of its ID',
		'searchBrandGlossaries',
		'/v3/brand-glossaries',
		{ id: 'glossary_9', name: 'Nine' },
		{ name: 'Nine', value: 'glossary_9' },
	],
])('%s', async (_, search, path, row, entry) => {
	respondWith(path, [row]);
	expect((await loadPage(search)).results).toMatchObject([entry]);
});

describe('searchFolders', () => {
	const campaigns = { name: 'Campaigns', value: 'folder_001' };
	const onboarding = { name: 'Onboarding', value: 'folder_002' };

	test.each([
		['each folder of the videos once, that of the newest video first', '', [campaigns, onboarding]],
		['those with a name', ' ONBOARD ', [onboarding]],
		['those with an ID', 'folder_002', [onboarding]],
		['none if no entry matches', 'no such thing', []],
	])('shows %s', async (_, filter, expected) => {
		expect(await readList('searchFolders', { filter })).toMatchObject(expected);
	});

	test('shows a folder that cannot be read with its ID', async () => {
		service.control.fail({ path: '/v3/folders/folder_001', status: 403 });
		const unread = { name: 'folder_001', value: 'folder_001' };
		expect(await readList('searchFolders')).toMatchObject([unread, onboarding]);
	});
});

describe('searchScenes', () => {
	let video = '';
	let ids: string[] = [];

	beforeEach(async () => {
		const avatar = (script: string) => ({
			type: 'avatar_video',
			input: { type: 'avatar', avatar_id: 'look_001_1', voice_id: 'voice_001', script },
		});
		const source = { type: 'url', url: 'https://files.example/a.png' };
		const scenes = [
			avatar('Good morning to everybody.'),
			{ type: 'image', source, duration: 3 },
			avatar('And now for something\nquite different: a movie about a bookshop by the sea.'),
		];
		video = String((await call('POST /v3/videos', { type: 'studio', scenes })).video_id);
		const made = (await call(`GET /v3/videos/${video}/scenes`)).scenes as IDataObject[];
		ids = made.map(({ id }) => String(id));
	});

	const readScenes = async (chosen: unknown, filter?: string) => {
		const parameters = { operation: 'editScenes', scene_snapshot_video_id: chosen };
		return await readList('searchScenes', { filter, parameters: parameters as INodeParameters });
	};

	test('shows every scene in order, with the beginning of its text', async () => {
		expect(await readScenes(byId(video))).toEqual([
			{ name: 'Scene 1: Good morning to everybody.', value: ids[0] },
			{ name: 'Scene 2', value: ids[1] },
			{
				name: 'Scene 3: And now for something quite different: a movie about a book…',
				value: ids[2],
			},
		]);
	});

	test.each([
		['a video from the list', () => ({ ...byId(video), mode: 'list' })],
		['a bare ID', () => video],
	])('reads the scenes of %s', async (_, chosen) => {
		expect(values(await readScenes(chosen()))).toEqual(ids);
	});

	test.each([
		['by its text', ' MORNING ', [0]],
		['by its number', 'scene 2', [1]],
		['in vain if no entry matches', 'no such thing', []],
	])('finds a scene %s', async (_, filter, indexes) => {
		expect(values(await readScenes(byId(video), filter))).toEqual(indexes.map((i) => ids[i]));
	});

	test.each([
		['no video', undefined],
		['an empty choice', byId('')],
	])('sends no request with %s', async (_, chosen) => {
		const before = reads().length;
		expect(await readScenes(chosen)).toEqual([]);
		expect(reads()).toHaveLength(before);
	});

	test('explains that a video has no scenes to read', async () => {
		const cinematic = { type: 'cinematic_avatar', avatar_id: ['look_001_1'], prompt: 'A walk' };
		const { video_id } = await call('POST /v3/videos', cinematic);
		await expect(readScenes(byId(String(video_id)))).rejects.toThrow('This video has no scenes');
	});
});

test.each(['searchVoices', 'searchFolders', 'searchScenes'])(
	'%s explains how to fix a rejected credential',
	async (search) => {
		const as = { baseUrl: service.baseUrl, apiKey: 'wrong-key-1234' };
		const parameters = { operation: 'editScenes', scene_snapshot_video_id: byId('video_001') };
		const error = (await loadPage(search, { as, parameters }).catch((e: unknown) => e)) as {
			message: string;
			description?: string;
		};
		expect(error.message).toContain('The service rejected the credential');
		expect(error.description).toContain('check the API key');
		expect(`${error.message} ${error.description}`).not.toContain(as.apiKey);
	},
);
