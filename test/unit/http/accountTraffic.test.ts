/** The queue of an account: which request is sent when. */
import { randomUUID } from 'node:crypto';
import { clock } from '../../../nodes/core/clock';
import {
	createAccountTraffic,
	createConcurrencySlots,
	getAccountTraffic,
	type AccountTraffic,
} from '../../../nodes/core/http/accountTraffic';
import { concurrencySettings } from '../../../nodes/core/http/trafficPolicy';
import { createRandom, passTime, useVirtualTime } from './virtualTime';

useVirtualTime();

type Request = Parameters<AccountTraffic['send']>[0];

/** Sends requests, and notes which ones were sent when, and how many were in flight. */
function record(traffic: AccountTraffic, duration = 100) {
	const sent: Array<{ name: string; at: number }> = [];
	const seen = { inFlight: 0, most: 0 };
	const send = async (name: string, request: Partial<Request> = {}) =>
		await traffic.send({ slots: traffic.sharedSlots, ...request }, async () => {
			sent.push({ name, at: clock.now() });
			seen.most = Math.max(seen.most, ++seen.inFlight);
			await clock.sleep(duration);
			seen.inFlight--;
			return name;
		});
	return { sent, seen, send, names: () => sent.map(({ name }) => name) };
}

const names = (count: number) => Array.from({ length: count }, (_, i) => String(i));

test('requests wait in order for a slot, also after one that fails', async () => {
	const traffic = createAccountTraffic();
	const slots = createConcurrencySlots(2);
	const { names: sentNames, seen, send } = record(traffic);
	const failing = traffic.send({ slots }, async () => {
		await clock.sleep(10);
		throw new Error('no');
	});
	const all = names(5).map(async (name) => await send(name, { slots }));
	await passTime(Promise.allSettled([failing, ...all]));
	await expect(failing).rejects.toThrow('no');
	expect(sentNames()).toEqual(['0', '1', '2', '3', '4']);
	expect(seen.most).toBe(2);
	expect(slots).toEqual({ limit: 2, inFlight: 0, waiting: 0 });
});

test('all runs of an account share its slots; a run with slots of its own has others', async () => {
	const name = randomUUID();
	const traffic = getAccountTraffic(name);
	expect(getAccountTraffic(name)).toBe(traffic);
	expect(getAccountTraffic('other')).not.toBe(traffic);
	const shared = record(traffic);
	const own = record(traffic);
	const slots = createConcurrencySlots(3);
	await passTime(
		Promise.all([
			...names(50).map(async (name) => await shared.send(name)),
			...names(50).map(async (name) => await own.send(name, { slots })),
		]),
	);
	expect(shared.seen.most).toBe(concurrencySettings.initial);
	expect(own.seen.most).toBe(3);
});

test('rejections of requests that were in flight together halve the concurrency once', async () => {
	const traffic = createAccountTraffic();
	const measure = async () => {
		const { seen, send } = record(traffic, 1);
		await passTime(Promise.all(names(50).map(async (name) => await send(name))));
		return seen.most;
	};
	await passTime(clock.sleep(1000));
	for (let i = 0; i < 3; i++) traffic.reportResponse(true, 5);
	expect(await measure()).toBe(concurrencySettings.initial / 2);
	await passTime(clock.sleep(1000));
	traffic.reportResponse(true, 5);
	expect(await measure()).toBe(2);
});

test('good responses raise the concurrency only while requests wait', async () => {
	const traffic = createAccountTraffic();
	const { seen, send } = record(traffic);
	traffic.reportResponse(false, 100);
	await passTime(send('alone'));
	const task = Promise.all(names(40).map(async (name) => await send(name)));
	traffic.reportResponse(false, 100);
	await passTime(task);
	expect(seen.most).toBe(concurrencySettings.initial + 1);
});

test('the concurrency rises if all slots are taken, and falls slightly after slow responses', () => {
	const { sharedSlots, reportResponse } = createAccountTraffic();
	sharedSlots.inFlight = 9;
	reportResponse(false, 100);
	expect(sharedSlots.limit).toBe(10);
	sharedSlots.waiting = 1;
	reportResponse(false, 100);
	expect(sharedSlots.limit).toBe(11);
	reportResponse(false, 1000);
	expect(sharedSlots.limit).toBe(10);
});

