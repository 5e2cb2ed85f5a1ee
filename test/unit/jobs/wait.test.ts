/** When a job is looked at. */
import type { Job } from '../../../nodes/core/jobs/job';
import { pauseBefore } from '../../../nodes/core/jobs/wait';

const job: Job = { kind: 'video', id: 'id', read: 'GET /x/{id}', completed: [], failed: [] };
const pauses = (kind: Job, interval: number, longest?: number) =>
	[0, 1, 2, 3, 4, 5, 6].map((look) => pauseBefore(look, kind, { timeout: 0, interval, longest }));

test('pauses grow by half, up to thirty seconds', () => {
	expect(pauses(job, 5)).toEqual([5, 7.5, 11.25, 16.875, 25.3125, 30, 30]);
});

test('a kind may want to be looked at more often', () => {
	expect(pauses({ ...job, longestPause: 5 }, 2)).toEqual([2, 3, 4.5, 5, 5, 5, 5]);
});

test('nobody is looked at more often than the user wants', () => {
	expect(pauses({ ...job, longestPause: 5 }, 60)).toEqual(Array(7).fill(60));
	expect(pauses(job, 1, 2)).toEqual([1, 1.5, 2, 2, 2, 2, 2]);
});
