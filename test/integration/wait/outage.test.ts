/** VideoGen Wait for Job and Wait for Completion while the service cannot be reached. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Fault } from '../../../simulator';
import { continueOnFail, createCalls, getValues, readLog, waiting } from '../support/calls';
import { clock } from '../support/core';
import { useService } from '../support/service';
import { runAfter } from '../support/time';
import { createWaitFlow, type WaitRun, type WaitSettings } from '../support/waiting';

const service = useService({ jobSeconds: 100 });
const calls = createCalls(service);

const countReads = () => service.control.requests({ method: 'GET' }).length;
const failReads = (fault: Fault) =>
	service.control.fail({ method: 'GET', path: /videos/, ...fault });
const createVideos = async (count: number) => (await calls.createVideos(count)).items;

const down: Fault = { status: 503, code: 'service_unavailable' };
const page = { body: '<html>Please log in</html>' };

afterEach(() => jest.restoreAllMocks());

async function suspend(all: INodeExecutionData[], settings: Partial<WaitSettings> = {}) {
	const flow = createWaitFlow(service, { items: all, ...settings });
	return { flow, state: await flow.start() };
}

/** Resumes an execution whenever it is due, until it ends. */
async function finish({ flow, state }: Awaited<ReturnType<typeof suspend>>): Promise<WaitRun> {
	let last = state;
	while (last.resumeAt) last = await flow.resume(last);
	return last;
}

test('a check during an outage makes two attempts, and the item and the log say since when', async () => {
	const log = readLog();
	const created = await createVideos(1);
	failReads(down);
	const before = countReads();
	const began = clock.now();
	const { flow, state } = await suspend(created);
	expect(countReads() - before).toBe(2);
	// n8n's default zone, which the workflow has.
	const format = { timeZone: 'America/New_York', timeStyle: 'short', hourCycle: 'h23' } as const;
	const since = new Intl.DateTimeFormat('en', format).format(began);
	const sentence = `The service has been unreachable since ${since} (503)`;
	expect(state.run.status).toBe('waiting');
	expect(state.unfinished[0]?.json.still_running).toContain(`${sentence}. The node checks again`);

	const second = await flow.resume(state);
	expect(second.unfinished[0]?.json.still_running).toContain(sentence);
	const { video_id } = created[0]?.json ?? {};
	const warning = `warn Wait (workflow workflow): ${sentence}. The wait for video ${String(video_id)} continues.`;
	expect(log.filter((line) => line.includes('has been unreachable'))).toEqual([warning]);

	service.control.clearFaults();
	const { finished } = await finish({ flow, state: second });
	expect(getValues(finished, 'video_id')).toEqual([video_id]);
});

test('an outage of two and a half hours is logged once per hour', async () => {
	const log = readLog();
	const created = await createVideos(1);
	failReads(down);
	const began = clock.now();
	const { flow, state: first } = await suspend(created);
	let state = first;
	while (clock.now() - began < 9_000_000) state = await flow.resume(state);
	expect(log.filter((line) => line.includes('has been unreachable'))).toHaveLength(3);
});

describe.each<[string, Fault]>([
	['a page with status 200', { status: 200, ...page }],
	['a page with status 403', { status: 403, ...page }],
	['a 401', { status: 401, code: 'unauthorized' }],
])('%s', (_, fault) => {
	test('does not end a suspended wait', async () => {
		const created = await createVideos(2);
		failReads({ ...fault, times: 3 });
		const { finished } = await finish(await suspend(created));
		expect(getValues(finished, 'video_id')).toEqual(getValues(created, 'video_id'));
	});

	test('ends a suspended wait after several checks, and the error names the jobs', async () => {
		const created = await createVideos(2);
		failReads(fault);
		const began = clock.now();
		const { run, error } = await finish(await suspend(created));
		expect(run.status).toBe('error');
		expect(clock.now() - began).toBeGreaterThanOrEqual(120_000);
		expect(clock.now() - began).toBeLessThan(240_000);
		for (const id of getValues(created, 'video_id')) {
			expect(error?.description).toContain(String(id));
		}
	});

	test('does not end a wait in place', async () => {
		failReads({ ...fault, times: 2 });
		const { items: output, error } = await calls.createVideos(1, waiting());
		expect(error).toBeUndefined();
		expect(getValues(output, 'status')).toEqual(['completed']);
	});

	test('ends a wait in place after two minutes, and the error names the job', async () => {
		failReads(fault);
		const began = clock.now();
		const { error } = await calls.createVideos(1, waiting());
		expect(clock.now() - began).toBeGreaterThanOrEqual(120_000);
		const [{ id }] = calls.jobs('video') as [{ id: string }];
		expect(error?.description).toContain(id);
	});
});

