/** When a run that waits for jobs suspends its execution, until when, and what it stores. */
import type { FailedReadStreak, Job, WaitPolicy } from '../../../nodes/core/jobs/types';
import { setImmediate as nextRound } from 'node:timers/promises';
import { clock } from '../../../nodes/core/clock';
import {
	calculateSuspension,
	createSuspensionPlanner,
	findFailedReads,
	type StoredWait,
	type SuspensionPlanner,
	type SuspensionPlan,
} from '../../../nodes/core/suspend/suspension';
import { lipsyncJob, videoJob } from '../../../nodes/jobKinds/catalog';
import { passTime, useVirtualTime } from '../http/virtualTime';
import { createStatusService, fail, type Response } from '../jobs/statusService';

useVirtualTime();
beforeEach(() => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	jest.spyOn(clock, 'tick').mockImplementation(async () => await nextRound());
});

/** Runs of the test. Many that are not closed would count as executions at once. */
const runs: SuspensionPlanner[] = [];
afterEach(() => runs.splice(0).forEach((run) => run.close()));

const minute = 60_000;
const running = { status: 'processing' };
const done = { status: 'completed' };
const job: Job = { kind: lipsyncJob, id: 'a' };
const other: Job = { kind: lipsyncJob, id: 'b' };
const day: WaitPolicy = { timeout: 86_400 };
/** The policy of a wait that began before the execution was suspended. */
const continued = (): WaitPolicy => ({ ...day, since: clock.now() - 1 });

test.each([
	[0, 0, 65_000],
	[0, 1, 71_500],
	[6 * minute, 0, 65_000],
	[12 * minute, 0, 2 * minute],
	[12 * minute, 0.5, 2.1 * minute],
	[1_000 * minute, 0, 5 * minute],
	[1_000 * minute, 1, 5.5 * minute],
])('after %d ms of waiting, with the random number %d, it takes %d ms', (...row) => {
	const [waited, random, pause] = row;
	expect(calculateSuspension(waited, random)).toBeCloseTo(pause);
});

interface Settings {
	isPossible?: boolean;
	earlier?: StoredWait;
	requests?: number;
	statuses?: Record<string, Response | Response[]>;
}

/** A run that has sent nothing yet, and whose jobs keep running unless the settings say otherwise. */
function createRun({ isPossible = true, earlier, requests = 1, statuses }: Settings = {}) {
	const service = createStatusService(statuses ?? { a: running, b: running });
	const client = Object.assign(service.client, {
		...{ zone: 'UTC', warn: jest.fn() },
		shareInRun: (_: string, create: () => object) => create(),
	});
	const suspension = createSuspensionPlanner({ isPossible, earlier, requests });
	runs.push(suspension);
	let plan: (SuspensionPlan & { seconds: number }) | undefined;
	void suspension.decided.then((decided) => {
		plan = { ...decided, seconds: clock.now() / 1000 };
	});
	let isEnded = false;
	const noStop = new AbortController().signal;
	void suspension.untilAllEnded(noStop).then(() => (isEnded = true));
	/** Sends a request, and begins to wait for its job. */
	const send = (started: Job = job, policy: WaitPolicy = day) => {
		suspension.recordAcceptance();
		suspension.endSend();
		return wait(started, policy);
	};
	const wait = (awaited: Job = job, policy: WaitPolicy = day) => {
		const waiting = suspension.awaitJob(client, awaited, policy);
		waiting.catch(() => {});
		return waiting;
	};
	const pass = async (seconds: number) => await passTime(clock.sleep(seconds * 1000));
	return {
		...{ suspension, client, send, wait, pass, requests: service.requests },
		getPlan: () => plan,
		isEnded: () => isEnded,
	};
}

describe('a first attempt', () => {
	test('is suspended after a minute in place', async () => {
		const { send, pass, getPlan, isEnded } = createRun();
		void send();
		await pass(59.9);
		expect(getPlan()).toBeUndefined();
		await pass(1);
		expect(getPlan()).toMatchObject({
			jobs: [job],
			unsent: 0,
			until: new Date(125_000),
			wait: { suspensions: 1 },
			seconds: 60,
		});
		expect(isEnded()).toBe(false);
	});

	test('counts the minute from the latest create request', async () => {
		const { suspension, send, pass, getPlan } = createRun({ requests: 2 });
		void send();
		await pass(40);
		void send(other);
		await pass(59);
		expect(getPlan()).toBeUndefined();
		await pass(2);
		expect(getPlan()).toMatchObject({ jobs: [job, other], unsent: 0, seconds: 100 });
		suspension.close();
	});

	test('stays for five minutes while rows wait for capacity', async () => {
		const { send, pass, getPlan } = createRun({ requests: 2 });
		void send();
		await pass(299);
		expect(getPlan()).toBeUndefined();
		await pass(31);
		expect(getPlan()).toMatchObject({ jobs: [job], unsent: 1, seconds: 300 });
	});

	test('is suspended once the last row has failed to start', async () => {
		const { suspension, send, pass, getPlan } = createRun({ requests: 2 });
		void send();
		await pass(100);
		expect(getPlan()).toBeUndefined();
		suspension.endSend();
		await pass(1);
		expect(getPlan()).toMatchObject({ unsent: 0, seconds: 100 });
	});

	test('waits until each job has been read', async () => {
		const { send, pass, getPlan } = createRun();
		void send(job, { ...day, interval: 90 });
		await pass(89);
		expect(getPlan()).toBeUndefined();
		await pass(2);
		expect(getPlan()?.seconds).toBe(90);
	});

	test('is not suspended without a job that runs', async () => {
		const { suspension, pass, getPlan, isEnded } = createRun();
		await pass(1_000);
		expect([getPlan(), isEnded()]).toStrictEqual([undefined, false]);
		suspension.endSend();
		await pass(1);
		expect([getPlan(), isEnded()]).toStrictEqual([undefined, true]);
	});

	test('that cannot be suspended waits in place, and what follows from a job is done at once', async () => {
		const { send, pass, getPlan, isEnded } = createRun({ isPossible: false });
		await pass(1);
		expect(isEnded()).toBe(true);
		void send();
		await pass(1_000);
		expect(getPlan()).toBeUndefined();
	});
});

