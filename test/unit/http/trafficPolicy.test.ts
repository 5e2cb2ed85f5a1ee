/** When an account may send its next request. */
import { createJobCapacity } from '../../../nodes/core/http/jobCapacity';
import {
	appendSendTime,
	concurrencySettings,
	createTrafficState,
	getCurrentRate,
	addResponseToMeasurement,
	calculateRateAfterPause,
	estimateRequestRate,
	adaptConcurrency,
	getNextSendTime,
	calculateNextSendTimeAtRate,
	type TrafficState,
} from '../../../nodes/core/http/trafficPolicy';

describe('adaptive concurrency', () => {
	const good = { isRateLimited: false, isSaturated: true, milliseconds: 50, fastest: 50 };

	test('rises while responses are good and all slots are taken, up to its bound', () => {
		expect(adaptConcurrency(10, good)).toBe(11);
		expect(adaptConcurrency(10, { ...good, isSaturated: false })).toBe(10);
		expect(adaptConcurrency(concurrencySettings.max, good)).toBe(concurrencySettings.max);
	});

	test('halves when the service answers 429, down to one', () => {
		expect(adaptConcurrency(40, { ...good, isRateLimited: true })).toBe(20);
		expect(adaptConcurrency(1, { ...good, isRateLimited: true })).toBe(1);
	});

	test('falls slightly when responses take far longer than the fastest one', () => {
		expect(adaptConcurrency(40, { ...good, milliseconds: 1000 })).toBe(39.5);
		expect(adaptConcurrency(40, { ...good, milliseconds: 200 })).toBe(41);
		expect(adaptConcurrency(40, { ...good, milliseconds: 300 })).toBe(41);
		expect(adaptConcurrency(40, { ...good, milliseconds: 4000, fastest: 1000 })).toBe(41);
		expect(adaptConcurrency(40, { ...good, milliseconds: 4001, fastest: 1000 })).toBe(39.5);
		const { initial } = concurrencySettings;
		expect(adaptConcurrency(initial, { ...good, milliseconds: 1000 })).toBe(initial);
	});
});

describe('time of the next request', () => {
	const slots = { limit: 2, inFlight: 1, waiting: 0 };
	const rate = { perSecond: 10, since: 0, probeAfter: 60, failedReductions: 0 };
	const perMinuteLimit = { name: 'speech', perMinute: 3 };
	const request = { slots };
	const state = (changes: Partial<TrafficState>) => ({ ...createTrafficState(), ...changes });

	test('is not known while all slots are taken', () => {
		const full = { ...slots, inFlight: 2 };
		expect(getNextSendTime(state({}), { ...request, slots: full })).toBe(Infinity);
	});

	test('is after the pause that the service asked for', () => {
		const held = state({ pausedUntil: 5000, nextTurn: 7000 });
		expect(getNextSendTime(held, request)).toBe(7000);
		const idle = { ...request, slots: { ...slots, inFlight: 0 } };
		expect(getNextSendTime(state({ pausedUntil: 5000 }), idle)).toBe(5000);
	});

	test('is that of the next probe if the account runs its maximum number of jobs', () => {
		const full = { ...createJobCapacity(), fullSince: 1, nextProbe: 9000 };
		const held = state({ capacity: new Map([['videos', full]]) });
		const capacity = { name: 'videos', maxWait: 60 };
		expect(getNextSendTime(held, { ...request, capacity })).toBe(9000);
		expect(getNextSendTime(held, { ...request, capacity }, 8000)).toBe(8000);
		expect(getNextSendTime(held, { ...request, capacity: { ...capacity, name: 'x' } })).toBe(0);
	});

	test('is 61 seconds after the oldest request that counts toward a per-minute limit', () => {
		const one = { ...request, perMinuteLimit: { ...perMinuteLimit, perMinute: 1 } };
		expect(getNextSendTime(state({}), one)).toBe(0);
		const sentAt = new Map([['speech', [100]]]);
		expect(getNextSendTime(state({ sentAt }), one)).toBe(61_100);
	});

	test('only the send times that count are kept', () => {
		expect(appendSendTime(undefined, perMinuteLimit, 5)).toEqual([5]);
		let times: readonly number[] | undefined;
		for (let i = 0; i < 10; i++) times = appendSendTime(times, perMinuteLimit, i);
		expect(times).toEqual([7, 8, 9]);
	});

	test('follows the current rate, and catches up if a request was a little late', () => {
		expect(calculateNextSendTimeAtRate(state({ rate, nextTurn: 1000 }), 1000)).toBe(1100);
		expect(calculateNextSendTimeAtRate(state({ rate, nextTurn: 1000 }), 1015)).toBe(1100);
		expect(calculateNextSendTimeAtRate(state({ rate, nextTurn: 1000 }), 2000)).toBe(2080);
		expect(calculateNextSendTimeAtRate(state({ nextTurn: 1000 }), 2000)).toBe(0);
	});

	test('is later for each request in flight after a pause, unless a rate is known', () => {
		const pausedUntil = 1000;
		const later = { ...request, slots: { limit: 10, inFlight: 4, waiting: 0 } };
		expect(getNextSendTime(state({ pausedUntil }), later)).toBe(1100);
		expect(getNextSendTime(state({ pausedUntil, rate }), later)).toBe(1000);
	});
});

