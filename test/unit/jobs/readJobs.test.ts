/** The status lookup that the runs of an account share. */
import type { IDataObject } from 'n8n-workflow';
import { videoJob } from '../../../nodes/jobKinds/catalog';
import type { Client } from '../../../nodes/core/http/client';
import type { ServiceRequest } from '../../../nodes/core/http/sendWithRetries';
import { checkJobs } from './statusService';

let accounts = 0;

/** Runs of one account, whose jobs are all pending, and the requests that they send. */
function createRuns() {
	const account = `readJobs-${++accounts}`;
	const requests: Array<{ run: string; line: string; ids: string }> = [];
	const createRun = (run: string) => {
		const stop = new AbortController();
		const { signal } = stop;
		const tryRequest = async ({ line, query }: ServiceRequest) => {
			const ids = String(query?.video_ids);
			requests.push({ run, line, ids });
			if (signal.aborted || run === 'broken') return { ok: false, error: new Error(run) };
			const data = ids.split(',').map((id): IDataObject => ({ video_id: id, status: 'pending' }));
			return { ok: true, reply: { data } };
		};
		const fetchData = async ({ line }: ServiceRequest) => {
			requests.push({ run, line, ids: '' });
			return { status: 'pending' };
		};
		const client = { account, signal, tryRequest, fetchData } as unknown as Client;
		return {
			/** Reads as a trigger does. */
			read: async (...ids: string[]) => await checkJobs(client, videoJob, ids, true),
			/** Reads as a waiting node does, which gives up sooner. */
			poll: async (...ids: string[]) => await checkJobs(client, videoJob, ids),
			stop: () => stop.abort(),
		};
	};
	return { createRun, requests };
}

const line = 'GET /v3/videos/statuses';

test('runs of an account look their jobs up with one request', async () => {
	const { createRun, requests } = createRuns();
	await Promise.all([createRun('A').read('1', '2'), createRun('B').read('3')]);
	expect(requests).toEqual([{ run: 'A', line, ids: '1,2,3' }]);
});

test('if the run that started a lookup is stopped, the others look their jobs up themselves', async () => {
	const { createRun, requests } = createRuns();
	const [a, b] = [createRun('A'), createRun('B')];
	const reads = [a.read('1', '2'), b.read('3', '4')];
	a.stop();
	const [, [three, four] = []] = await Promise.all(reads);
	expect([three?.outcome, four?.outcome]).toEqual(['pending', 'pending']);
	expect(requests.filter(({ run }) => run === 'B')).toEqual([{ run: 'B', line, ids: '3,4' }]);
	// Nothing is left behind: later reads start a lookup of their own.
	requests.length = 0;
	await b.read('5', '6');
	expect(requests).toEqual([{ run: 'B', line, ids: '5,6' }]);
});

test('a trigger shares no lookup with waiting nodes', async () => {
	const { createRun, requests } = createRuns();
	await Promise.all([createRun('wait').poll('1', '2', '3'), createRun('trigger').read('4')]);
	expect(requests.filter((one) => one.line === line)).toEqual([
		{ run: 'wait', line, ids: '2,3' },
		{ run: 'trigger', line, ids: '4' },
	]);
});

test('if the lookup fails, a waiting node asks for its jobs one by one, and a trigger does not', async () => {
	const { createRun, requests } = createRuns();
	const broken = createRun('broken');
	const statuses = [...(await broken.poll('1', '2')), ...(await broken.read('3'))];
	expect(statuses.map(({ outcome }) => outcome)).toEqual(['pending', 'pending', 'unreadable']);
	expect(requests.filter((one) => one.line !== line)).toHaveLength(2);
});
