/** What one check of several jobs reads, and what it returns. */
import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import { fetchJobStatus, readAllBatchEntries } from '../../../nodes/core/jobs/readJobs';
import type { JobKind } from '../../../nodes/core/jobs/types';
import {
	agentSessionJob,
	translationJob,
	videoBatchJob,
	videoJob,
} from '../../../nodes/jobKinds/catalog';
import { passTime, useVirtualTime } from '../http/virtualTime';
import { checkJobs, createStatusService, fail, missing, type Response } from './statusService';

useVirtualTime();

/** A service with these statuses, and what one check of its jobs returns. */
function createService(...responses: Parameters<typeof createStatusService>) {
	const { client, requests } = createStatusService(...responses);
	const check = async (kind: JobKind, ids: string[], requiresLookup?: boolean) => {
		const checking = checkJobs(client, kind, ids, requiresLookup);
		await passTime(checking);
		return await checking;
	};
	const listIds = () => requests.map(({ path, query }) => path?.video_id ?? query?.video_ids);
	return { client, requests, check, listIds };
}

test('a check returns jobs that have ended, are running, or cannot be read', async () => {
	const { check } = createService({
		a: { status: 'completed', video_url: 'https://files.example/a' },
		b: { status: 'failed' },
		c: { status: 'rendering' },
		d: fail({ status: 403, code: 'forbidden' }),
	});
	const checks = await check(videoJob, ['a', 'b', 'c', 'd']);
	expect(checks).toMatchObject([
		{ outcome: 'completed', result: { id: 'a', data: { status: 'completed' } } },
		{ outcome: 'failed', job: { id: 'b' } },
		{ outcome: 'pending' },
		{ outcome: 'unreadable', error: { message: 'No' } },
	]);
});

describe('a lookup of several jobs', () => {
	const entries = [
		{ video_id: 'a', status: 'rendering' },
		{ video_id: 'b', status: 'completed' },
		{ video_id: 'c', status: 'not_found' },
		{ video_id: 'd' },
	];

	test('leaves out status requests of running jobs only', async () => {
		const { check, listIds } = createService({ b: { status: 'completed' } }, { entries });
		const checks = await check(videoJob, ['a', 'b', 'c', 'd', 'e'], true);
		expect(checks.map(({ outcome }) => outcome)).toStrictEqual([
			...['pending', 'completed', 'unreadable', 'unreadable', 'unreadable'],
		]);
		expect(listIds()).toStrictEqual(['a,b,c,d,e', 'b', 'c', 'd', 'e']);
	});

	test('has jobs of one kind only', async () => {
		const { check, requests } = createService({}, { entries });
		await Promise.all([check(videoJob, ['a', 'b'], true), check(translationJob, ['c', 'd'], true)]);
		const lookups = requests.map(({ line, query }) => [line, ...Object.values(query ?? {})]);
		expect(lookups).toEqual(
			expect.arrayContaining([
				['GET /v3/videos/statuses', 'a,b'],
				['GET /v3/video-translations/statuses', 'c,d'],
			]),
		);
	});

	test('has at most 100 IDs', async () => {
		const ids = Array.from({ length: 101 }, (_, i) => `v${i}`);
		const all = ids.map((video_id) => ({ video_id, status: 'queued' }));
		const { check, listIds } = createService({}, { entries: all });
		const checks = await check(videoJob, ids, true);
		expect(new Set(checks.map(({ outcome }) => outcome))).toStrictEqual(new Set(['pending']));
		expect(listIds()).toStrictEqual([ids.slice(0, 100).join(), 'v100']);
	});

	test.each([400, 403, 404, 405, 501])('is not tried again after status %i', async (status) => {
		const running = { status: 'rendering' };
		const { check, requests } = createService({ a: running, b: running }, fail({ status }));
		for (let i = 0; i < 2; i++) {
			const checks = await check(videoJob, ['a', 'b'], true);
			expect(checks.map(({ outcome }) => outcome)).toStrictEqual(['pending', 'pending']);
		}
		expect(requests.filter(({ query }) => query?.video_ids)).toHaveLength(1);
	});

	test('that is required fails the check of its jobs, and is tried again later', async () => {
		const { check, requests } = createService({}, fail({ status: 500 }));
		for (let i = 0; i < 2; i++) {
			const [first] = await check(videoJob, ['a', 'b'], true);
			expect(first).toMatchObject({ outcome: 'unreadable' });
		}
		expect(requests).toHaveLength(2);
		expect(requests[0]).toMatchObject({ isPoll: false });
	});

	test('is not sent for a single job, or for a kind that has none', async () => {
		const status = 'rendering';
		const { check, requests } = createService({ a: { status }, b: { status } }, { entries });
		await check(videoJob, ['a']);
		await check({ ...videoJob, batchedStatus: undefined }, ['a', 'b'], true);
		expect(requests.map(({ path, isPoll }) => [path, isPoll])).toStrictEqual([
			[{ video_id: 'a' }, true],
			[{ video_id: 'a' }, false],
			[{ video_id: 'b' }, false],
		]);
	});
});

