/** When a create request may be sent while the account runs as many jobs as it may. */
import {
	allowCapacityProbeNow,
	createJobCapacity,
	getNextJobStartTime,
	updateCapacityAfterAcceptance,
	updateCapacityAfterJobEnd,
	updateCapacityAfterRejection,
	type JobCapacity,
} from '../../../nodes/core/http/jobCapacity';

const second = 1_000;
const minute = 60 * second;
const now = 1_000_000;

const nextProbe = (capacity: JobCapacity) => getNextJobStartTime(capacity, Infinity);
const reject = (capacity: JobCapacity, isProbe: boolean, at = now, seconds = 0) =>
	updateCapacityAfterRejection(capacity, isProbe, { seconds, random: 1 }, at);
const accept = (capacity: JobCapacity, at: number) =>
	updateCapacityAfterAcceptance({ ...capacity, isProbing: true }, true, at);
const end = updateCapacityAfterJobEnd;

/** An account that has started N jobs, and then rejected a create request and a probe. */
function createFull(jobs = 3): JobCapacity {
	let capacity = createJobCapacity();
	for (let i = 0; i < jobs; i++) capacity = updateCapacityAfterAcceptance(capacity, false, now);
	return reject(reject(capacity, false), true);
}

/** The same after some rounds of jobs of one minute: their duration is known. */
const createKnown = (jobs = 3): JobCapacity => ({
	...createFull(jobs),
	duration: minute,
	testShare: 1 / 2,
	rejectedProbes: 1,
});

test('an account that is not known to be full does not limit create requests', () => {
	expect(getNextJobStartTime(undefined, Infinity)).toBe(-Infinity);
	const capacity = createJobCapacity();
	expect(nextProbe(capacity)).toBe(-Infinity);
	expect(nextProbe(end(capacity, now))).toBe(-Infinity);
	expect(nextProbe(allowCapacityProbeNow(capacity, now))).toBe(-Infinity);
});

test('one probe at a time is sent, and immediately once a request may not wait any longer', () => {
	const full = createFull();
	expect(getNextJobStartTime(full, now - 1)).toBe(now - 1);
	const probing = { ...full, isProbing: true };
	expect(getNextJobStartTime(probing, now - 1)).toBe(Infinity);
	expect(reject(probing, false).isProbing).toBe(true);
});

test('while the duration of the jobs is unknown, the pauses grow to a minute', () => {
	let capacity = reject(createJobCapacity(), false);
	const pauses: number[] = [];
	for (let at = now; pauses.length < 14; at = nextProbe(capacity)) {
		capacity = reject(capacity, true, at);
		pauses.push(Math.round((nextProbe(capacity) - at) / 100) / 10);
	}
	expect(pauses).toEqual([1, 1, 1.5, 2.3, 3.4, 5.1, 7.6, 11.4, 17.1, 25.6, 38.4, 57.7, 60, 60]);
	const shortest = { seconds: 0, random: 0 };
	expect(nextProbe(updateCapacityAfterRejection(createFull(), true, shortest, now))).toBe(
		now + second / 2,
	);
});

test('Retry-After is respected for up to a minute, until the duration is known', () => {
	expect(nextProbe(reject(createFull(), true, now, 30))).toBe(now + 30 * second);
	expect(nextProbe(reject(createFull(), true, now, 600))).toBe(now + minute);
	expect(nextProbe(reject(createKnown(), true, now + minute, 30))).toBe(now + minute + 2400);
});

test('create requests in flight together count once', () => {
	const first = reject(createJobCapacity(), false);
	expect(reject(first, false)).toEqual(first);
	expect(nextProbe(reject(first, false, now, 30))).toBe(now + 30 * second);
	const started = updateCapacityAfterAcceptance(first, false, now + 1);
	expect(started).toEqual({ ...first, starts: [...first.starts, now + 1], acceptedAt: now + 1 });
});

