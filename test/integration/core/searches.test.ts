/**
 * The list searches of From List, called as the editor calls them. The simulator has small pages, so that
 * every list has several.
 */
import type { IDataObject, INodeListSearchItems, INodeParameters } from 'n8n-workflow';
import { request } from 'undici';
import { startSimulator, type Simulator } from '../../../simulator';
import { loadListPage, readWholeList, type ListQuery } from '../support/contexts';
import { byId, loadNodeType, type Service } from '../support/engine';

let service: Simulator;

beforeAll(async () => {
	service = await startSimulator({ jobSeconds: 0, pageSize: 2 });
	for (const prompt of ['A welcome', 'A farewell', 'A tour']) {
		await call('POST /v3/video-agents', { prompt });
	}
});
afterAll(async () => await service.close());
beforeEach(() => service.control.clearFaults());

/** Calls the service directly, without the nodes. */
async function call(line: string, body?: object, query: IDataObject = {}): Promise<IDataObject> {
	const [method = 'GET', path = ''] = line.split(' ');
	const reply = await request(service.baseUrl + path, {
		method: method as 'GET',
		query,
		headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const json = (await reply.body.json()) as IDataObject;
	if (reply.statusCode >= 300) throw new Error(JSON.stringify(json));
	return json;
}

/** Reads all rows of a list of the service. */
async function readAll(path: string, query: IDataObject = {}): Promise<IDataObject[]> {
	const rows: IDataObject[] = [];
	let token: IDataObject = {};
	for (;;) {
		const page = await call(`GET ${path}`, undefined, { ...query, ...token });
		rows.push(...(page.data as IDataObject[]));
		if (page.next_token === null) return rows;
		token = { token: page.next_token };
	}
}

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

interface Case {
	path: string;
	id: string;
	/** Key of the text that the filter matches. */
	name: string;
	/** Queries of the lists of the service, in the order of From List. */
	queries?: IDataObject[];
	/** One entry of From List. */
	shown: { value: string; name: string; url?: unknown } | (() => Promise<INodeListSearchItems>);
}

const cases: Record<string, Case> = {
	searchVoices: {
		path: '/v3/voices',
		id: 'voice_id',
		name: 'name',
		queries: [{ type: 'private' }, { type: 'public' }],
		shown: { value: 'voice_002', name: 'Aria (bright) (English, female, supports pauses)' },
	},
	searchLooks: {
		path: '/v3/avatars/looks',
		id: 'id',
		name: 'name',
		queries: [{ ownership: 'private' }, { ownership: 'public' }],
		shown: {
			value: 'look_002_1',
			name: 'Bea in the office (Studio avatar, landscape)',
			url: expect.stringContaining('http'),
		},
	},
	searchStyles: {
		path: '/v3/video-agents/styles',
		id: 'style_id',
		name: 'name',
		shown: {
			value: 'style_002',
			name: 'Night Drive (9:16, cinematic)',
			url: expect.stringContaining('http'),
		},
	},
	searchBrandKits: {
		path: '/v3/brand-kits',
		id: 'brand_kit_id',
		name: 'name',
		shown: { value: 'kit_002', name: 'Harbour Bank' },
	},
	searchBrandGlossaries: {
		path: '/v3/brand-glossaries',
		id: 'brand_glossary_id',
		name: 'name',
		shown: { value: 'glossary_002', name: 'Medicine' },
	},
	searchVideos: {
		path: '/v3/videos',
		id: 'id',
		name: 'title',
		shown: {
			value: 'video_003',
			name: 'Welcome aboard (completed)',
			url: expect.stringContaining('http'),
		},
	},
	searchSessions: {
		path: '/v3/video-agents',
		id: 'session_id',
		name: 'title',
		shown: async () => {
			const [newest] = await readAll('/v3/video-agents');
			return { value: String(newest?.session_id), name: String(newest?.title) };
		},
	},
};

describe.each(Object.entries(cases))('%s', (search, { path, id, name, queries, shown }) => {
	const lists = queries ?? [{}];
	const whole = async (query: IDataObject = {}) =>
		(await Promise.all(lists.map(async (one) => await readAll(path, { ...one, ...query })))).flat();
	const pages = () => service.control.requests({ method: 'GET', path }).length;

	test('shows every entry once, in order', async () => {
		const rows = await whole();
		expect(rows.length).toBeGreaterThan(2);
		const before = pages();
		const entries = await readList(search);
		expect(values(entries)).toEqual(rows.map((row) => row[id]));
		// Each page is requested once.
		const counts = await Promise.all(lists.map(async (one) => (await readAll(path, one)).length));
		const needed = counts.reduce((sum, count) => sum + Math.max(1, Math.ceil(count / 2)), 0);
		expect(pages() - before - needed).toBe(needed);
	});

	test('shows the name, value and URL of every entry', async () => {
		const entries = await readList(search);
		for (const entry of entries) {
			expect(entry).toEqual(
				expect.objectContaining({ name: expect.any(String), value: expect.any(String) }),
			);
			expect(entry.name).not.toBe('');
			expect(entry.name).not.toMatch(/undefined|null|\[object/);
		}
		const wanted = typeof shown === 'function' ? await shown() : shown;
		expect(entries.find(({ value }) => value === wanted.value)).toMatchObject(wanted);
	});

	test('finds an entry of the last page by a part of its name, in any case, between blanks', async () => {
		const last = (await whole()).at(-1) ?? {};
		const filter = ` ${String(last[name]).slice(1).toUpperCase()} `;
		const found = await readList(search, { filter });
		expect(values(found)).toContain(last[id]);
		expect(found.length).toBeLessThan((await whole()).length);
	});

	test('ends without results if no entry matches', async () => {
		expect(await readList(search, { filter: 'no such thing' })).toEqual([]);
	});

	test('a blank filter filters nothing', async () => {
		expect(await loadPage(search, { filter: '  ' })).toEqual(await loadPage(search));
	});
});

test('private voices and looks come before the public ones', async () => {
	const voices = values(await readList('searchVoices'));
	const looks = values(await readList('searchLooks'));
	expect(voices.slice(0, 3)).toEqual(['voice_private_001', 'voice_private_002', 'voice_001']);
	expect(looks.findIndex((value) => !String(value).includes('private'))).toBe(5);
	expect(looks.slice(5).filter((value) => String(value).includes('private'))).toEqual([]);
});

test('an account without private voices gets the public ones immediately', async () => {
	service.control.fail({
		path: '/v3/voices',
		times: 1,
		status: 200,
		body: { data: [], has_more: false, next_token: null },
	});
	expect(values((await loadPage('searchVoices')).results)).toEqual(['voice_001', 'voice_002']);
});

test('a search with a filter reads at most 20 pages of a long list', async () => {
	const [kept] = (await loadPage('searchStyles', { filter: 'magazine' })).results;
	expect(kept?.value).toBe('style_026');

	const before = service.control.requests().length;
	const first = await loadPage('searchLooks', { filter: 'frank' });
	expect(first.results).toEqual([]);
	expect(first.paginationToken).toEqual(expect.any(String));
	expect(service.control.requests().length - before).toBe(20);
	const next = await loadPage('searchLooks', {
		filter: 'frank',
		token: String(first.paginationToken),
	});
	expect(next.results.map((entry) => entry.name)).toContainEqual(
		expect.stringContaining('Frank in the'),
	);
});

test('the service itself filters videos by their title, on every page', async () => {
	const before = service.control.requests().length;
	const found = await readList('searchVideos', { filter: 'sale' });
	expect(values(found)).toEqual(['video_005', 'video_002', 'video_001']);
	const sent = service.control.requests().slice(before);
	expect(sent.map(({ path, query }) => [path, query.title])).toEqual([
		['/v3/videos', 'sale'],
		['/v3/videos', 'sale'],
	]);
});

test('the node does not filter a list that the service has filtered', async () => {
	service.control.fail({
		path: '/v3/videos',
		times: 1,
		body: { data: [{ id: 'video_9', title: 'Sommerverkauf', status: 'completed' }] },
	});
	expect(values((await loadPage('searchVideos', { filter: 'sale' })).results)).toEqual(['video_9']);
});

test('a filter continues from the private looks to the public ones', async () => {
	// "Sales lead" is on the first private page; the later private pages have no match.
	const names = (await readList('searchLooks', { filter: 'ad' })).map(({ name }) => name);
	expect(names[0]).toContain('Sales lead');
	expect(names.slice(1).length).toBeGreaterThan(0);
	for (const name of names.slice(1)) expect(name).toContain('Nadia');
});

test('a filter also matches the details after the name', async () => {
	const found = await readList('searchVoices', { filter: 'turkish' });
	expect(found.length).toBeGreaterThan(0);
	for (const { name } of found) expect(name).toContain('Turkish');
});

test('an entry without a name has its ID as the name', async () => {
	service.control.fail({
		path: '/v3/video-agents',
		times: 1,
		body: {
			data: [{ session_id: 'sess_1', created_at: 1, title: null }],
			has_more: false,
			next_token: null,
		},
	});
	expect((await loadPage('searchSessions')).results).toMatchObject([
		{ name: 'sess_1', value: 'sess_1' },
	]);
});

test('glossaries are also read with the newer key of their ID', async () => {
	service.control.fail({
		path: '/v3/brand-glossaries',
		times: 1,
		body: { data: [{ id: 'glossary_9', name: 'Nine' }], has_more: false, next_token: null },
	});
	expect((await loadPage('searchBrandGlossaries')).results).toMatchObject([
		{ name: 'Nine', value: 'glossary_9' },
	]);
});

describe('searchFolders', () => {
	test('shows each folder of the videos once', async () => {
		const inUse = new Set((await readAll('/v3/videos')).map((row) => row.folder_id));
		expect(inUse).toEqual(new Set([null, 'folder_001', 'folder_002']));
		expect(await readList('searchFolders')).toMatchObject(
			// The newest video is in the first of them.
			[
				{ name: 'Campaigns', value: 'folder_001' },
				{ name: 'Onboarding', value: 'folder_002' },
			],
		);
	});

	test.each([
		['by its name', ' ONBOARD '],
		['by its ID', 'folder_002'],
	])('finds one %s', async (_, filter) => {
		expect(values(await readList('searchFolders', { filter }))).toEqual(['folder_002']);
	});

	test('ends without results if no entry matches', async () => {
		expect(await readList('searchFolders', { filter: 'no such thing' })).toEqual([]);
	});

	test('a folder that cannot be read can still be selected', async () => {
		service.control.fail({ path: '/v3/folders/folder_001', status: 403 });
		expect(await readList('searchFolders')).toMatchObject([
			{ name: 'folder_001', value: 'folder_001' },
			{ name: 'Onboarding', value: 'folder_002' },
		]);
	});
});

describe('searchScenes', () => {
	const long = 'And now for something\nquite different: a movie about a bookshop by the sea.';
	let video = '';

	beforeAll(async () => {
		const input = { type: 'avatar', avatar_id: 'look_001_1', voice_id: 'voice_001' };
		const source = { type: 'url', url: 'https://files.example/a.png' };
		const { data } = await call('POST /v3/videos', {
			type: 'studio',
			scenes: [
				{ type: 'avatar_video', input: { ...input, script: 'Good morning to everybody.' } },
				{ type: 'image', source, duration: 3 },
				{ type: 'avatar_video', input: { ...input, script: long } },
			],
		});
		video = String((data as IDataObject).video_id);
	});

	const scenes = async (chosen: unknown, filter?: string) =>
		await readList('searchScenes', {
			filter,
			parameters: {
				operation: 'editScenes',
				scene_snapshot_video_id: chosen,
			} as INodeParameters,
		});
	const ids = async () => {
		const { data } = await call(`GET /v3/videos/${video}/scenes`);
		return ((data as IDataObject).scenes as IDataObject[]).map(({ id }) => id);
	};

	test('shows every scene in order, with the beginning of its text', async () => {
		const [one, two, three] = await ids();
		expect(await scenes(byId(video))).toEqual([
			{ name: 'Scene 1: Good morning to everybody.', value: one },
			{ name: 'Scene 2', value: two },
			{
				name: 'Scene 3: And now for something quite different: a movie about a book…',
				value: three,
			},
		]);
	});

	test.each([
		['a video from the list', () => ({ ...byId(video), mode: 'list' })],
		['a bare ID', () => video],
	])('reads the scenes of %s', async (_, chosen) => {
		expect(values(await scenes(chosen()))).toEqual(await ids());
	});

	test.each([
		['by its text', ' MORNING ', 0],
		['by its number', 'scene 2', 1],
	])('finds one %s', async (_, filter, index) => {
		expect(values(await scenes(byId(video), filter))).toEqual([(await ids())[index]]);
	});

	test('ends without results if no entry matches', async () => {
		expect(await scenes(byId(video), 'no such thing')).toEqual([]);
	});

	test.each([
		['no video', undefined],
		['an empty choice', byId('')],
	])('sends no request with %s', async (_, chosen) => {
		const before = service.control.requests().length;
		expect(await scenes(chosen)).toEqual([]);
		expect(service.control.requests()).toHaveLength(before);
	});

	test('explains that a video has no scenes to read', async () => {
		const { data } = await call('POST /v3/videos', {
			type: 'cinematic_avatar',
			avatar_id: ['look_001_1'],
			prompt: 'A walk',
		});
		await expect(scenes(byId(String((data as IDataObject).video_id)))).rejects.toThrow(
			'This video has no scenes',
		);
	});
});

test.each([...Object.keys(cases), 'searchFolders', 'searchScenes'])(
	'%s explains how to fix a refused credential',
	async (search) => {
		const as = { baseUrl: service.baseUrl, apiKey: 'wrong-key-1234' };
		const parameters = {
			operation: 'editScenes',
			scene_snapshot_video_id: byId('video_001'),
		} as unknown as INodeParameters;
		const error = (await loadPage(search, { as, parameters }).catch((e: unknown) => e)) as Error & {
			description?: string;
		};
		expect(error).toBeInstanceOf(Error);
		expect(error.message).toContain('The service does not accept the credential');
		expect(error.description).toContain('check the API key');
		expect(`${error.message} ${error.description}`).not.toContain(as.apiKey);
	},
);
