/** When a create request may be sent while the account runs as many jobs as it may. */
import {
	updateCapacityAfterAcceptance,
	createJobCapacity,
	updateCapacityAfterJobEnd,
	getNextJobStartTime,
	updateCapacityAfterRejection,
	allowCapacityProbeNow,
	releaseReservedCapacity,
	reserveCapacityOrProbe,
	type JobStartPermissionKind,
	type JobCapacity,
} from '../../../nodes/core/http/jobCapacity';

const now = 1_000_000;
const reject = (capacity: JobCapacity, permission: JobStartPermissionKind, at = now, seconds = 0) =>
	updateCapacityAfterRejection(capacity, permission, { seconds, random: 1 }, at);

/** The capacity of an account that rejected a create request, and then N probes. */
function createFull(rejectedProbes = 1, running = 10): JobCapacity {
	let capacity = reject({ ...createJobCapacity(), running }, 'unlimited');
	for (let i = 0; i < rejectedProbes; i++)
		capacity = reject(reserveCapacityOrProbe(capacity)[1], 'probe');
	return capacity;
}

/** Takes all permissions that need no probe, and returns how many there were. */
function takeAll(capacity: JobCapacity): [number, JobCapacity] {
	for (let count = 0; ; count++) {
		const [permission, next] = reserveCapacityOrProbe(capacity);
		if (permission === 'probe' || permission === 'unlimited') return [count, capacity];
		capacity = next;
	}
}

test('an account that is not known to be full does not limit create requests', () => {
	expect(getNextJobStartTime(undefined)).toBe(0);
	const capacity = createJobCapacity();
	expect(getNextJobStartTime(capacity)).toBe(0);
	expect(reserveCapacityOrProbe(capacity)).toEqual(['unlimited', capacity]);
	expect(updateCapacityAfterJobEnd(capacity, true, now)).toBe(capacity);
	expect(allowCapacityProbeNow(capacity, now)).toBe(capacity);
});

test('one probe at a time is sent, after growing pauses', () => {
	const pauses: number[] = [];
	for (let rejected = 0; rejected < 12; rejected++) {
		pauses.push((getNextJobStartTime(createFull(rejected)) - now) / 1000);
	}
	expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
	const [permission, probing] = reserveCapacityOrProbe(createFull());
	expect(permission).toBe('probe');
	expect(getNextJobStartTime(probing)).toBe(Infinity);
});

test('the pause is shorter if few jobs are known, and never shorter than Retry-After', () => {
	expect(getNextJobStartTime(createFull(12, 0)) - now).toBe(60_000);
	const asked = reject(createFull(), 'probe', now, 300);
	expect(getNextJobStartTime(asked) - now).toBe(300_000);
	const shortest = { seconds: 0, random: 0 };
	const soon = updateCapacityAfterRejection(createFull(2), 'probe', shortest, now);
	expect(getNextJobStartTime(soon) - now).toBe(4_000);
});

test('create requests in flight together count once', () => {
	const first = reject(createJobCapacity(), 'unlimited');
	expect(reject(first, 'unlimited')).toEqual(first);
	const freed = { ...createFull(3), free: 2 };
	expect(reject(freed, 'unlimited', now + 1)).toEqual(freed);
	expect(getNextJobStartTime(reject(first, 'unlimited', now, 30)) - now).toBe(30_000);
});

test('the lowest number of running jobs at a rejected probe is remembered', () => {
	expect(createFull(0)).not.toHaveProperty('runningWhenFull');
	const full = createFull(1, 10);
	expect(full.runningWhenFull).toBe(10);
	expect(reject({ ...full, running: 12 }, 'probe').runningWhenFull).toBe(10);
	expect(reject({ ...full, running: 4 }, 'probe').runningWhenFull).toBe(4);
});

test('an accepted request that is no probe changes nothing but its time', () => {
	for (const permission of ['unlimited', 'freed'] as const) {
		const full = createFull(3);
		const accepted = { ...full, acceptedAt: now + 1 };
		expect(updateCapacityAfterAcceptance(full, permission, now + 1)).toEqual(accepted);
	}
});

test('an accepted probe has ended, and is counted as the unnoticed end of a job', () => {
	const [permission, probing] = reserveCapacityOrProbe(createFull(3));
	expect(updateCapacityAfterAcceptance(probing, permission, now)).toMatchObject({
		isProbing: false,
		rejectedProbes: 2,
		bonus: 1,
		growth: 2,
		nextProbe: now,
		unnoticed: 1,
		unnoticedUntil: now + 40_000,
		acceptedAt: now,
	});
});

test('a rejected probe counts no job as ended, and another rejection does not end a probe', () => {
	const [permission, probing] = reserveCapacityOrProbe(createFull());
	expect(reject(probing, permission)).toMatchObject({ isProbing: false, unnoticedUntil: 0 });
	expect(reject(probing, 'bonus').isProbing).toBe(true);
});

test('an accepted first probe shows that the requests came too fast', () => {
	const [permission, probing] = reserveCapacityOrProbe(createFull(0));
	expect(updateCapacityAfterAcceptance(probing, permission, now).fullSince).toBeUndefined();
});