test('a single fast response makes later ones look slow only for a while', () => {
	const { sharedSlots, reportResponse } = createAccountTraffic();
	sharedSlots.waiting = 1000;
	reportResponse(false, 5);
	for (let i = 0; i < 600; i++) reportResponse(false, 800);
	expect(sharedSlots.limit).toBeGreaterThan(50);
});

test('a good response does not hide a rejection soon after it', async () => {
	const { sharedSlots, reportResponse } = createAccountTraffic();
	await passTime(clock.sleep(5000));
	reportResponse(false, 100);
	reportResponse(true, 100);
	expect(sharedSlots.limit).toBe(5);
});

test('the rate is that of the responses to requests sent after the last pause', async () => {
	const traffic = createAccountTraffic();
	traffic.pause(1, false);
	await passTime(clock.sleep(1000));
	traffic.reportResponse(false, 1);
	await passTime(clock.sleep(100));
	for (let i = 0; i < 10; i++) traffic.reportResponse(false, 100);
	traffic.reportResponse(true, 100);
	await passTime(clock.sleep(1900));
	traffic.pause(1, true);
	expect(traffic.getRate()).toBeCloseTo(4.85);
});

test('a retry is sent before requests that wait longer, which are sent in order', async () => {
	const traffic = createAccountTraffic();
	const { names: sentNames, send } = record(traffic);
	const slots = createConcurrencySlots(1);
	const perMinuteLimit = { name: 'speech', perMinute: 30 };
	const first = send('first', { slots });
	const requests = [
		send('second', { slots, perMinuteLimit }),
		send('third', { slots }),
		send('fourth', { slots, perMinuteLimit }),
		send('retry', { slots, perMinuteLimit, isRetry: true }),
	];
	await passTime(Promise.all([first, ...requests]));
	expect(sentNames()).toEqual(['first', 'third', 'retry', 'second', 'fourth']);
});

test('an older request that has to wait longer holds back no other', async () => {
	const traffic = createAccountTraffic();
	const { names: sentNames, send } = record(traffic);
	const slots = createConcurrencySlots(1);
	const perMinuteLimit = { name: 'speech', perMinute: 1 };
	const requests = [
		send('first', { slots, perMinuteLimit }),
		send('second', { slots }),
		send('next minute', { slots, perMinuteLimit }),
		send('third', { slots }),
	];
	await passTime(Promise.all(requests));
	expect(sentNames()).toEqual(['first', 'second', 'third', 'next minute']);
});

test('requests that only wait for a slot need no timer', async () => {
	const sleep = jest.spyOn(clock, 'sleep');
	const traffic = createAccountTraffic();
	const slots = createConcurrencySlots(1);
	const { send } = record(traffic);
	await passTime(Promise.all([send('a', { slots }), send('b', { slots })]));
	expect(sleep.mock.calls).toEqual([[100], [100]]);
	sleep.mockRestore();
});