test('an accepted first probe shows that the requests came too fast', () => {
	const first = reject(createJobCapacity(), false);
	expect(accept(first, now).fullSince).toBeUndefined();
	expect(accept(createFull(), now).fullSince).toBe(now);
});

test('the first accepted probe shows how long the jobs take', () => {
	let capacity = reject(createFull(), true, now + 40 * second);
	capacity = accept(capacity, now + 60 * second);
	// The job has ended since the last rejection.
	expect(capacity.duration).toBe(50 * second);
	expect(capacity.starts).toEqual([now, now, now + 60 * second]);
	// The other jobs have started at the same time, and are due as well.
	expect(nextProbe(capacity)).toBeLessThanOrEqual(now + 60 * second);
});

test('the next probe is sent when the oldest job has probably ended', () => {
	const starts = [now, now + 10 * second, now + 20 * second];
	const capacity = accept({ ...createKnown(), starts }, now + minute);
	expect(capacity.starts).toEqual([now + 10 * second, now + 20 * second, now + minute]);
	// A little earlier, because the job may have ended before the probe.
	expect(capacity.duration).toBe(0.98 * minute);
	expect(nextProbe(capacity)).toBe(now + 10 * second + 0.98 * minute);
});

test('a job that takes longer raises the estimate by half of the difference', () => {
	const late = reject(createKnown(), true, now + minute);
	expect(late.duration).toBe(minute);
	expect(nextProbe(late)).toBe(now + minute + 2400);
	expect(accept(late, now + minute + 2400).duration).toBe(minute + 600);
});

test('a probe that follows another one immediately says nothing about the duration', () => {
	const first = accept(createKnown(), now + minute);
	const next = accept(first, now + minute + 100);
	expect(next.duration).toBe(first.duration);
	expect(next.starts).toEqual([now, now + minute, now + minute + 100]);
});

test('after a whole round of jobs, one more probe tests whether the account runs more', () => {
	const at = now + minute;
	let capacity = createKnown();
	for (let i = 0; i < 3; i++) capacity = accept(capacity, at + i);
	expect(nextProbe(capacity)).toBe(at + 2);
	// Another job has ended early: its end will not come again.
	expect(accept(capacity, at + 3).starts).toEqual(capacity.starts);
	const rejected = reject(capacity, true, at + 3);
	expect(nextProbe(rejected)).toBe(at + rejected.duration);
	expect(rejected.rejectedProbes).toBe(1);
});

test('long jobs are tested for a shorter duration, less often if the estimate proves right', () => {
	const hour = 60 * minute;
	const unproved = { ...createKnown(), duration: hour, testShare: 1 / 8 };
	expect(nextProbe(reject(unproved, true, now + 1))).toBe(now + 1 + hour / 8);
	const proved = accept(unproved, now + hour);
	expect(proved.testShare).toBe(1 / 4);
	const wrong = accept({ ...unproved, testShare: 1 / 2 }, now + hour / 8);
	expect(wrong).toMatchObject({ testShare: 1 / 8, duration: (0.98 * hour) / 8 });
});

test('an account that starts many more jobs than known is not full', () => {
	let capacity = createKnown();
	const counts: number[] = [];
	for (let i = 1; capacity.fullSince !== undefined; i++) {
		capacity = accept(capacity, now + minute + i);
		counts.push(i);
	}
	expect(counts).toHaveLength(36);
	expect(capacity.duration).toBe(0.98 * minute);
});

