/** Get Many: lists that the node reads page by page. */
import type { INodeParameters } from 'n8n-workflow';
import { getValues } from '../support/calls';
import { runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const paged = useService({ pageSize: 4 });

test('Return All reads all pages; a limit reads only the pages that it needs', async () => {
	const listStyles = async (from: typeof service, parameters: INodeParameters) => {
		const form = { resource: 'style', operation: 'getMany', ...parameters };
		return getValues((await runNode(from, 'VideoGenAgent', form)).items, 'style_id');
	};
	const all = await listStyles(service, { returnAll: true });
	expect(all.length).toBeGreaterThan(20);
	expect(await listStyles(paged, { returnAll: true })).toEqual(all);
	expect(paged.control.requests()).toHaveLength(Math.ceil(all.length / 4));
	paged.control.reset();
	expect(await listStyles(paged, { returnAll: false, limit: 6 })).toEqual(all.slice(0, 6));
	expect(paged.control.requests()).toHaveLength(2);
});

const listVideos = async (parameters: INodeParameters, from = service) =>
	await runNode(from, 'VideoGenVideo', { operation: 'getMany', ...parameters });

test('Simplify keeps the id, the keys that distinguish rows, and times as text', async () => {
	const { items } = await listVideos({ limit: 1 });
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
	const { items: raw } = await listVideos({ limit: 1, simple: false });
	expect(raw[0]?.json).toMatchObject({
		id: 'video_005',
		created_at: expect.any(Number),
		video_url: expect.stringContaining('http'),
	});
});

/** The date N days ago as the form stores it. */
const formatDate = (days: number) =>
	new Date((service.control.clock.now() - days * 86_400) * 1000).toISOString().slice(0, 19) + 'Z';

test('a period that ends before it begins is refused before any request', async () => {
	const dates = (after: string, before: string) => ({
		options: { createdAfter: after, createdBefore: before },
	});
	const { error } = await listVideos(dates('2026-03-02', '2026-03-01'));
	expect(error?.message).toBe('"Created Before" must not be earlier than "Created After"');
	expect(service.control.requests()).toHaveLength(0);
	const oneMoment = await listVideos(dates('2026-03-01', '2026-03-01'));
	expect(oneMoment.error).toBeUndefined();
});

test.each<[string, Record<string, number>, string[]]>([
	['after', { createdAfter: 6.5 }, ['video_005', 'video_004']],
	['before', { createdBefore: 7.5 }, ['video_002', 'video_001']],
	['between', { createdAfter: 7.5, createdBefore: 5.5 }, ['video_004', 'video_003']],
])('Created After and Created Before: %s', async (_, days, ids) => {
	const options = Object.fromEntries(
		Object.entries(days).map(([key, count]) => [key, formatDate(count)]),
	);
	const { items } = await listVideos({ returnAll: true, options });
	expect(getValues(items, 'video_id')).toEqual(ids);
});

test('the limit counts only rows in the time range; older pages are not read', async () => {
	// The pages have four rows and one row. The first two rows are newer than the given time.
	const limit = { returnAll: false, limit: 1 };
	const before = { ...limit, options: { createdBefore: formatDate(8.5) } };
	expect(getValues((await listVideos(before, paged)).items, 'video_id')).toEqual(['video_001']);
	expect(paged.control.requests()).toHaveLength(2);

	paged.control.reset();
	const after = { returnAll: true, options: { createdAfter: formatDate(5.5) } };
	expect(getValues((await listVideos(after, paged)).items, 'video_id')).toEqual(['video_005']);
	expect(paged.control.requests()).toHaveLength(1);
});

test('a value that is no date is rejected before a request is sent', async () => {
	const { error } = await listVideos({ options: { createdAfter: '={{ "last week" }}' } });
	expect(error?.message).toContain('"Created After" must be a date such as 2026-01-31');
	expect(service.control.requests()).toEqual([]);
});
