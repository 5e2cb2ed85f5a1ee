/** The running jobs of an account. */
import { clock } from '../../../nodes/core/clock';
import type { Client } from '../../../nodes/core/http/client';
import {
	trackRunningJobs,
	startPollingWhenAccountFull,
	updateRunningJob,
	runWithJobMarkedAsPolled,
} from '../../../nodes/core/jobs/runningJobs';
import { videoJob } from '../../../nodes/jobKinds/catalog';

afterEach(() => jest.restoreAllMocks());

test('are remembered for 24 hours after the last of them was started', () => {
	let hours = 0;
	jest.spyOn(clock, 'now').mockImplementation(() => hours * 3600_000);
	const setRunningJobs = jest.fn();
	const client = { account: 'running', traffic: { setRunningJobs } } as unknown as Client;
	const start = (id: string) => trackRunningJobs(client, 'videos', [{ kind: videoJob, id }]);
	for (; hours <= 30; hours += 10) start(`${hours}`);
	expect(setRunningJobs.mock.calls.at(-1)).toEqual(['videos', 4]);
	hours += 25;
	start('later');
	expect(setRunningJobs.mock.calls.at(-1)).toEqual(['videos', 1]);
});

describe('while the account is full', () => {
	const job = { kind: videoJob, id: 'v1' };

	/** An account with one running job, which `follow` polls when `notify` is called. */
	function createFullAccount(account: string, follow = async () => await Promise.resolve()) {
		jest.spyOn(clock, 'sleep').mockImplementation(async (_, signal) => signal?.throwIfAborted());
		let notify = () => undefined as void;
		const unsubscribe = jest.fn();
		const traffic = {
			setRunningJobs: jest.fn(),
			reportJobEnd: jest.fn(),
			getFullSince: () => 0,
			onCapacityChange: (listener: () => void) => {
				notify = listener;
				return unsubscribe;
			},
		};
		const signal = new AbortController().signal;
		const client = { account, signal, traffic } as unknown as Client;
		trackRunningJobs(client, 'videos', [job]);
		const followed = jest.fn(follow);
		const end = startPollingWhenAccountFull(client, followed);
		/** Tells that a request waits for a job to end, and waits until all polls have begun. */
		const wait = async () => {
			notify();
			await new Promise((resolve) => setImmediate(resolve));
		};
		return { client, traffic, followed, wait, end, unsubscribe };
	}

	test('a job is polled for the waiting request, but not while a node run polls it', async () => {
		const { client, traffic, followed, wait } = createFullAccount('polled');
		const poll = async () => {
			await wait();
			expect(followed).not.toHaveBeenCalled();
			return 'ended';
		};
		expect(await runWithJobMarkedAsPolled(client, job, poll)).toBe('ended');
		expect(traffic.setRunningJobs).toHaveBeenCalledTimes(2);
		await wait();
		expect(followed).toHaveBeenCalledWith(expect.objectContaining({ account: 'polled' }), job);
	});

	test('a job that ends or cannot be read leaves its place to another', async () => {
		const unreadable = createFullAccount('unreadable', async () => await Promise.reject(Error()));
		await unreadable.wait();
		expect(unreadable.traffic.reportJobEnd.mock.calls).toEqual([['videos', true]]);
		expect(unreadable.traffic.setRunningJobs).toHaveBeenLastCalledWith('videos', 0);

		const { client, traffic } = createFullAccount('ended');
		updateRunningJob(client, job, { status: 'processing' });
		expect(traffic.reportJobEnd).not.toHaveBeenCalled();
		updateRunningJob(client, job, { status: 'completed' });
		updateRunningJob(client, job, { status: 'completed' });
		expect(traffic.reportJobEnd).toHaveBeenCalledTimes(1);
	});

	test('no job is polled after the node run has ended', async () => {
		const { followed, wait, end, unsubscribe } = createFullAccount('over');
		end();
		await wait();
		expect(followed).not.toHaveBeenCalled();
		expect(unsubscribe).toHaveBeenCalledTimes(1);
	});
});