describe('the timeout', () => {
	test.each([
		[124.9, undefined],
		[125, 125],
		[124.9 + 65, 125],
	])('of %d s: the execution is suspended until second %s', async (timeout, until) => {
		const { send, pass, getPlan } = createRun();
		const waiting = send(job, { timeout });
		await pass(61);
		expect(getPlan()?.until).toEqual(until === undefined ? undefined : new Date(until * 1000));
		if (until !== undefined) return;
		await passTime(waiting);
		expect(await waiting).toMatchObject({ outcome: 'timeout' });
		expect([getPlan(), clock.now() / 1000]).toStrictEqual([undefined, timeout]);
	});

	test('ends a suspension that would be longer', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(1);
		const { send, pass, getPlan } = createRun();
		void send(job, { timeout: 130 });
		await pass(61);
		expect(getPlan()?.until).toEqual(new Date(130_000));
	});

	test('of the job that has the least time left counts', async () => {
		const { send, pass, getPlan } = createRun({ requests: 2 });
		void send(job, { timeout: 126 });
		void send(other, { timeout: 600 });
		await pass(61);
		expect(getPlan()?.until).toEqual(new Date(125_000));
	});
});

describe('a resumed attempt', () => {
	test('is not suspended again before its jobs have been read, however many others wait', async () => {
		for (let others = 0; others < 21; others++) createRun();
		const { suspension, client, wait, pass, getPlan } = createRun({ earlier: { suspensions: 1 } });
		const { fetchData } = client;
		jest.spyOn(client, 'fetchData').mockImplementation(async (request) => {
			await clock.sleep(5_000);
			return await fetchData(request);
		});
		suspension.endSend();
		void wait(job, continued());
		await pass(4);
		expect(getPlan()).toBeUndefined();
		await pass(2);
		expect(getPlan()?.wait.suspensions).toBe(2);
	});

	const earlier = { suspensions: 3 };

	test('is suspended again once each job has been read', async () => {
		const { suspension, wait, pass, getPlan, requests } = createRun({ earlier, requests: 2 });
		suspension.endSend();
		suspension.endSend();
		void wait(job, continued());
		void wait(other, continued());
		await pass(1);
		expect(requests.length).toBeGreaterThan(0);
		expect(getPlan()).toMatchObject({
			jobs: [job, other],
			unsent: 0,
			wait: { suspensions: 4 },
		});
		expect(getPlan()?.seconds).toBeLessThan(1);
	});

	test('lets rows that wait for capacity try to start for half a minute', async () => {
		const { suspension, wait, pass, getPlan } = createRun({ earlier, requests: 2 });
		suspension.endSend();
		void wait();
		await pass(29);
		expect(getPlan()).toBeUndefined();
		await pass(2);
		expect(getPlan()).toMatchObject({ unsent: 1, seconds: 30 });
	});

	test.each([1, 2])('stays for a minute after it has created a job (of %d rows)', async (left) => {
		const { suspension, send, wait, pass, getPlan } = createRun({ earlier, requests: 1 + left });
		suspension.endSend();
		void wait();
		await pass(20);
		void send(other);
		await pass(59);
		expect(getPlan()).toBeUndefined();
		await pass(2);
		expect(getPlan()).toMatchObject({ unsent: left - 1, seconds: 80 });
	});

	test('is suspended for longer, the longer the newest job has been awaited', async () => {
		await passTime(clock.sleep(60 * minute));
		const { suspension, wait, pass, getPlan } = createRun({ earlier, requests: 2 });
		suspension.endSend();
		suspension.endSend();
		void wait(job, { ...day, since: 0 });
		void wait(other, { ...day, since: 48 * minute });
		await pass(1);
		const pause = Number(getPlan()?.until) - 60 * minute;
		expect(pause / minute).toBeCloseTo(2, 1);
	});
});

