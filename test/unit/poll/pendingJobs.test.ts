/** What the polling trigger reads of jobs that may have ended. */
import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import { agentSessionJob, videoJob } from '../../../nodes/jobKinds/catalog';
import { checkPendingJobs, readEndedJobs } from '../../../nodes/VideoGenPollingTrigger/pendingJobs';
import { passTime, useVirtualTime } from '../http/virtualTime';
import { createStatusService, fail, missing } from '../jobs/statusService';

useVirtualTime();

async function check(
	statuses: Parameters<typeof createStatusService>[0],
	kind = videoJob as typeof agentSessionJob,
) {
	const { client } = createStatusService(statuses);
	const ids = Object.keys(statuses).filter((id) => id !== 'video');
	const checking = readEndedJobs(client, kind as never, ids);
	await passTime(checking);
	const { ended, errors } = await checking;
	return { ended: Object.fromEntries(ended), errors: [...errors.keys()] };
}

test('jobs have ended, are running, were deleted, or cannot be read', async () => {
	const completed = { status: 'completed', completed_at: 5, video_url: 'u' };
	const failed = { status: 'failed', failure_code: 'lost' };
	const statuses = { a: completed, b: failed, c: { status: 'queued' }, d: missing };
	expect(await check({ ...statuses, e: fail({ status: 403, code: 'forbidden' }) })).toStrictEqual({
		ended: { a: completed, b: failed, d: null },
		errors: ['e'],
	});
});

describe('a session with a video', () => {
	const session = { status: 'completed', video_id: 'video', title: 'S', completed_at: 1 };
	const video = { video_url: 'u', completed_at: 9, failure_code: 'lost', failure_message: 'No' };

	test.each<[string, IDataObject | Error, IDataObject]>([
		[
			'ends when its video does',
			{ ...video, status: 'completed' },
			{ ...session, completed_at: 9, video_url: 'u', video: { ...video, status: 'completed' } },
		],
		[
			'fails when its video does',
			{ ...video, status: 'failed' },
			{ ...session, ...video, status: 'failed' },
		],
		['has ended although its video cannot be read', missing, session],
	])('%s', async (_, response, expected) => {
		const { ended } = await check({ s: session, video: response }, agentSessionJob);
		expect(ended.s).toEqual(expected);
	});

	test('is read again later if its video cannot be read now', async () => {
		const unavailable = fail({ status: 503, code: 'service_unavailable' });
		expect(await check({ s: session, video: unavailable }, agentSessionJob)).toStrictEqual({
			ended: {},
			errors: ['s'],
		});
	});
});

test('a trigger reads each running session at intervals, whatever other triggers have read', async () => {
	const session = { status: 'thinking' };
	const { client, requests } = createStatusService({ s: session, t: session });
	const created = clock.now() / 1000 - 1000;
	const countReads = async (trigger: string) => {
		const before = requests.length;
		const checking = checkPendingJobs(client, agentSessionJob, trigger, { s: created, t: created });
		await passTime(checking);
		await checking;
		return requests.length - before;
	};
	expect(await countReads('one')).toBe(2);
	expect(await countReads('one')).toBe(0);
	expect(await countReads('two')).toBe(2);
	await passTime(clock.sleep(60_000));
	expect(await countReads('one')).toBe(2);
});
