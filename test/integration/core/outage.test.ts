/** Waits for jobs while the service cannot be reached, in place and suspended. */
import type { IDataObject, INode, INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';
import type { Fault } from '../../../simulator';
import { avatar, continueOnFail, createCalls, getValues, readLog, waiting } from '../support/calls';
import { clock } from '../support/core';
import {
	buildWorkflow,
	connectTo,
	createNode,
	Credentials,
	resumeRun,
	runNodes,
	signedIn,
	type RunOptions,
} from '../support/engine';
import { useService } from '../support/service';
import { runAfter } from '../support/time';

const service = useService({ jobSeconds: 400 });
const calls = createCalls(service);
const { createVideos, waitForJobs, jobs, posts } = calls;

const countReads = () => service.control.requests({ method: 'GET' }).length;
const failReads = (fault: Fault) =>
	service.control.fail({ method: 'GET', path: /videos/, ...fault });

const down: Fault = { status: 503, code: 'service_unavailable' };
const page = { body: '<html>Please log in</html>' };

afterEach(() => jest.restoreAllMocks());

/** Creates videos and waits for them, in one node or in two. */
const nodes: Array<[string, typeof createVideos]> = [
	[
		'a create',
		async (count, more, options) =>
			await createVideos(count, { waitForCompletion: true, ...more }, options),
	],
	[
		'VideoGen Job Status',
		async (count, more, options) => {
			const { items } = await createVideos(count);
			return await waitForJobs(items, more, options);
		},
	],
];

/** Acts at the suspension with this number. */
function at(number: number, act: () => void): Required<Pick<RunOptions, 'onSuspend'>> {
	let count = 0;
	return {
		onSuspend: () => {
			if (++count === number) act();
		},
	};
}

const readHint = (run: IRun | undefined) =>
	run?.data.resultData.runData.Node?.[0]?.hints?.[0]?.message ?? '';

describe.each(nodes)('%s', (_, run) => {
	test('that is suspended survives an outage, and its hint and the log say since when', async () => {
		const log = readLog();
		const runs: IRun[] = [];
		let began = 0;
		const onSuspend = (suspended: IRun) => {
			runs.push(suspended);
			if (runs.length === 1) {
				began = Number(suspended.waitTill);
				failReads(down);
			}
			if (runs.length === 4) service.control.clearFaults();
		};
		const { items: out, error } = await run(2, {}, { onSuspend });
		expect(error).toBeUndefined();
		expect(getValues(out, 'status')).toEqual(['completed', 'completed']);
		expect(posts()).toHaveLength(2);
		// n8n's default zone, which the workflow has.
		const format = { timeZone: 'America/New_York', timeStyle: 'short', hourCycle: 'h23' } as const;
		const since = new Intl.DateTimeFormat('en', format).format(began);
		const sentence = `The service has been unreachable since ${since} (503)`;
		expect(readHint(runs[0])).not.toContain('unreachable');
		for (const suspended of runs.slice(1, 4)) expect(readHint(suspended)).toContain(sentence);
		expect(readHint(runs[4])).not.toContain('unreachable');
		const warnings = log.filter((line) => line.includes('has been unreachable'));
		expect(warnings).toEqual([expect.stringContaining(`${sentence}. The node continues to wait`)]);
	});

	test('that is suspended reports an outage of two and a half hours once per hour', async () => {
		const log = readLog();
		let end = Infinity;
		const onSuspend = () => {
			if (end === Infinity) {
				end = clock.now() + 9_000_000;
				failReads(down);
			} else if (clock.now() > end) service.control.clearFaults();
		};
		const { items: out } = await run(3, {}, { onSuspend });
		expect(getValues(out, 'status')).toEqual(Array(3).fill('completed'));
		expect(log.filter((line) => line.includes('has been unreachable'))).toHaveLength(3);
	});

	test('that waits in place during an outage polls little, and reports it once', async () => {
		const log = readLog();
		const onStart = () => failReads(down);
		const before = countReads();
		// In this mode, n8n waits for the end of the execution.
		runAfter(1_200, () => service.control.clearFaults());
		const options = { waitTimeout: 60 };
		const { items: out } = await run(
			5,
			{ options },
			{ onStart: once(onStart), mode: 'evaluation' },
		);
		expect(getValues(out, 'status')).toEqual(Array(5).fill('completed'));
		// At most a probe every 15 seconds for 20 minutes.
		expect(countReads() - before).toBeLessThanOrEqual(80 + 60);
		expect(log.filter((line) => line.includes('has been unreachable'))).toHaveLength(1);
	});

	test('that times out during an outage says so', async () => {
		const options = { waitTimeout: 5 };
		const { items: out } = await run(
			1,
			{ options },
			{ ...at(1, () => failReads(down)), node: continueOnFail },
		);
		const { description } = out[0]?.json.details as IDataObject;
		expect(description).toMatch(/^The service has been unreachable since .* \(503\)\. The video /);
	});

	describe.each<[string, Fault]>([
		['a page with status 200', { status: 200, ...page }],
		['a page with status 403', { status: 403, ...page }],
		['a 401', { status: 401, code: 'unauthorized' }],
	])('that gets %s', (__, fault) => {
		test('once or twice while it is suspended continues', async () => {
			const { items: out, error } = await run(
				2,
				{},
				at(2, () => failReads({ ...fault, times: 3 })),
			);
			expect(error).toBeUndefined();
			expect(getValues(out, 'status')).toEqual(['completed', 'completed']);
		});

		test('again and again while it is suspended ends after two minutes, and names the jobs', async () => {
			let began = 0;
			const { error } = await run(
				2,
				{},
				at(2, () => {
					began = clock.now();
					failReads(fault);
				}),
			);
			expect(error).toBeDefined();
			const minutes = (clock.now() - began) / 60_000;
			expect(minutes).toBeGreaterThanOrEqual(2);
			expect(minutes).toBeLessThan(6);
			const named = jobs('video').filter(({ id }) => error?.description?.includes(id));
			expect(named.length).toBeGreaterThan(0);
		});

		test('once or twice in place continues', async () => {
			const onStart = once(() => failReads({ ...fault, times: 2 }));
			const { items: out, error } = await run(1, {}, { onStart });
			expect(error).toBeUndefined();
			expect(getValues(out, 'status')).toEqual(['completed']);
		});
	});

	test('whose batched lookups fail sends a request for each job once at most', async () => {
		service.control.holdJobs(true);
		service.control.setWorkspace({ jobsAtOnce: 100 });
		const counts: number[] = [];
		let suspensions = 0;
		const onSuspend = () => {
			if (++suspensions === 1) failReads(down);
			if (suspensions === 4) {
				service.control.clearFaults();
				service.control.holdJobs(false);
			}
			counts.push(countReads());
		};
		const { items: out } = await run(60, {}, { onSuspend });
		expect(getValues(out, 'status')).toEqual(Array(60).fill('completed'));
		const [first = 0, ...others] = counts.slice(1, 4).map((count, i) => count - (counts[i] ?? 0));
		// Then the node knows of the outage.
		expect(first).toBeLessThanOrEqual(60 + 3);
		expect(others).toEqual([1, 1]);
	});
});

/** Acts when the execution starts, but not when it resumes. */
function once(act: () => void) {
	let starts = 0;
	return () => {
		if (++starts === 1) act();
	};
}

describe('a credential that cannot be read', () => {
	const reason = 'Credential with ID "credential" does not exist';
	const failCredentialReads = () =>
		jest.spyOn(Credentials.prototype, 'getDecrypted').mockRejectedValue(new Error(reason));

	test('for a create is an error that names the jobs that are paid for', async () => {
		const { error } = await createVideos(
			2,
			{ waitForCompletion: true },
			at(2, failCredentialReads),
		);
		for (const { id } of jobs('video')) expect(error?.description).toContain(id);
	});

	test.each(nodes)('%s: the error says what to do, and nothing is lost', async (_, run) => {
		const { error } = await run(2, {}, at(2, failCredentialReads));
		expect(error?.message).toContain("This node's credential cannot be used");
		for (const text of [reason, 'Retry with currently saved workflow']) {
			expect(error?.description).toContain(text);
		}
		expect(posts()).toHaveLength(2);
	});

	test.each(nodes)(
		'%s: once, because n8n is busy, does not end a suspended wait',
		async (_, run) => {
			let mock: jest.SpyInstance | undefined;
			let count = 0;
			const onSuspend = () => {
				count++;
				if (count === 2) mock = failCredentialReads();
				if (count === 3) mock?.mockRestore();
			};
			const { items: out, error } = await run(2, {}, { onSuspend });
			expect(error).toBeUndefined();
			expect(getValues(out, 'status')).toEqual(['completed', 'completed']);
		},
	);
});

/** Number of suspended executions. WAITS=1000 takes minutes. */
const waits = Number(process.env.WAITS ?? 60);

/** Starts an execution. It resumes only when the test wants it. */
async function startExecution(input: INodeExecutionData[], parameters: INodeParameters) {
	const node: INode = createNode('Node', 'VideoGenVideo', avatar(parameters), signedIn);
	const connections = { Items: connectTo('Node') };
	const executionId = `many-${++executions}`;
	const options = { items: input, executionId, isResumed: false };
	const build = () => buildWorkflow(service, [structuredClone(node)], connections, options);
	let run = await runNodes(service, [structuredClone(node)], connections, options);
	return {
		getRun: () => run,
		resume: async () => (run = await resumeRun(service, run, build())),
	};
}
let executions = 0;

test(
	`${waits} suspended executions send at most 30 requests per minute for an hour, and then continue within six minutes`,
	async () => {
		readLog();
		service.control.holdJobs(true);
		service.control.setWorkspace({ jobsAtOnce: 10_000 });
		const parameters = { waitForCompletion: true };
		const flows = await Promise.all(
			Array.from({ length: waits }, async (_, i) => {
				return await startExecution([{ json: { i } }], parameters);
			}),
		);
		for (const { getRun } of flows) expect(getRun().waitTill).toBeDefined();
		failReads(down);
		const began = clock.now();
		const requests = new Map<number, number>();
		let ended: number | undefined;
		const finishedAfter: number[] = [];
		while (flows.length > 0) {
			flows.sort((a, b) => Number(a.getRun().waitTill) - Number(b.getRun().waitTill));
			const [next] = flows as [(typeof flows)[number]];
			if (ended === undefined && Number(next.getRun().waitTill) - began > 3_600_000) {
				ended = began + 3_600_000;
				service.control.clearFaults();
				service.control.holdJobs(false);
				service.control.clock.advance(500);
			}
			const before = countReads();
			const run = await next.resume();
			const minute = Math.floor((clock.now() - began) / 60_000);
			if (ended === undefined) {
				requests.set(minute, (requests.get(minute) ?? 0) + countReads() - before);
			} else if (!run.waitTill) {
				expect(run.status).toBe('success');
				finishedAfter.push((clock.now() - ended) / 1000);
				flows.shift();
			}
		}
		expect(Math.max(...requests.values())).toBeLessThanOrEqual(30);
		expect(finishedAfter).toHaveLength(waits);
		expect(Math.max(...finishedAfter)).toBeLessThanOrEqual(360);
		expect(posts()).toHaveLength(waits);
		expect(new Set(jobs('video').map(({ id }) => id)).size).toBe(waits);
	},
	120_000 + waits * 4_000,
);

test('a wait of three days counts as one, and needs few requests', async () => {
	service.control.holdJobs(true);
	const began = clock.now();
	const { error } = await createVideos(1, {
		...waiting({ waitTimeout: 3 * 1440 }),
		script: 'Hello there, this is a long enough text.',
	});
	const days = (clock.now() - began) / 86_400_000;
	expect(days).toBeGreaterThanOrEqual(3);
	expect(days).toBeLessThan(3.01);
	expect(error?.message).toContain('was not finished after 4320 minutes');
	expect(posts()).toHaveLength(1);
	// A poll after each suspension of five minutes.
	expect(countReads()).toBeLessThan((3 * 1440) / 5 + 120);
}, 120_000);