test('accepted probes make room for twice as many, until the account is not full', () => {
	let capacity = createFull(3);
	const rooms: number[] = [];
	while (capacity.fullSince !== undefined) {
		const [permission, probing] = reserveCapacityOrProbe(capacity);
		const [room, taken] = takeAll(updateCapacityAfterAcceptance(probing, permission, now));
		rooms.push(room);
		capacity = taken;
	}
	expect(rooms).toEqual([1, 2, 4, 8, 0]);
});

test('the end of a running job makes room for one create request', () => {
	const freed = updateCapacityAfterJobEnd(createFull(), true, now);
	expect(getNextJobStartTime(freed)).toBe(0);
	expect(takeAll(freed)[0]).toBe(1);
	const [permission, taken] = reserveCapacityOrProbe(freed);
	expect(updateCapacityAfterAcceptance(taken, permission, now).acceptedAt).toBe(now);
	expect(takeAll(releaseReservedCapacity(taken, permission))[0]).toBe(1);
});

test('the end of a job that may have ended before only allows a probe', () => {
	const freed = updateCapacityAfterJobEnd(createFull(8), false, now + 10);
	expect(getNextJobStartTime(freed)).toBe(now + 10);
	expect(reserveCapacityOrProbe(freed)[0]).toBe('probe');
});

test('the end of a job makes no room again if a probe was accepted before it was noticed', () => {
	const [permission, probing] = reserveCapacityOrProbe(createFull());
	const accepted = takeAll(updateCapacityAfterAcceptance(probing, permission, now))[1];
	const noticed = updateCapacityAfterJobEnd(accepted, true, now + 39_999);
	expect(noticed).toEqual({ ...accepted, unnoticed: 0 });
	// Later, it came from another process.
	expect(takeAll(updateCapacityAfterJobEnd(accepted, true, now + 40_000))[0]).toBe(1);
});

describe('the service counts jobs for a while after their end', () => {
	/** Ten jobs have ended; the create requests after that were rejected. */
	function rejectFreed(): JobCapacity {
		let capacity = createFull(8);
		for (let i = 0; i < 10; i++) capacity = updateCapacityAfterJobEnd(capacity, true, now);
		const permissions = Array.from({ length: 6 }, () => {
			const [permission, next] = reserveCapacityOrProbe(capacity);
			capacity = next;
			return permission;
		});
		for (const permission of permissions) capacity = reject(capacity, permission);
		return capacity;
	}

	test('rejections together shorten the next pause', () => {
		const rejected = rejectFreed();
		expect(takeAll(rejected)[0]).toBe(0);
		expect(getNextJobStartTime(rejected) - now).toBe(4_000);
	});

	test('further ends allow one probe, and its rejection another one soon', () => {
		let capacity = rejectFreed();
		for (let i = 0; i < 3; i++) capacity = updateCapacityAfterJobEnd(capacity, true, now + 100);
		const [permission, probing] = reserveCapacityOrProbe(capacity);
		expect(permission).toBe('probe');
		expect(capacity.unnoticed).toBe(rejectFreed().unnoticed - 3);
		expect(getNextJobStartTime(capacity)).toBe(now + 100);
		expect(getNextJobStartTime(reject(probing, 'probe', now + 100)) - now).toBe(4_100);
	});

	test('ends make room again after as many create requests were accepted', () => {
		let capacity = rejectFreed();
		for (let accepted = 0; accepted < 10; accepted++) {
			const [permission, next] = reserveCapacityOrProbe(capacity);
			capacity = updateCapacityAfterAcceptance(next, permission, now);
		}
		capacity = takeAll(capacity)[1];
		expect(takeAll(updateCapacityAfterJobEnd(capacity, true, now))[0]).toBe(1);
	});
});

test('a reply that shows nothing allows another create request', () => {
	const [permission, probing] = reserveCapacityOrProbe(createFull());
	expect(getNextJobStartTime(releaseReservedCapacity(probing, permission))).toBeLessThan(Infinity);
	const [, second] = reserveCapacityOrProbe({ ...createFull(), bonus: 1 });
	expect(releaseReservedCapacity(second, 'bonus').bonus).toBe(1);
	const both = { ...probing, free: 1, bonus: 1 };
	expect(getNextJobStartTime(both)).toBe(0);
	expect(releaseReservedCapacity(both, 'unlimited')).toEqual(both);
	expect(releaseReservedCapacity(both, 'freed')).toEqual({ ...both, free: 2 });
});

test('a create request in the place of an ended job changes nothing about a probe', () => {
	const [, probing] = reserveCapacityOrProbe(createFull(3));
	const accepted = updateCapacityAfterAcceptance(probing, 'bonus', now);
	expect(getNextJobStartTime(accepted)).toBe(Infinity);
	expect(accepted.rejectedProbes).toBe(probing.rejectedProbes);
});

test('a create request that begins to wait alone probes immediately', () => {
	expect(getNextJobStartTime(allowCapacityProbeNow(createFull(12), now + 5))).toBe(now + 5);
});