test('a wait in place survives an outage, polls little and reports it in the log', async () => {
	const log = readLog();
	failReads(down);
	runAfter(1_200, () => service.control.clearFaults());
	const before = countReads();
	const { items: output } = await calls.createVideos(5, waiting());
	expect(getValues(output, 'status')).toEqual(Array(5).fill('completed'));
	// At most a probe every 15 seconds for 20 minutes.
	expect(countReads() - before).toBeLessThanOrEqual(80 + 30);
	expect(log.filter((line) => line.includes('has been unreachable'))).toHaveLength(1);
});

test('a wait that times out during an outage says so', async () => {
	const created = await createVideos(1);
	failReads(down);
	const parameters = { options: { waitTimeout: 3 } };
	const { finished } = await finish(await suspend(created, { parameters, node: continueOnFail }));
	const { description } = finished[0]?.json.details as IDataObject;
	expect(description).toMatch(/^The service has been unreachable since .* \(503\)\. The video /);
});

test('batched lookups that fail do not send a request for each job', async () => {
	service.control.holdJobs(true);
	service.control.setWorkspace({ jobsAtOnce: 100 });
	const created = await createVideos(60);
	failReads(down);
	const before = countReads();
	const { state } = await suspend(created);
	expect(state.run.status).toBe('waiting');
	expect(countReads() - before).toBeLessThan(30);
});

/** Number of suspended executions. WAITS=1000 takes minutes. */
const waits = Number(process.env.WAITS ?? 60);

test(
	`${waits} suspended executions send at most 30 requests per minute for an hour, and then continue within five minutes`,
	async () => {
		readLog();
		service.control.holdJobs(true);
		service.control.setWorkspace({ jobsAtOnce: 10_000 });
		const created = await createVideos(waits);
		failReads(down);
		const atFirst = countReads();
		const flows = await Promise.all(created.map(async (item) => await suspend([item])));
		const requests = new Map([[0, countReads() - atFirst]]);
		const began = clock.now();
		let ended: number | undefined;
		const finishedAfter: number[] = [];
		while (flows.length > 0) {
			flows.sort((a, b) => Number(a.state.resumeAt) - Number(b.state.resumeAt));
			const [next] = flows as [Awaited<ReturnType<typeof suspend>>];
			if (ended === undefined && Number(next.state.resumeAt) - began > 3_600_000) {
				ended = began + 3_600_000;
				service.control.clearFaults();
				service.control.holdJobs(false);
				service.control.clock.advance(300);
			}
			const before = countReads();
			next.state = await next.flow.resume(next.state);
			const minute = Math.floor((clock.now() - began) / 60_000);
			if (ended === undefined) {
				requests.set(minute, (requests.get(minute) ?? 0) + countReads() - before);
			} else if (!next.state.resumeAt) {
				expect(next.state.run.status).toBe('success');
				finishedAfter.push((clock.now() - ended) / 1000);
				flows.shift();
			}
		}
		expect(Math.max(...requests.values())).toBeLessThanOrEqual(30);
		expect(finishedAfter).toHaveLength(waits);
		expect(Math.max(...finishedAfter)).toBeLessThanOrEqual(300);
		// Spread, not all at once.
		expect(finishedAfter.filter((seconds) => seconds < 150).length).toBeGreaterThan(waits / 5);
	},
	120_000 + waits * 4_000,
);