describe('while the account runs its maximum number of jobs', () => {
	const capacity = { name: 'videos', maxWait: 600 };

	/** The traffic of an account that has rejected a create request, and then a probe. */
	function createFull() {
		const traffic = createAccountTraffic();
		traffic.reportCreate(capacity, false, 'rejected');
		traffic.reportCreate(capacity, true, 'rejected', 30);
		return { traffic, ...record(traffic) };
	}

	test('create requests wait, except for the first one and those with another limit', async () => {
		const { traffic, sent, send } = createFull();
		await passTime(clock.sleep(10));
		const retry = send('retry', { capacity, isRetry: true });
		const second = send('second', { capacity });
		await passTime(send('other', { capacity: { name: 'other', maxWait: 600 } }));
		// A moment before the response to the retry.
		const accept = () => traffic.reportCreate(capacity, true, 'accepted');
		void clock.sleep(29_990).then(accept);
		await passTime(Promise.all([retry, second]));
		expect(sent.map(({ name, at }) => [name, at])).toEqual([
			['other', 10],
			['retry', 30_000],
			['second', 30_100],
		]);
		const alone = createFull();
		await passTime(alone.send('alone', { capacity }));
		expect(alone.sent).toEqual([{ name: 'alone', at: 30_200 }]);
	});

	test('one probe is in flight at a time, and says so', async () => {
		const { traffic } = createFull();
		const turns: boolean[] = [];
		const probe = async () =>
			await traffic.send({ slots: traffic.sharedSlots, capacity }, async (isProbe) => {
				turns.push(isProbe);
				await clock.sleep(100);
				traffic.reportCreate(capacity, isProbe, 'unknown');
			});
		expect(await passTime(Promise.all([probe(), probe(), probe()]))).toBeCloseTo(0.3);
		expect(turns).toEqual([true, true, true]);
	});

	test('a request is sent once more when it has waited as long as it may', async () => {
		const { traffic, sent, send } = createFull();
		const short = { ...capacity, maxWait: 10 };
		await passTime(send('a', { capacity: short, isRetry: true, since: 0 }));
		expect(sent).toEqual([{ name: 'a', at: 10_000 }]);
		expect(traffic.getCapacityDeadline(short, 0)).toBe(10_000);
		traffic.reportCreate(capacity, true, 'accepted');
		expect(traffic.getCapacityDeadline(short, 0)).toBe(clock.elapsed() + 10_000);
	});

	test('the concurrency stays halved until a probe is rejected', async () => {
		const traffic = createAccountTraffic();
		await passTime(clock.sleep(1000));
		traffic.reportCreate(capacity, false, 'rejected');
		traffic.reportResponse(true, 5);
		traffic.reportCreate(capacity, false, 'rejected');
		expect(traffic.sharedSlots.limit).toBe(5);
		traffic.reportCreate(capacity, true, 'rejected');
		expect(traffic.sharedSlots.limit).toBe(10);
	});

	test('the end of a job lets one of them start', async () => {
		const { traffic, sent, send } = createFull();
		const waiting = send('a', { capacity, isRetry: true });
		void clock.sleep(5000).then(() => traffic.reportJobEnd('videos'));
		await passTime(waiting);
		expect(sent).toEqual([{ name: 'a', at: 5000 }]);
	});

	test('jobs of this process run from their start to their end', () => {
		const traffic = createAccountTraffic();
		expect(traffic.hasRunningJobs('videos')).toBe(false);
		traffic.reportCreate(capacity, false, 'accepted');
		expect(traffic.hasRunningJobs('videos')).toBe(true);
		expect(traffic.hasRunningJobs('other')).toBe(false);
		traffic.reportJobEnd('videos');
		expect(traffic.hasRunningJobs('videos')).toBe(false);
	});
});

test('a slot stays taken until a stream is closed', async () => {
	const traffic = createAccountTraffic();
	const slots = createConcurrencySlots(1);
	const { sent, send } = record(traffic);
	const stream = traffic.send(
		{ slots },
		async () => await Promise.resolve('stream'),
		async () => await clock.sleep(5000),
	);
	await passTime(Promise.all([stream, send('next', { slots })]));
	expect(sent).toEqual([{ name: 'next', at: 5000 }]);
});

test('a per-minute limit holds back its own requests and no others', async () => {
	const traffic = createAccountTraffic();
	const { sent, names: sentNames, send } = record(traffic);
	const perMinuteLimit = { name: 'speech', perMinute: 30 };
	const speech = names(31).map(async (name) => await send(name, { perMinuteLimit }));
	await passTime(Promise.all([...speech, send('other')]));
	expect(sentNames()).toEqual([...names(30), 'other', '30']);
	expect(sent.at(-1)?.at).toBe(61_000);
});

test('a pause holds back all requests of the account', async () => {
	const traffic = createAccountTraffic();
	const { sent, send } = record(traffic);
	traffic.pause(20, true);
	traffic.pause(5, true);
	const own = send('own slots', { slots: createConcurrencySlots(1) });
	const shared = send('shared');
	await passTime(Promise.all([shared, own]));
	expect(sent).toEqual([
		{ name: 'own slots', at: 20_000 },
		// No response came before the pause: the lowest rate applies.
		{ name: 'shared', at: 22_000 },
	]);
	expect(traffic.getRate()).toBe(0.5);
});

test('a pause after a response is known before the next request is sent', async () => {
	const traffic = createAccountTraffic();
	const slots = createConcurrencySlots(1);
	const { sent, send } = record(traffic);
	const first = send('first', { slots }).then(() => traffic.pause(10, false));
	await passTime(Promise.all([first, send('second', { slots })]));
	expect(sent.map(({ at }) => at)).toEqual([0, 10_100]);
});

test('a pause that the service did not ask for teaches no rate', async () => {
	const traffic = createAccountTraffic();
	const { sent, send } = record(traffic);
	traffic.pause(2, false);
	await passTime(Promise.all(names(4).map(async (name) => await send(name))));
	expect(sent.map(({ at }) => at)).toEqual([2000, 2025, 2050, 2075]);
	expect(traffic.getRate()).toBeUndefined();
});

