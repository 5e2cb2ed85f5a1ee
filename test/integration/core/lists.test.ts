/** Lists of the service, which the node reads page by page. */
import type { INodeParameters } from 'n8n-workflow';
import { avatar, items as rows } from '../support/calls';
import { runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const paged = useService({ pageSize: 4 });

test('Return All reads all pages; a limit reads only the pages that it needs', async () => {
	const all = await runNode(service, 'VideoGenAgent', {
		resource: 'style',
		operation: 'getMany',
		returnAll: true,
	});
	expect(all.items.length).toBeGreaterThan(20);
	service.control.reset();
	const everything = await runNode(paged, 'VideoGenAgent', {
		resource: 'style',
		operation: 'getMany',
		returnAll: true,
	});
	expect(everything.items.map(({ json }) => json.style_id)).toEqual(
		all.items.map(({ json }) => json.style_id),
	);
	expect(paged.control.requests()).toHaveLength(Math.ceil(all.items.length / 4));
	paged.control.reset();
	const six = await runNode(paged, 'VideoGenAgent', {
		resource: 'style',
		operation: 'getMany',
		returnAll: false,
		limit: 6,
	});
	expect(six.items).toHaveLength(6);
	expect(paged.control.requests()).toHaveLength(2);
});

const videos = async (parameters: INodeParameters, from = service) =>
	await runNode(from, 'VideoGenVideo', { operation: 'getMany', ...parameters });

test('Simplify keeps the id, the keys that distinguish rows, and times as text', async () => {
	const { items } = await videos({ limit: 1 });
	expect(items.map(({ json }) => json)).toEqual([
		{
			video_id: 'video_005',
			status: 'completed',
			title: 'Autumn sale',
			created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
			completed_at: expect.stringMatching(/^\d{4}-/),
			duration: 18.2,
			folder_id: 'folder_001',
		},
	]);
	const { items: raw } = await videos({ limit: 1, simple: false });
	expect(raw[0]?.json).toMatchObject({
		id: 'video_005',
		created_at: expect.any(Number),
		video_url: expect.stringContaining('http'),
	});
});

test('fifty simplified videos are small enough for a language model', async () => {
	await runNode(service, 'VideoGenVideo', avatar({ options: { title: '=Video {{ $json.i }}' } }), {
		items: rows(50),
	});
	const size = async (simple: boolean) => {
		const { items } = await videos({ limit: 50, simple });
		expect(items).toHaveLength(50);
		return JSON.stringify(items.map(({ json }) => json)).length;
	};
	expect(await size(false)).toBeGreaterThan(25_000);
	expect(await size(true)).toBeLessThan(10_000);
});

/** The date N days ago, as the form stores it. */
const ago = (days: number) =>
	new Date((service.control.clock.now() - days * 86_400) * 1000).toISOString().slice(0, 19);

test.each([
	['after', { createdAfter: 6.5 }, ['video_005', 'video_004']],
	['before', { createdBefore: 7.5 }, ['video_002', 'video_001']],
	['between', { createdAfter: 7.5, createdBefore: 5.5 }, ['video_004', 'video_003']],
])('Created After and Created Before: %s', async (_, days, ids) => {
	const options = Object.fromEntries(
		Object.entries(days).map(([key, count]) => [key, `${ago(count)}Z`]),
	);
	const { items } = await videos({ returnAll: true, options });
	expect(items.map(({ json }) => json.video_id)).toEqual(ids);
});

test('the limit counts only rows in the time range; older pages are not read', async () => {
	// Two pages of four and one: the first two rows are younger than the time.
	const small = { operation: 'getMany', returnAll: false, limit: 1 };
	const before = await videos({ ...small, options: { createdBefore: `${ago(8.5)}Z` } }, paged);
	expect(before.items.map(({ json }) => json.video_id)).toEqual(['video_001']);
	expect(paged.control.requests()).toHaveLength(2);

	paged.control.reset();
	const all = { returnAll: true, options: { createdAfter: `${ago(5.5)}Z` } };
	const after = await videos(all, paged);
	expect(after.items.map(({ json }) => json.video_id)).toEqual(['video_005']);
	expect(paged.control.requests()).toHaveLength(1);
});

test('a value that is not a date is refused before anything is sent', async () => {
	const { error } = await videos({ options: { createdAfter: '={{ "last week" }}' } });
	expect(error?.message).toContain('"Created After" must be a date such as 2026-01-31');
	expect(service.control.requests()).toEqual([]);
});
