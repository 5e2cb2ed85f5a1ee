/** When a job is polled, and how far it has come. */
import type { IDataObject } from 'n8n-workflow';
import * as jobs from '../../../nodes/jobKinds/catalog';
import { readProgressFraction } from '../../../nodes/core/jobs/jobState';
import type { JobKind } from '../../../nodes/core/jobs/types';
import {
	extendPauseToSharedPollTime,
	calculatePollDelay,
} from '../../../nodes/core/jobs/waitForJob';

const job: JobKind = { name: 'video', id: 'id', read: 'GET /x/{id}', completed: [], failed: [] };

/** Seconds at which the first polls are due. */
function listPollTimes(kind: JobKind, policy: { interval?: number } = {}, count = 12) {
	const at: number[] = [];
	for (let waited = 0; at.length < count; at.push(Math.round(waited * 10) / 10)) {
		waited += calculatePollDelay({ waited }, kind, { timeout: 0, ...policy });
	}
	return at;
}

test('pauses grow to a third of the time waited, and at most 30 seconds', () => {
	expect(listPollTimes(job)).toEqual([
		5, 10, 15, 20, 26.7, 35.6, 47.4, 63.2, 84.3, 112.4, 142.4, 172.4,
	]);
});

test('the first poll is due when a job of this kind may be finished', () => {
	expect(listPollTimes({ ...job, firstPollAfter: 10 }, {}, 5)).toEqual([10, 20, 30, 40, 53.3]);
	const first = (kind: JobKind) => listPollTimes(kind, {}, 1)[0] ?? 0;
	expect(first(jobs.professionalVoiceJob)).toBeLessThan(first(job));
	expect(first(jobs.videoJob)).toBeGreaterThan(first(job));
});

test('an interval from the user replaces that of the kind', () => {
	expect(listPollTimes({ ...job, firstPollAfter: 10 }, { interval: 1 }, 4)).toEqual([1, 2, 3, 4]);
});

test('a kind of job may be polled more often', () => {
	expect(listPollTimes(jobs.brandKitJob, {}, 6)).toEqual([2, 4, 6, 8, 10.7, 14.2]);
	const late = { waited: 600 };
	expect(calculatePollDelay(late, jobs.brandKitJob, { timeout: 0 })).toBe(5);
});

test('no job is polled more often than the user wants', () => {
	const often = { ...job, maxPollInterval: 5 };
	expect(listPollTimes(often, { interval: 60 }, 3)).toEqual([60, 120, 180]);
	const times = [1, 2, 3, 4, 5.3, 7.1, 9.1];
	expect(listPollTimes({ ...job, maxPollInterval: 2 }, { interval: 1 }, 7)).toEqual(times);
});

describe('progress', () => {
	const pause = (waited: number, progress: number, interval?: number) =>
		calculatePollDelay({ waited, progress }, job, { timeout: 0, interval });

	test.each([
		['brings a poll forward to the expected end after 90 seconds', 90, 0.9, undefined, 10],
		['brings a poll forward to the expected end after a minute', 60, 0.8, undefined, 15],
		['does not delay a poll', 60, 0.01, undefined, 20],
		['near its end does not cause constant polls after ten minutes', 600, 0.999, undefined, 7.5],
		['near its end does not cause constant polls after a second', 1, 0.999, undefined, 1.25],
		['does not change an interval from the user', 90, 0.9, 5, 30],
	])('%s', (_, waited, progress, interval, seconds) => {
		expect(pause(waited, progress, interval)).toBeCloseTo(seconds);
	});

	test.each<[string, IDataObject, number | undefined]>([
		['percents', { progress: 40 }, 0.4],
		['zero', { progress: 0 }, undefined],
		['100 percent', { progress: 100 }, undefined],
		['more than 100 percent', { progress: 140 }, undefined],
		['no number', { progress: 'half' }, undefined],
		['no data', {}, undefined],
		[
			'the items of a batch',
			{ total_items: 4, counts_by_status: { completed: 2, failed: 1, processing: 1 } },
			0.75,
		],
		['a batch that has not begun', { total_items: 4, counts_by_status: { queued: 4 } }, undefined],
		[
			'the nodes of a workflow run',
			{ progress: { total: 8, pending: 2, succeeded: 4, failed: 1, skipped: 1, canceled: 0 } },
			0.75,
		],
	])('is read from %s', (_, data, share) => {
		expect(readProgressFraction(data)).toBe(share);
	});
});

test('a pause is a third of the time waited so far, within bounds', () => {
	const slow = { ...job, firstPollAfter: 65, maxPollInterval: 300 };
	expect(calculatePollDelay({ waited: 0 }, slow, { timeout: 0 })).toBe(65);
	expect(calculatePollDelay({ waited: 360 }, slow, { timeout: 0 })).toBe(120);
	expect(calculatePollDelay({ waited: 9_000 }, slow, { timeout: 0 })).toBe(300);
});

test('pauses of similar length end together, and never too early', () => {
	const ends = [10_000, 11_300, 12_700].map(
		(pause) => 3_600 + extendPauseToSharedPollTime(3_600, pause),
	);
	expect(ends).toEqual([14_000, 16_000, 18_000]);
	expect(
		new Set([25_100, 27_700, 29_900].map((pause) => extendPauseToSharedPollTime(0, pause))),
	).toEqual(new Set([30_000]));
	expect(extendPauseToSharedPollTime(12_345, 500)).toBe(500);
	expect(extendPauseToSharedPollTime(12_345, 0)).toBe(0);
});