describe('rate that the service accepts', () => {
	const series = { from: 0, last: 900, count: 10 };

	test('is the number of responses in the time until the pause is over', () => {
		const rate = estimateRequestRate(undefined, series, 1, 900);
		expect(rate).toMatchObject({ since: 1900, probeAfter: 4 });
		expect(rate.perSecond).toBeCloseTo(9.7);
		// 600 in six seconds, then a pause of 54.
		const perMinute = estimateRequestRate(undefined, { from: 0, last: 6000, count: 600 }, 54, 6000);
		expect(perMinute.perSecond).toBeCloseTo(10.8, 1);
		expect(estimateRequestRate(undefined, undefined, 10, 0).perSecond).toBe(0.5);
		const later = estimateRequestRate(
			undefined,
			{ from: 20_000, last: 30_000, count: 10 },
			1,
			30_000,
		);
		expect(later.perSecond).toBeCloseTo(0.97);
	});

	test('is estimated anew once the earlier estimate is no limit anymore', () => {
		const before = { perSecond: 10, since: 0, probeAfter: 4, failedReductions: 2 };
		expect(estimateRequestRate(before, undefined, 1, 14_000)).toEqual({
			perSecond: 0.5,
			since: 15_000,
			probeAfter: 4,
			failedReductions: 0,
		});
	});

	test('stays for a while, then doubles each second until it is no limit', () => {
		const rate = { perSecond: 10, since: 1000, probeAfter: 4, failedReductions: 0 };
		expect(getCurrentRate(rate, 1000)).toBe(10);
		expect(getCurrentRate(rate, 5000)).toBe(10);
		expect(getCurrentRate(rate, 7000)).toBe(40);
		expect(getCurrentRate(rate, 14_000)).toBe(5120);
		expect(getCurrentRate(rate, 15_000)).toBeUndefined();
		expect(getCurrentRate(rate, 20_000)).toBeUndefined();
	});

	test('stays the same after a failed try of a higher one, and the next try comes later', () => {
		const before = { perSecond: 10, since: 0, probeAfter: 4, failedReductions: 2 };
		const probed = estimateRequestRate(before, { from: 0, last: 5000, count: 40 }, 1, 5000);
		expect(probed.perSecond).toBeCloseTo(10.1);
		expect(probed).toMatchObject({ probeAfter: 16, failedReductions: 0 });
		expect(
			estimateRequestRate({ ...before, probeAfter: 64 }, undefined, 1, 65_000).probeAfter,
		).toBe(64);
	});

	test('falls after a rejection without such a try, but at most to a half', () => {
		const before = { perSecond: 10, since: 0, probeAfter: 4, failedReductions: 1 };
		const learned = estimateRequestRate(before, { from: 0, last: 2000, count: 16 }, 1, 2000);
		expect(learned.perSecond).toBeCloseTo(7.76);
		expect(learned.failedReductions).toBe(2);
		expect(estimateRequestRate(before, undefined, 1, 2000).perSecond).toBe(5);
		const late = { ...before, since: 10_000 };
		expect(estimateRequestRate(late, undefined, 1, 14_000).failedReductions).toBe(2);
		expect(estimateRequestRate(late, undefined, 1, 14_001).failedReductions).toBe(0);
	});

	test('is learned once from rejections of requests that were in flight together', () => {
		const state = createTrafficState();
		const learned = calculateRateAfterPause({ ...state, series }, 1, 900);
		expect(learned.rate?.perSecond).toBeCloseTo(9.7);
		expect(learned).toHaveProperty('series', undefined);
		expect(calculateRateAfterPause({ ...state, series, pausedUntil: 900 }, 1, 900)).toEqual(
			learned,
		);
		expect(calculateRateAfterPause({ ...state, series, pausedUntil: 901 }, 1, 900)).toEqual({});
	});

	test('is ignored for a minute after three rejections that lower rates did not end', () => {
		const rate = { perSecond: 1, since: 0, probeAfter: 4, failedReductions: 2 };
		const before = { ...rate, failedReductions: 1 };
		const second = calculateRateAfterPause({ ...createTrafficState(), rate: before }, 1, 1000);
		expect(second.rate).toMatchObject({ failedReductions: 2 });
		const learned = calculateRateAfterPause({ ...createTrafficState(), rate }, 1, 1000);
		expect(learned).toEqual({ rate: undefined, series: undefined, ignoresRateUntil: 61_000 });
		expect(calculateRateAfterPause({ ...createTrafficState(), ...learned }, 1, 60_999)).toEqual({});
		expect(
			calculateRateAfterPause({ ...createTrafficState(), ...learned }, 1, 61_000),
		).toHaveProperty('rate');
	});

	test('responses are one series until no request is sent for two seconds', () => {
		const first = addResponseToMeasurement(undefined, 100, 150);
		expect(first).toEqual({ from: 100, last: 150, count: 1 });
		expect(addResponseToMeasurement(first, 900, 950)).toEqual({ from: 100, last: 950, count: 2 });
		const second = addResponseToMeasurement({ from: 100, last: 5000, count: 1 }, 7000, 7050);
		expect(second).toEqual({ from: 100, last: 7050, count: 2 });
		expect(addResponseToMeasurement(first, 9000, 9050)).toEqual({
			from: 9000,
			last: 9050,
			count: 1,
		});
	});
});