describe('a node run notices that a job has ended', () => {
	test('a probe is sent immediately, and one for each job', () => {
		const freed = end(end(createKnown(), now + 5), now + 5);
		expect(nextProbe(freed)).toBe(now + 5);
		const one = accept(freed, now + 6);
		expect([one.freed, nextProbe(one), one.duration]).toEqual([1, now + 6, minute]);
		expect(nextProbe(accept(one, now + 7))).toBeGreaterThan(now + 7);
	});

	test('but not if a job has already taken its place', () => {
		const replaced = accept(createKnown(), now + minute);
		const noticed = end(replaced, now + minute + 30 * second);
		expect(noticed).toEqual({ ...replaced, unnoticed: [] });
		// The end of a minute ago is noticed by now, or by no run at all.
		expect(end(replaced, now + 2 * minute).freed).toBe(1);
	});

	test('the pauses are short again', () => {
		const waiting = { ...createKnown(), rejectedProbes: 9 };
		expect(nextProbe(reject(end(waiting, now), true, now)) - now).toBe(second);
		const probing = { ...end(createKnown(), now), rejectedProbes: 9 };
		expect(nextProbe(reject(probing, true, now)) - now).toBeGreaterThan(second);
	});

	test('its place is probed for half a minute, and then counts as taken by another client', () => {
		let capacity = end(createKnown(), now);
		let at = now;
		const times: number[] = [];
		for (; capacity.freed > 0; at = nextProbe(capacity)) {
			capacity = reject(capacity, true, at);
			times.push(Math.round((at - now) / second));
		}
		expect(times).toEqual([0, 1, 3, 5, 8, 13, 21, 32]);
		expect(capacity.isContested).toBe(true);
		// From now on, the pauses are short.
		const later = reject(capacity, true, now + 10 * minute);
		expect(nextProbe(later) - (now + 10 * minute)).toBe(15 * second);
		expect(accept(later, now + 11 * minute).isContested).toBe(false);
	});
});

test('other clients have taken the places if all jobs have probably ended', () => {
	expect(reject(createKnown(), true, now + 2 * minute).isContested).toBe(false);
	expect(reject(createKnown(), true, now + 2 * minute + 1).isContested).toBe(true);
});

test('after ten minutes without a started job, a place is found within fifteen seconds', () => {
	const waiting = { ...createFull(), rejectedProbes: 20 };
	const at = now + 10 * minute;
	expect(nextProbe(reject(waiting, true, at)) - at).toBe(minute);
	expect(nextProbe(reject(waiting, true, at + 1)) - at - 1).toBe(15 * second);
	const started = { ...waiting, acceptedAt: now + 1 };
	expect(nextProbe(reject(started, true, at + 1)) - at - 1).toBe(minute);
});

describe('a create request begins to wait alone', () => {
	test('it probes immediately, and the next ones until one is rejected', () => {
		const alone = allowCapacityProbeNow(createKnown(), now + 5);
		expect(nextProbe(alone)).toBe(now + 5);
		const accepted = accept(accept(alone, now + 5), now + 6);
		expect(nextProbe(accepted)).toBe(now + 6);
		expect(accepted.starts).toHaveLength(5);
		expect(reject(accepted, true, now + 7).isFilling).toBe(false);
	});

	test('old jobs count as ended, but not during a suspension', () => {
		const below = { ...createKnown(), fullSince: undefined };
		expect(allowCapacityProbeNow(below, now + 2 * minute - 1).starts).toHaveLength(3);
		expect(allowCapacityProbeNow(below, now + 2 * minute).starts).toEqual([]);
		expect(allowCapacityProbeNow(createKnown(), now + 9 * minute).starts).toHaveLength(3);
		expect(allowCapacityProbeNow(createKnown(), now + 11 * minute).starts).toEqual([]);
	});

	test('after a suspension, the duration is at least the age at the last rejection', () => {
		const rejected = reject(createKnown(), true, now + 4 * minute);
		const resumed = allowCapacityProbeNow(rejected, now + 6 * minute);
		const accepted = accept(resumed, now + 6 * minute);
		expect(accepted.duration).toBe(4 * minute);
		expect(accepted.starts).toEqual([now, now, now + 6 * minute]);
		const unknown = allowCapacityProbeNow(createFull(), now + 6 * minute);
		expect(accept(unknown, now + 6 * minute).duration).toBe(6 * minute);
	});

	test('the ends of the jobs whose places are filled are no news', () => {
		const filled = accept(allowCapacityProbeNow(createKnown(), now + 5), now + 5);
		expect(end(filled, now + 6).freed).toBe(0);
	});
});