describe('the video of a session', () => {
	const session = { status: 'completed', video_id: 'v', title: 'Session' };

	test('is part of the result', async () => {
		const { check } = createService({ s: session, v: { status: 'completed', video_url: 'u' } });
		const [checked] = await check(agentSessionJob, ['s']);
		expect(checked).toMatchObject({
			...{ outcome: 'completed', job: { id: 's' }, result: { id: 'v' } },
			data: { title: 'Session', video_url: 'u' },
		});
	});

	test.each<[string, Response | Response[], IDataObject, number]>([
		['failed', { status: 'failed' }, { outcome: 'failed', parent: session }, 0],
		['is running', { status: 'queued' }, { outcome: 'pending' }, 0],
		['appears late', [missing, missing, { status: 'completed' }], { outcome: 'completed' }, 10],
		['does not appear', missing, { outcome: 'unreadable', response: session }, 10],
		['cannot be read', fail({ status: 403, code: 'no' }), { outcome: 'unreadable' }, 0],
	])('that %s', async (_, video, expected, seconds) => {
		const { check } = createService({ s: session, v: video });
		const startedAt = clock.now();
		expect(await check(agentSessionJob, ['s'])).toMatchObject([expected]);
		expect((clock.now() - startedAt) / 1000).toBe(seconds);
	});
});

describe('the entries of a batch', () => {
	const batch = { kind: videoBatchJob, id: 'b' };
	const page = (id: string, next_token?: string | null) => ({
		...{ status: 'completed', has_more: next_token !== undefined, next_token },
		items: [{ id }],
	});
	const readIds = ({ items }: IDataObject) => (items as IDataObject[]).map(({ id }) => id).join('');

	test('are those of all its pages', async () => {
		const { client, requests } = createService({ b: [page('y', 't2'), page('z')] });
		const all = await readAllBatchEntries(client, batch, page('x', 't1'));
		expect([readIds(all), all.has_more, all.next_token]).toStrictEqual(['xyz', false, null]);
		expect(requests.map(({ query }) => query?.token)).toStrictEqual(['t1', 't2']);
		const single = page('x');
		expect(await readAllBatchEntries(client, batch, single)).toBe(single);
	});

	test.each<[string, string | null, string]>([
		['without a token', null, 'x'],
		['with a token that was used before', 't1', 'xy'],
	])('end with a page %s', async (_, token, ids) => {
		const { client } = createService({ b: page('y', token) });
		const first = page('x', token);
		expect(readIds(await readAllBatchEntries(client, batch, first))).toBe(ids);
	});
});

test('a status request has the ID in its path, and the query of its kind', async () => {
	const { client, requests } = createService({ a: { data: { status: 'x' } } });
	const kind = { ...videoJob, query: { full: true } };
	const page = { query: { token: 't' } };
	expect(await fetchJobStatus(client, { kind, id: 'a' }, page)).toStrictEqual({ status: 'x' });
	await fetchJobStatus(client, { kind, id: 'a' });
	expect(requests).toStrictEqual([
		{ line: videoJob.read, path: { video_id: 'a' }, query: { full: true, token: 't' } },
		{ line: videoJob.read, path: { video_id: 'a' }, query: { full: true } },
	]);
});
