/** When a create request may be sent while the account runs as many jobs as it may. */
import {
	acceptCreate,
	createJobCapacity,
	freeCapacity,
	getNextCreateTime,
	refuseCreate,
	resumeProbing,
	returnCapacity,
	takeCapacity,
	type CreatePermission,
	type JobCapacity,
} from '../../../nodes/core/http/jobCapacity';

const now = 1_000_000;
const refuse = (capacity: JobCapacity, permission: CreatePermission, at = now, seconds = 0) =>
	refuseCreate(capacity, permission, { seconds, random: 1 }, at);

/** The capacity of an account that refused a create request, and then N probes. */
function createFull(refusedProbes = 1, running = 10): JobCapacity {
	let capacity = refuse({ ...createJobCapacity(), running }, 'unlimited');
	for (let i = 0; i < refusedProbes; i++) capacity = refuse(takeCapacity(capacity)[1], 'probe');
	return capacity;
}

/** Takes all permissions that need no probe, and returns how many there were. */
function takeAll(capacity: JobCapacity): [number, JobCapacity] {
	for (let count = 0; ; count++) {
		const [permission, next] = takeCapacity(capacity);
		if (permission === 'probe' || permission === 'unlimited') return [count, capacity];
		capacity = next;
	}
}

test('an account that is not known to be full does not limit create requests', () => {
	expect(getNextCreateTime(undefined)).toBe(0);
	const capacity = createJobCapacity();
	expect(getNextCreateTime(capacity)).toBe(0);
	expect(takeCapacity(capacity)).toEqual(['unlimited', capacity]);
	expect(freeCapacity(capacity, true, now)).toBe(capacity);
	expect(resumeProbing(capacity, now)).toBe(capacity);
});

test('one probe at a time is sent, after growing pauses', () => {
	const pauses: number[] = [];
	for (let refused = 0; refused < 12; refused++) {
		pauses.push((getNextCreateTime(createFull(refused)) - now) / 1000);
	}
	expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
	const [permission, probing] = takeCapacity(createFull());
	expect(permission).toBe('probe');
	expect(getNextCreateTime(probing)).toBe(Infinity);
});

test('the pause is shorter if few jobs are known, and never shorter than Retry-After', () => {
	expect(getNextCreateTime(createFull(12, 0)) - now).toBe(60_000);
	const asked = refuse(createFull(), 'probe', now, 300);
	expect(getNextCreateTime(asked) - now).toBe(300_000);
});

test('create requests in flight together count once', () => {
	const first = refuse(createJobCapacity(), 'unlimited');
	expect(refuse(first, 'unlimited')).toEqual(first);
	expect(getNextCreateTime(refuse(first, 'unlimited', now, 30)) - now).toBe(30_000);
});

test('an accepted first probe shows that the requests came too fast', () => {
	const [permission, probing] = takeCapacity(createFull(0));
	expect(acceptCreate(probing, permission, now).fullSince).toBeUndefined();
});

test('accepted probes make room for twice as many, until the account is not full', () => {
	let capacity = createFull(3);
	const rooms: number[] = [];
	while (capacity.fullSince !== undefined) {
		const [permission, probing] = takeCapacity(capacity);
		const [room, taken] = takeAll(acceptCreate(probing, permission, now));
		rooms.push(room);
		capacity = taken;
	}
	expect(rooms).toEqual([1, 2, 4, 8, 0]);
});

test('the end of a running job makes room for one create request', () => {
	const freed = freeCapacity(createFull(), true, now);
	expect(getNextCreateTime(freed)).toBe(0);
	expect(takeAll(freed)[0]).toBe(1);
	const [permission, taken] = takeCapacity(freed);
	expect(acceptCreate(taken, permission, now).acceptedAt).toBe(now);
	expect(takeAll(returnCapacity(taken, permission))[0]).toBe(1);
});

test('the end of a job that may have ended before only allows a probe', () => {
	const freed = freeCapacity(createFull(8), false, now + 10);
	expect(getNextCreateTime(freed)).toBe(now + 10);
	expect(takeCapacity(freed)[0]).toBe('probe');
});

test('the end of a job makes no room again if a probe was accepted before it was noticed', () => {
	const [permission, probing] = takeCapacity(createFull());
	const accepted = takeAll(acceptCreate(probing, permission, now))[1];
	expect(takeAll(freeCapacity(accepted, true, now + 10_000))[0]).toBe(0);
	// Later, it came from another process.
	expect(takeAll(freeCapacity(accepted, true, now + 50_000))[0]).toBe(1);
});

describe('the service counts jobs for a while after their end', () => {
	/** Ten jobs have ended; the create requests after that were refused. */
	function refuseFreed(): JobCapacity {
		let capacity = createFull(8);
		for (let i = 0; i < 10; i++) capacity = freeCapacity(capacity, true, now);
		const permissions = Array.from({ length: 6 }, () => {
			const [permission, next] = takeCapacity(capacity);
			capacity = next;
			return permission;
		});
		for (const permission of permissions) capacity = refuse(capacity, permission);
		return capacity;
	}

	test('refusals together shorten the next pause', () => {
		const refused = refuseFreed();
		expect(takeAll(refused)[0]).toBe(0);
		expect(getNextCreateTime(refused) - now).toBe(4_000);
	});

	test('further ends allow one probe, and its refusal another one soon', () => {
		let capacity = refuseFreed();
		for (let i = 0; i < 3; i++) capacity = freeCapacity(capacity, true, now + 100);
		const [permission, probing] = takeCapacity(capacity);
		expect(permission).toBe('probe');
		expect(getNextCreateTime(capacity)).toBe(now + 100);
		expect(getNextCreateTime(refuse(probing, 'probe', now + 100)) - now).toBe(4_100);
	});

	test('ends make room again after as many create requests were accepted', () => {
		let capacity = refuseFreed();
		for (let accepted = 0; accepted < 10; accepted++) {
			const [permission, next] = takeCapacity(capacity);
			capacity = acceptCreate(next, permission, now);
		}
		capacity = takeAll(capacity)[1];
		expect(takeAll(freeCapacity(capacity, true, now))[0]).toBe(1);
	});
});

test('a reply that shows nothing allows another create request', () => {
	const [permission, probing] = takeCapacity(createFull());
	expect(getNextCreateTime(returnCapacity(probing, permission))).toBeLessThan(Infinity);
	const [, second] = takeCapacity({ ...createFull(), bonus: 1 });
	expect(returnCapacity(second, 'bonus').bonus).toBe(1);
});

test('a create request that begins to wait alone probes immediately', () => {
	expect(getNextCreateTime(resumeProbing(createFull(12), now + 5))).toBe(now + 5);
});