describe('an abort', () => {
	test('ends the wait at once, whatever the request waits for', async () => {
		const traffic = createAccountTraffic();
		const { sent, send } = record(traffic);
		const stop = new AbortController();
		const { signal } = stop;
		const full = createConcurrencySlots(0);
		traffic.pause(60, true);
		const before = send('before');
		const waiting = Promise.all([
			send('in the pause', { signal }),
			send('for a slot', { signal, slots: full }),
		]);
		void clock.sleep(1000).then(() => stop.abort());
		expect(await passTime(waiting)).toBe(1);
		const aborted = 'aborted';
		expect(await waiting).toEqual([aborted, aborted]);
		expect(await send('later', { signal })).toEqual(aborted);
		await passTime(before);
		expect(sent).toEqual([{ name: 'before', at: 60_000 }]);
		expect(full).toEqual({ limit: 0, inFlight: 0, waiting: 0 });
	});

	test('ends the timer of the request', () => {
		const sleep = jest.spyOn(clock, 'sleep');
		const traffic = createAccountTraffic();
		const stop = new AbortController();
		traffic.pause(60, false);
		void record(traffic).send('a', { signal: stop.signal });
		stop.abort();
		expect(sleep.mock.calls.map(([time, signal]) => [time, signal?.aborted])).toEqual([
			[60_000, true],
		]);
		sleep.mockRestore();
	});

	test('removes only its own requests from the queue', async () => {
		const traffic = createAccountTraffic();
		const slots = createConcurrencySlots(1);
		const { names: sentNames, send } = record(traffic);
		const stop = new AbortController();
		const first = send('first', { slots });
		const stopped = send('stopped', { slots, signal: stop.signal });
		const other = send('other', { slots });
		stop.abort();
		await passTime(Promise.all([first, stopped, other]));
		expect(await stopped).toBe('aborted');
		expect(await other).toBe('other');
		expect(sentNames()).toEqual(['first', 'other']);
	});

	test('leaves no listener behind, however many requests have waited for the signal', async () => {
		const traffic = createAccountTraffic();
		const { send } = record(traffic);
		const { signal } = new AbortController();
		const added = jest.spyOn(signal, 'addEventListener');
		const removed = jest.spyOn(signal, 'removeEventListener');
		await passTime(Promise.all(names(100).map(async (name) => await send(name, { signal }))));
		expect(added.mock.calls.length).toBeGreaterThan(0);
		expect(removed.mock.calls).toEqual(added.mock.calls);
	});
});

/** A service that accepts a number of requests per window. Returns the pause it asks for. */
function createWindows(seconds: number, most: number) {
	let from = -Infinity;
	let count = 0;
	return () => {
		const now = clock.now() / 1000;
		if (now - from >= seconds) [from, count] = [now, 0];
		return ++count > most ? Math.max(1, Math.ceil(from + seconds - now)) : undefined;
	};
}

/** Sends that many requests, each until the service accepts it. */
async function sendAll(count: number, service: () => number | undefined) {
	const traffic = createAccountTraffic();
	const random = createRandom();
	let rejected = 0;
	const sendOne = async () => {
		for (;;) {
			const pause = await traffic.send({ slots: traffic.sharedSlots }, async () => {
				const sentAt = clock.now();
				await clock.sleep(5 + random() * 5);
				const seconds = service();
				traffic.reportResponse(seconds !== undefined, clock.now() - sentAt);
				return seconds;
			});
			if (typeof pause !== 'number') return;
			rejected++;
			traffic.pause(pause, true);
			await clock.sleep(pause * 1000 + random() * 350);
		}
	};
	const seconds = await passTime(Promise.all(Array.from({ length: count }, sendOne)));
	return { seconds, rejected };
}

test.each([
	['10 a second', 1, 10, 500],
	['2 a second', 1, 2, 100],
	['100 in ten seconds', 10, 100, 500],
	['600 a minute', 60, 600, 1_200],
])('at least nine tenths of %s are used', async (_, window, most, count) => {
	const { seconds, rejected } = await sendAll(count, createWindows(window, most));
	expect(count / seconds / (most / window)).toBeGreaterThan(0.9);
	// Almost no request is rejected twice: attempts are limited.
	expect(rejected).toBeLessThan(count / 4);
});
