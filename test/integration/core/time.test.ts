/** The virtual time of these tests: see support/time.ts. */
import type { IDataObject } from 'n8n-workflow';
import { avatar, items } from '../support/calls';
import { clock } from '../support/core';
import { runForItems, runNode } from '../support/engine';
import { useService } from '../support/service';
import { runAfter, withVirtualTime, waitFor } from '../support/time';

const service = useService({ jobSeconds: 1500 });

const waiting = (options = {}) => avatar({ waitForCompletion: true, options });
const polls = () => service.control.requests({ method: 'GET', path: /videos/ });

test('a wait of 25 minutes passes at once, with no more polls than it needs', async () => {
	const startedAt = clock.now();
	const [item] = await runForItems(service, 'VideoGenVideo', waiting());
	expect(item?.json.status).toBe('completed');
	expect(clock.now() - startedAt).toBeGreaterThanOrEqual(1_500_000);
	const at = polls().map((request) => request.at);
	const pauses = at.slice(1).map((time, i) => time - (at[i] ?? 0));
	expect(pauses.length).toBeGreaterThan(10);
	expect(Math.min(...pauses)).toBeGreaterThan(1);
});

test('the service and the nodes have the same time', async () => {
	await runForItems(service, 'VideoGenVideo', waiting());
	expect(Math.abs(service.control.clock.now() - clock.now() / 1000)).toBeLessThan(0.1);
});

test('a request in flight stops the time for all items', async () => {
	service.control.fail({ method: 'POST', path: '/v3/videos', delayMs: 400, times: 1 });
	await runForItems(service, 'VideoGenVideo', waiting(), { items: items(2) });
	const jobs = service.control.jobs('video') as Array<IDataObject & { created: number }>;
	const created = jobs.map((job) => job.created).sort((a, b) => a - b);
	expect((created[1] ?? 0) - (created[0] ?? 0)).toBeLessThan(5);
	expect(polls().filter(({ at }) => at < (created[1] ?? 0))).toEqual([]);
});

test('pauses end in order of time, also those that begin later', async () => {
	const ended: string[] = [];
	const pause = async (name: string, ...seconds: number[]) => {
		for (const one of seconds) {
			await clock.sleep(one * 1000);
			ended.push(name);
		}
	};
	const begun = clock.now();
	await withVirtualTime({}, async () => {
		await Promise.all([pause('a', 60, 10), pause('b', 5, 5, 5), pause('c', 62), pause('d', 600)]);
	});
	expect(ended).toEqual(['b', 'b', 'b', 'a', 'c', 'a', 'd']);
	expect(clock.now() - begun).toBeGreaterThanOrEqual(600_000);
	expect(clock.now() - begun).toBeLessThan(610_000);
});

test('an aborted signal ends a pause with its reason', async () => {
	const stop = new AbortController();
	await withVirtualTime({}, async () => {
		runAfter(3, () => stop.abort(new Error('enough')));
		await expect(clock.sleep(1_000_000, stop.signal)).rejects.toThrow('enough');
		await expect(clock.sleep(1000, stop.signal)).rejects.toThrow('enough');
	});
});

test('a test sees what it waits for before more time passes', async () => {
	const begun = clock.now();
	const running = runNode(service, 'VideoGenVideo', waiting());
	await waitFor(() => polls().length === 2);
	expect((clock.now() - begun) / 1000).toBeLessThan(30);
	service.control.failJob(String((service.control.jobs('video')[0] as IDataObject).id));
	expect((await running).error?.message).toContain('The video failed');
});

test('time is real if a test says so', async () => {
	const real = Date.now();
	const { error } = await runNode(
		service,
		'VideoGenVideo',
		waiting({ pollInterval: 1, waitTimeout: 0.01 }),
		{ realTime: true },
	);
	expect(error?.message).toContain('was not finished');
	expect(Date.now() - real).toBeGreaterThanOrEqual(600);
});