describe('status checks that fail', () => {
	const unavailable = fail({ status: 503, code: 'service_unavailable' });

	test('are stored with the suspension, and are then counted on', async () => {
		const { send, pass, getPlan } = createRun({ statuses: { a: unavailable } });
		void send();
		await pass(61);
		expect(getPlan()?.wait).toMatchObject({
			suspensions: 1,
			streaks: { 'lipsync a': { since: 10_000, cause: '503' } },
		});
		const earlier = getPlan()?.wait;
		const again = createRun({ statuses: { a: unavailable }, earlier });
		again.suspension.endSend();
		void again.wait(job, continued());
		await again.pass(0.1);
		expect(again.getPlan()?.wait).toMatchObject({
			suspensions: 2,
			streaks: { 'lipsync a': { since: 10_000, cause: '503' } },
		});
	});

	test('are forgotten after one that succeeds', async () => {
		const failedReads: FailedReadStreak = {
			...{ since: 0, cause: '503', doubtful: 0, doubtfulSince: 0 },
		};
		const { suspension, wait, pass, getPlan } = createRun({
			earlier: { suspensions: 1, streaks: { 'lipsync a': failedReads } },
		});
		suspension.endSend();
		void wait(job, continued());
		await pass(0.1);
		const later = getPlan()?.wait as StoredWait;
		expect([later.suspensions, findFailedReads(later)]).toStrictEqual([2, undefined]);
	});

	test('for good end the wait of their job', async () => {
		const { send, isEnded } = createRun({ statuses: { a: fail({ status: 403, code: 'no' }) } });
		const waiting = send();
		await passTime(waiting.catch(() => {}));
		await expect(waiting).rejects.toThrow('No');
		await passTime(clock.sleep(1));
		expect(isEnded()).toBe(true);
	});
});

describe('the end of all jobs', () => {
	test('comes with the last of them', async () => {
		const statuses = { a: done, b: [running, done] };
		const { send, pass, isEnded } = createRun({ requests: 2, statuses });
		const waits = [send(), send(other)];
		await pass(6);
		expect(isEnded()).toBe(false);
		await passTime(Promise.all(waits));
		await pass(0.1);
		expect(isEnded()).toBe(true);
	});

	test('does not come before a job that is created again', async () => {
		const { suspension, send, wait, pass, isEnded } = createRun({ statuses: { a: done, b: done } });
		const waiting = send();
		let sendAgain = () => {};
		const sent = new Promise<void>((resolve) => (sendAgain = resolve));
		void waiting.then(async () => await suspension.whileBusy(async () => await sent));
		await pass(10);
		expect(isEnded()).toBe(false);
		sendAgain();
		void wait(other);
		await pass(10);
		expect(isEnded()).toBe(true);
	});

	test('is not awaited after a stop', async () => {
		const { suspension, send, pass } = createRun();
		void send();
		const stop = new AbortController();
		const waiting = suspension.untilAllEnded(stop.signal);
		const reason = new Error('Stopped');
		stop.abort(reason);
		await expect(waiting).rejects.toBe(reason);
		await pass(1);
	});
});

describe('a job that several items name', () => {
	test('is awaited once', async () => {
		const { wait, requests, pass } = createRun({ statuses: { a: done } });
		const outcomes = [wait(), wait({ ...job, row: 1 })];
		await passTime(Promise.all(outcomes));
		const [first, second] = await Promise.all(outcomes);
		expect(first).toBe(second);
		expect(requests.filter(({ path }) => path?.lipsync_id === 'a')).toHaveLength(1);
		await pass(1);
	});

	test.each<[string, Job]>([
		['another kind', { kind: videoJob, id: 'a' }],
		['another state before it continued', { ...job, before: { digest: 'x' } }],
	])('is another job with %s', async (_, second) => {
		const { wait, pass, getPlan } = createRun();
		void wait();
		void wait(second);
		await pass(61);
		expect(getPlan()).toBeUndefined();
	});
});

test('nothing is pending after the end of the run', async () => {
	const sleep = jest.spyOn(clock, 'sleep');
	const { suspension } = createRun();
	const [[, signal]] = sleep.mock.calls as [[number, AbortSignal]];
	expect(signal.aborted).toBe(false);
	suspension.close();
	expect(signal.aborted).toBe(true);
	await passTime(clock.tick());
});

// docs/waiting.md
test.each([
	[3, 40],
	[5, 40],
	[10, 60],
	[20, 120],
	[60, 170],
])(
	'the end of a job that takes about %d minutes is noticed within %d seconds on average',
	(minutes, latest) => {
		const ends = Array.from({ length: 1_000 }, (_, i) => minutes * 60_000 * (0.8 + i / 2_500));
		const delays = ends.map((end, i) => {
			let time = 60_000;
			while (time < end) time += calculateSuspension(time, (i % 10) / 10);
			return (time - end) / 1000;
		});
		const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
		expect(mean).toBeLessThan(latest);
		expect(mean).toBeGreaterThan(latest / 2);
	},
);
