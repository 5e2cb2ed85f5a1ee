/** The pace of an account whose service says that it is too much. */
import { clock } from '../../../nodes/core/clock';
import { createTraffic } from '../../../nodes/core/http/concurrency';
import {
	currentRate,
	learnRate,
	createThrottle,
	extendBurst,
} from '../../../nodes/core/http/throttle';

const real = { ...clock };
afterEach(() => void Object.assign(clock, real));

describe('what the service is believed to take', () => {
	const burst = { from: 0, last: 900, count: 10 };

	test('is what it has answered, in the time until it goes on', () => {
		const pace = learnRate(undefined, burst, 1, 900);
		expect(pace).toMatchObject({ since: 1900, quiet: 4 });
		expect(pace.perSecond).toBeCloseTo(9.7);
		// 600 in six seconds, and then a pause of 54.
		expect(
			learnRate(undefined, { from: 0, last: 6000, count: 600 }, 54, 6000).perSecond,
		).toBeCloseTo(10.8, 1);
		expect(learnRate(undefined, undefined, 10, 0).perSecond).toBe(0.5);
	});

	test('stays for a while, then doubles each second until it is no limit', () => {
		const pace = { perSecond: 10, since: 1000, quiet: 4, doubts: 0 };
		expect(currentRate(pace, 1000)).toBe(10);
		expect(currentRate(pace, 5000)).toBe(10);
		expect(currentRate(pace, 7000)).toBe(40);
		expect(currentRate(pace, 20_000)).toBeUndefined();
	});

	test('stays what it was where a try for more fails, and the next try comes later', () => {
		const before = { perSecond: 10, since: 0, quiet: 4, doubts: 0 };
		const tried = learnRate(before, { from: 0, last: 5000, count: 40 }, 1, 5000);
		expect(tried.perSecond).toBeCloseTo(10.1);
		expect(tried.quiet).toBe(16);
		expect(learnRate({ ...before, quiet: 64 }, undefined, 1, 65_000).quiet).toBe(64);
	});

	test('is less where it is too much without a try, but not all at once', () => {
		const before = { perSecond: 10, since: 0, quiet: 4, doubts: 0 };
		expect(learnRate(before, { from: 0, last: 2000, count: 16 }, 1, 2000).perSecond).toBeCloseTo(
			7.76,
		);
		expect(learnRate(before, undefined, 1, 2000).perSecond).toBe(5);
	});
});

test('answers are one row until nothing is sent for a while', () => {
	const first = extendBurst(undefined, 100, 150);
	expect(first).toEqual({ from: 100, last: 150, count: 1 });
	expect(extendBurst(first, 900, 950)).toEqual({ from: 100, last: 950, count: 2 });
	expect(extendBurst(first, 9000, 9050)).toEqual({ from: 9000, last: 9050, count: 1 });
});

test('who is stopped does not wait for those before', async () => {
	const shared = createThrottle();
	shared.hold(60, true);
	const stop = new AbortController();
	void shared.turn(AbortSignal.timeout(200));
	const turn = shared.turn(stop.signal);
	stop.abort();
	const begun = Date.now();
	await turn;
	expect(Date.now() - begun).toBeLessThan(150);
});

/** Time that goes on to the end of the next pause when nothing is left to do. */
function virtualTime() {
	let now = 1_000;
	const pauses: Array<{ end: number; wake: () => void }> = [];
	Object.assign(clock, {
		now: () => now,
		sleep: async (milliseconds: number) =>
			await new Promise<void>((wake) => pauses.push({ end: now + milliseconds, wake })),
		tick: async () => await Promise.resolve(),
	});
	return async (task: Promise<unknown>): Promise<number> => {
		const begun = now;
		let ended = false;
		void task.then(() => (ended = true));
		for (;;) {
			await new Promise((resolve) => setImmediate(resolve));
			if (ended) return (now - begun) / 1000;
			pauses.sort((a, b) => a.end - b.end);
			const first = pauses.shift();
			if (!first) continue;
			now = Math.max(now, first.end);
			first.wake();
		}
	};
}

/** A service that takes so many requests in each of its windows, and tells when the next begins. */
function windows(seconds: number, most: number) {
	let from = -Infinity;
	let count = 0;
	return () => {
		const now = clock.now() / 1000;
		if (now - from >= seconds) [from, count] = [now, 0];
		return ++count > most ? Math.max(1, Math.ceil(from + seconds - now)) : undefined;
	};
}

/** Numbers from 0 to 1, the same in every run. */
function numbers() {
	let state = 1;
	return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/**
 * Sends so many requests, each until it is taken.
 *
 * @param service gives, for each request, the seconds for which it holds all back
 */
async function sendAll(count: number, service: () => () => number | undefined) {
	const run = virtualTime();
	const shared = createTraffic();
	const ask = service();
	const { signal } = new AbortController();
	const random = numbers();
	let refused = 0;
	const one = async () => {
		for (;;) {
			const wait = await shared.slot(async () => {
				await shared.throttle.turn(signal);
				const sent = clock.now();
				await clock.sleep(5 + random() * 5);
				const answer = ask();
				shared.answered({ limited: answer !== undefined, milliseconds: clock.now() - sent });
				return answer;
			});
			if (wait === undefined) return;
			refused++;
			shared.throttle.hold(wait, true);
			await clock.sleep(wait * 1000 + random() * 350);
		}
	};
	return { took: await run(Promise.all(Array.from({ length: count }, one))), refused };
}

test.each([
	['10 a second', 1, 10, 500],
	['2 a second', 1, 2, 100],
	['100 in ten seconds', 10, 100, 500],
	['600 a minute', 60, 600, 1_200],
])('of %s, nine tenths are used at least', async (_, seconds, most, count) => {
	const { took, refused } = await sendAll(count, () => windows(seconds, most));
	expect(count / took / (most / seconds)).toBeGreaterThan(0.9);
	// Next to nobody is turned away twice: tries are bounded.
	expect(refused).toBeLessThan(count / 4);
});

test('refusals that no pace ends slow nobody down for long', async () => {
	// One in ten, whatever the pace: somebody else uses the account too, say.
	const random = numbers();
	const { took } = await sendAll(400, () => () => (random() < 0.1 ? 1 : undefined));
	// Every refusal holds all back for a second.
	expect(took).toBeLessThan(80);
});
