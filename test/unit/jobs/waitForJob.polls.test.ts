/** How a node waits for a job: when it asks, what it survives, and how the wait ends. */
import type { IDataObject, INode } from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import type { ErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { Client } from '../../../nodes/core/http/client';
import type { ServiceRequest } from '../../../nodes/core/http/sendWithRetries';
import type { JobKind, JobWaitOutcome, WaitPolicy } from '../../../nodes/core/jobs/types';
import { waitForJob } from '../../../nodes/core/jobs/waitForJob';
import { agentSessionJob, videoJob } from '../../../nodes/jobKinds/catalog';
import { passTime, useVirtualTime } from '../http/virtualTime';

useVirtualTime();

const node = { name: 'Node' } as INode;
const fail = (details: ErrorDetails) => createOperationError(node, 'No', undefined, details);
const pending = { status: 'processing' };
const done = { status: 'completed', video_url: 'https://files.example/v.mp4' };

let accounts = 0;

/** A client whose status requests get these responses, the last one again and again. */
function createClient(...responses: Array<IDataObject | Error>) {
	const startedAt = clock.now();
	const polls: number[] = [];
	const paths: unknown[] = [];
	const shared = new Map<string, unknown>();
	const warn = jest.fn<void, [string]>();
	const client = {
		...{ node, warn, zone: 'UTC', account: `polling-${++accounts}`, reportJobEnd: jest.fn() },
		signal: new AbortController().signal,
		removeSecrets: (text: string) => text.replaceAll('secret', '***'),
		shareInRun: (key: string, create: () => unknown) => {
			if (!shared.has(key)) shared.set(key, create());
			return shared.get(key);
		},
		fetchData: async ({ path }: ServiceRequest) => {
			polls.push((clock.now() - startedAt) / 1000);
			paths.push(path);
			const response = responses.length > 1 ? responses.shift() : responses[0];
			if (response instanceof Error) throw response;
			return response;
		},
	} as unknown as Client;
	return { client, polls, paths, warn };
}

async function wait(
	{ client }: ReturnType<typeof createClient>,
	policy: Partial<WaitPolicy> = {},
	kind: JobKind = { ...videoJob, firstPollAfter: undefined },
): Promise<JobWaitOutcome> {
	const waiting = waitForJob(client, { kind, id: 'a' }, { timeout: 60, ...policy });
	await passTime(waiting);
	return await waiting;
}

test('asks until the job has ended, and returns its status response', async () => {
	const service = createClient(pending, pending, done);
	expect(await wait(service)).toMatchObject({ outcome: 'completed', data: done });
	expect(service.polls).toStrictEqual([5, 10, 15]);
	expect(service.paths[0]).toStrictEqual({ video_id: 'a' });
	const immediate = createClient(pending, { status: 'failed', failure_code: 'lost' });
	const outcome = await wait(immediate, { immediately: true, interval: 2 });
	expect(outcome).toMatchObject({ outcome: 'failed', code: 'lost' });
	expect(immediate.polls).toStrictEqual([0, 2]);
});

test.each<[string, IDataObject, Partial<JobWaitOutcome>]>([
	['a known status', pending, { status: 'processing', known: true }],
	['an unknown status', { status: 'secret work' }, { status: '*** work', known: false }],
	['no status', {}, { status: undefined, known: false }],
])('a wait that is too long ends with %s', async (_, response, expected) => {
	const service = createClient(response);
	expect(await wait(service, { timeout: 12 })).toStrictEqual({
		...{ outcome: 'timeout', waited: 12, unreachable: undefined },
		job: expect.objectContaining({ id: 'a' }) as unknown,
		...expected,
	});
	// The last poll is due when the time is up.
	expect(service.polls).toStrictEqual([5, 10, 12]);
});

test('a wait survives an outage, obeys the service, and reports the outage at its end', async () => {
	const service = createClient(fail({ status: 503, retry_after: 20 }), fail({ status: 502 }));
	const outcome = await wait(service, { timeout: 60 });
	expect(service.polls.slice(0, 2)).toStrictEqual([5, 25]);
	expect(outcome).toMatchObject({
		...{ outcome: 'timeout', status: undefined },
		unreachable: 'The service has been unreachable since 00:00 (502)',
	});
	expect(service.warn.mock.calls).toStrictEqual([
		[
			'The service has been unreachable since 00:00 (503). The node continues to wait for its jobs.',
		],
	]);
	const recovered = createClient(fail({ status: 503, retry_after: 20 }), pending);
	const later = await wait(recovered);
	expect(later).toMatchObject({ status: 'processing', unreachable: undefined });
	const [, second = 0, third = 0] = recovered.polls;
	expect(second).toBe(25);
	expect(third - second).toBeLessThan(10);
});

test('the waits of a run warn once', async () => {
	const service = createClient(fail({ status: 503 }));
	await wait(service, { timeout: 10 });
	await wait(service, { timeout: 10 });
	expect(service.warn).toHaveBeenCalledTimes(1);
});

test.each<[string, ErrorDetails, number]>([
	['a job that does not exist', { status: 404, code: 'not_found' }, 4],
	['a key without the scope', { status: 403, code: 'forbidden' }, 1],
	['two minutes of pages from a gateway', { status: 200, code: 'not_json' }, 11],
])('%s ends the wait', async (_, details, count) => {
	const service = createClient(fail(details));
	await expect(wait(service, { timeout: 600 })).rejects.toThrow('No');
	expect(service.polls).toHaveLength(count);
});

describe('a session', () => {
	const session = { status: 'completed', video_id: 'v' };
	const url = done.video_url;

	test('waits for its video, which is polled immediately and then often', async () => {
		const service = createClient(session, pending, { ...done, id: 'v' });
		const outcome = await wait(service, {}, agentSessionJob);
		expect(outcome).toMatchObject({
			...{ outcome: 'completed', job: { id: 'a' }, result: { id: 'v' } },
			data: { video_id: 'v', video_url: url, video: { id: 'v' } },
		});
		const [first = 0, second = 0, third = 0] = service.polls;
		expect([second - first, third - second]).toStrictEqual([0, 3]);
	});

	test.each<[string, IDataObject, number, Partial<JobWaitOutcome>]>([
		['failed', { status: 'failed', failure_code: 'lost' }, 60, { outcome: 'failed', code: 'lost' }],
		['is not ready', pending, 1, { outcome: 'timeout', status: 'processing' }],
	])(
		'whose video %s ends with the outcome of the video',
		async (...[, video, timeout, expected]) => {
			const service = createClient(session, video);
			const outcome = await wait(service, { timeout, interval: 1 }, agentSessionJob);
			expect(outcome).toMatchObject({ ...expected, job: { id: 'v' } });
		},
	);

	test('that failed does not wait for its video', async () => {
		const service = createClient({ ...session, status: 'failed' }, pending);
		expect(await wait(service, {}, agentSessionJob)).toMatchObject({ outcome: 'failed' });
		expect(service.paths).toStrictEqual([{ session_id: 'a' }, { video_id: 'v' }]);
	});
});
