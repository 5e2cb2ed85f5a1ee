/** Jobs are stopped once after their execution was stopped, and the log shows the result. */
import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import type { Job } from '../../../nodes/core/jobs/types';
import { describeHowToStopJobs, stopJobs } from '../../../nodes/core/send/startedJobs';
import { agentSessionJob, realtimeStreamJob, videoJob } from '../../../nodes/jobKinds/catalog';

afterEach(() => jest.restoreAllMocks());

const video: Job = { kind: videoJob, id: 'v1' };
const session = (id: string): Job => ({ kind: agentSessionJob, id });
const stream: Job = { kind: realtimeStreamJob, id: 'r1' };

const agent = 'VideoGen Agent: Stop';
const realtime = 'VideoGen Realtime Avatar: Cancel';

test.each<[string, Job[], string]>([
	['no job', [], ''],
	['a job that cannot be stopped', [video], ''],
	['two jobs of one kind', [session('a'), session('b')], `. To end them, use ${agent}`],
	['two kinds of jobs', [stream, video, session('a')], `. To end them, use ${realtime}, ${agent}`],
	['a part of another job', [{ ...video, partOf: session('a') }], `. To end them, use ${agent}`],
])('the operations that stop %s are named', (_, jobs, text) => {
	expect(describeHowToStopJobs(jobs)).toBe(text);
});

type Helper = (this: IExecuteFunctions, type: string, request: IHttpRequestOptions) => unknown;

/**
 * Stops jobs of an execution that has been stopped. Without `respond`, there is no credential.
 * `isLate`: the time for it is over at once.
 */
function stop(jobs: Job[], respond?: Helper, isLate = false) {
	const warn = jest.fn();
	const send = jest.fn(respond ?? (() => {}));
	const n8n = {
		getExecutionCancelSignal: () => AbortSignal.abort(),
		getCredentials: async () =>
			respond
				? await Promise.resolve({ baseUrl: 'https://a.example' })
				: await Promise.reject(Error('No credential')),
		getInputData: () => [],
		getNode: () => ({ name: 'Node', parameters: {} }),
		getNodeParameter: () => 'apiKey',
		getTimezone: () => 'Europe/Berlin',
		getWorkflow: () => ({ id: 'w' }),
		helpers: { httpRequestWithAuthentication: send },
		logger: { warn },
	} as unknown as IExecuteFunctions;
	const sleep = jest.spyOn(clock, 'sleep').mockImplementation(async (_, signal) => {
		if (!isLate) await new Promise((__, reject) => signal?.addEventListener('abort', reject));
	});
	return {
		end: stopJobs(n8n, jobs),
		sleep,
		requests: () => send.mock.calls.map(([, { method, url, timeout }]) => [method, url, timeout]),
		warnings: () => warn.mock.calls.map(([text]) => text as string).sort(),
	};
}

const succeed = () => ({ statusCode: 200, headers: {}, body: {} });
const still = 'Stopped, but these jobs continue to run in the service: ';

test('each job is stopped with one request, although the execution has been stopped', async () => {
	const part: Job = { ...video, partOf: session('s2') };
	const jobs = [session('s1'), part, video, { ...stream, id: 'r2' }];
	const { end, requests, warnings, sleep } = stop(jobs, function (_, { url }) {
		if (this.getExecutionCancelSignal()?.aborted) throw new Error('Stopped');
		return url.includes('r2') ? { ...succeed(), statusCode: 403 } : succeed();
	});
	expect(await end).toBeUndefined();
	expect(requests()).toStrictEqual([
		['POST', 'https://a.example/v3/video-agents/s1/stop', 15_000],
		['POST', 'https://a.example/v3/video-agents/s2/stop', 15_000],
		['POST', expect.stringMatching(/\/r2\/cancel$/), 15_000],
	]);
	expect(warnings()).toStrictEqual([
		expect.stringMatching(/: realtime_stream r2\. They could not be stopped: .*: Cancel$/),
		`${still}video v1. They could not be stopped: the service cannot stop this kind of job`,
		'Stopped. The service has also stopped session s1',
		'Stopped. The service has also stopped video v1',
	]);
	const [[time, signal] = []] = sleep.mock.calls;
	expect([sleep.mock.calls.length, time, signal?.aborted]).toStrictEqual([1, 15_000, true]);
});

test('a service that does not reply in time is given up', async () => {
	const { end, warnings } = stop(
		[session('s1')],
		async function () {
			const signal = this.getExecutionCancelSignal();
			await new Promise((_, reject) => signal?.addEventListener('abort', reject));
		},
		true,
	);
	await end;
	expect(warnings()).toStrictEqual([
		`${still}session s1. They could not be stopped: no reply within 15 seconds. To end them, use ${agent}`,
	]);
});

test('if the credential cannot be read, all jobs are logged at once', async () => {
	const { end, requests, warnings, sleep } = stop([video, stream]);
	await end;
	expect([requests(), warnings()]).toStrictEqual([
		[],
		[
			`${still}video v1, realtime_stream r1. They could not be stopped: No credential. To end them, use ${realtime}`,
		],
	]);
	expect(sleep.mock.calls[0]?.[1]?.aborted).toBe(true);
});
