/** The running jobs of an account. */
import { clock } from '../../../nodes/core/clock';
import type { Client } from '../../../nodes/core/http/client';
import { countJobsTowardLimit } from '../../../nodes/core/jobs/runningJobs';
import { videoJob } from '../../../nodes/jobKinds/catalog';

afterEach(() => jest.restoreAllMocks());

test('are remembered for 24 hours after the last of them was started', () => {
	let hours = 0;
	jest.spyOn(clock, 'now').mockImplementation(() => hours * 3600_000);
	const setRunningJobs = jest.fn();
	const client = { account: 'running', traffic: { setRunningJobs } } as unknown as Client;
	const start = (id: string) => countJobsTowardLimit(client, 'videos', [{ kind: videoJob, id }]);
	for (; hours <= 30; hours += 10) start(`${hours}`);
	expect(setRunningJobs.mock.calls.at(-1)).toEqual(['videos', 4]);
	hours += 25;
	start('later');
	expect(setRunningJobs.mock.calls.at(-1)).toEqual(['videos', 1]);
});
