/** The attempts of one request: when they continue, when they end, and what is logged. */
import { Readable } from 'node:stream';
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import { getErrorDetails } from '../../../nodes/core/errors/errorDetails';
import type { NodeError } from '../../../nodes/core/errors/nodeErrors';
import {
	createAccountTraffic,
	createConcurrencySlots,
} from '../../../nodes/core/http/accountTraffic';
import type { Account } from '../../../nodes/core/http/credentials';
import { sendWithRetries, type ServiceRequest } from '../../../nodes/core/http/sendWithRetries';
import { passTime, useVirtualTime } from './virtualTime';

useVirtualTime();

const node = { name: 'Node', parameters: {} } as unknown as INode;

const account: Account = {
	name: 'account',
	credentialType: 'videoGenApi',
	signIn: 'hash',
	isOAuth: false,
	baseUrl: 'https://api.example',
	removeSecrets: (text) => text,
	removeEchoedSecrets: (text) => text,
};

type Response =
	{ status: number; code?: string; retryAfter?: number } | { stream: Readable } | 'cut';

const success: Response = { status: 200 };
const busy: Response = { status: 503, code: 'service_unavailable' };
const working: Response = { status: 409, code: 'request_in_progress' };

const create: ServiceRequest = { line: 'POST /v3/videos', body: {} };
const keyed: ServiceRequest = { ...create, idempotencyKey: 'key-1' };

/** Sends a request to a service with these responses; the last one repeats. */
function send(
	request: ServiceRequest,
	responses: Response[],
	onRequest?: (count: number) => void,
	isInEditor = false,
	traffic = createAccountTraffic(),
	slots = traffic.sharedSlots,
) {
	const stop = new AbortController();
	const halt = new AbortController();
	const sentAt: number[] = [];
	const warn = jest.fn<void, [string]>();
	const respond = async (): Promise<IDataObject> => {
		sentAt.push(clock.now());
		const response = responses[Math.min(sentAt.length, responses.length) - 1] ?? success;
		onRequest?.(sentAt.length);
		await clock.sleep(10);
		if (response === 'cut') throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
		if ('stream' in response) {
			const body = response.stream as unknown as IDataObject;
			return { statusCode: 200, headers: {}, body };
		}
		const { status: statusCode, code, retryAfter } = response;
		const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
		return { statusCode, headers, body: code ? { error: { code } } : { data: { id: 'v' } } };
	};
	const host = {
		helpers: { httpRequestWithAuthentication: respond },
		...(isInEditor ? {} : { getExecutionCancelSignal: () => stop.signal }),
		logger: { warn },
	} as unknown as IExecuteFunctions;
	const reportResponse = jest.spyOn(traffic, 'reportResponse');
	const record = jest.spyOn(traffic.outage, 'record');
	const reportCreate = jest.spyOn(traffic, 'reportCreate');
	const signal = AbortSignal.any([stop.signal, halt.signal]);
	const capacityWait = { seconds: 0 };
	const run = { host, node, account, signal, traffic, slots, capacityWait };
	const isStreamed = responses.some((one) => typeof one === 'object' && 'stream' in one);
	const outcome = sendWithRetries(run, request, isStreamed).then(
		(reply) => ({ reply }),
		(error: NodeError) => ({ error }),
	);
	return {
		...{ outcome, stop, halt, sentAt, warn, traffic, reportResponse, record },
		...{ reportCreate, capacityWait },
	};
}

/** The error of a request after its attempts. */
async function failureOf({ outcome }: ReturnType<typeof send>) {
	await passTime(outcome);
	const result = await outcome;
	if ('reply' in result) throw new Error('The request has succeeded');
	return result.error;
}

beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(1));
afterEach(() => jest.restoreAllMocks());

test('a create without a key is repeated after 503 of the service, and given up after 10 attempts', async () => {
	const sent = send(create, [busy]);
	const error = await failureOf(sent);
	expect(getErrorDetails(error)).toEqual({ status: 503, code: 'service_unavailable' });
	const pauses = sent.sentAt.slice(1).map((at, i) => (at - (sent.sentAt[i] ?? 0)) / 1000);
	expect(pauses).toEqual([0.51, 1.01, 2.01, 4.01, 8.01, 8.01, 8.01, 8.01, 8.01]);
});

test('Retry-After of a 503 sets the next attempt', async () => {
	const sent = send(create, [{ ...busy, retryAfter: 120 }, success]);
	await passTime(sent.outcome);
	expect(sent.sentAt).toEqual([0, 120_010]);
	expect(await sent.outcome).toMatchObject({ reply: { body: { data: { id: 'v' } } } });
});

test.each([429, 503])('%d with a long Retry-After says when to come back', async (status) => {
	const sent = send(create, [{ status, code: 'x', retryAfter: 3600 }]);
	const error = await failureOf(sent);
	expect(error.description).toContain('The service asks you to wait 60 minutes.');
	expect(getErrorDetails(error)).toMatchObject({ status, retry_after: 3600 });
	expect(sent.sentAt).toHaveLength(1);
});

test('an uncertain create says when to come back and how to find out', async () => {
	const sent = send(keyed, [{ status: 500, code: 'x', retryAfter: 3600 }]);
	const { description, context } = await failureOf(sent);
	expect(description?.split('\n')).toEqual([
		expect.stringMatching(/Custom Key .*: key-1$/),
		'The service asks you to wait 60 minutes. Run the workflow again after that time.',
		'Code: x',
		'HTTP status: 500',
	]);
	expect(context.details).toMatchObject({ uncertain: true, idempotency_key: 'key-1' });
});

test('only a 429 with Retry-After teaches a rate', async () => {
	const limited = { status: 429, code: 'rate_limit_exceeded' };
	const withPause = send(create, [{ ...limited, retryAfter: 1 }, success]);
	await passTime(withPause.outcome);
	expect(withPause.traffic.getRate()).toBe(0.5);
	const without = send(create, [limited, success]);
	await passTime(without.outcome);
	expect(without.traffic.getRate()).toBeUndefined();
});

test.each<[string, ServiceRequest, Response]>([
	['a rate limit without a pause', create, { status: 429, code: 'rate_limit_exceeded' }],
	['a lost response, if it has a key', { ...create, idempotencyKey: 'key-1' }, 'cut'],
	['a lost response, if it is safe to repeat', { ...create, repeatable: true }, 'cut'],
])('a POST is given up after 10 attempts: %s', async (_, request, response) => {
	const sent = send(request, [response]);
	await failureOf(sent);
	expect(sent.sentAt).toHaveLength(10);
});

test('a POST that is not safe to repeat is sent once if its response is lost', async () => {
	const sent = send(create, ['cut', success]);
	expect(getErrorDetails(await failureOf(sent))).toEqual({ code: 'econnreset', uncertain: true });
	expect(sent.sentAt).toEqual([0]);
});

test('all attempts after the first one go to the front of the queue', async () => {
	const traffic = createAccountTraffic();
	const slots = createConcurrencySlots(1);
	const sent = send(keyed, [working, working, busy, success], undefined, false, traffic, slots);
	const others = Array.from({ length: 1000 }, () =>
		send(keyed, [success], undefined, false, traffic, slots),
	);
	await passTime(sent.outcome);
	const alone = send(keyed, [working, working, busy, success]);
	await passTime(alone.outcome);
	const pauses = ({ sentAt }: typeof sent) => sentAt.map((at, i) => at - (sentAt[i - 1] ?? at));
	// At most one of the others, which take 10 ms each, is sent before each attempt.
	for (const [i, pause] of pauses(sent).entries()) {
		expect(pause - (pauses(alone)[i] ?? 0)).toBeLessThanOrEqual(10);
	}
	expect(others.at(-1)?.sentAt).toEqual([]);
	await passTime(Promise.all(others.map(async ({ outcome }) => await outcome)));
});

test('outside an execution, there is nothing that stops a request', async () => {
	const sent = send(keyed, ['cut', success], undefined, true);
	await passTime(sent.outcome);
	expect(await sent.outcome).toHaveProperty('reply');
	expect(await failureOf(send(keyed, ['cut'], undefined, true))).toHaveProperty('message');
});

describe('while the account runs its maximum number of jobs', () => {
	const limited: Response = { status: 429, code: 'rate_limit_exceeded' };
	const capacity = { name: 'videos', maxWait: 60 };

	test('a create request probes after growing pauses, without slowing down others', async () => {
		const first: Response = { ...limited, retryAfter: 1 };
		const third: Response = { ...limited, retryAfter: 3 };
		const sent = send({ ...create, capacity }, [first, limited, third, success]);
		await passTime(sent.outcome);
		expect(sent.sentAt).toEqual([0, 1_010, 3_010, 6_020]);
		expect(sent.reportResponse.mock.calls.map(([isLimited]) => isLimited)).toEqual([
			...[true, false, false, false],
		]);
		expect(sent.reportCreate.mock.calls).toEqual([
			[capacity, false, 'rejected', 1],
			[capacity, true, 'rejected', undefined],
			[capacity, true, 'rejected', 3],
			[capacity, true, 'accepted', undefined],
		]);
		expect(sent.capacityWait).toEqual({ seconds: 6.03 });
		// The first rejection seemed to mean that requests were sent too fast.
		expect(sent.traffic.getRate()).toBeUndefined();
		expect(sent.traffic.sharedSlots.limit).toBe(10);
	});

	test('a failed create request says nothing about room, and others have not waited', async () => {
		const sent = send({ ...create, capacity }, [{ status: 400, code: 'x' }]);
		await failureOf(sent);
		expect(sent.reportCreate.mock.calls).toEqual([[capacity, false, 'unknown', undefined]]);
		expect(sent.capacityWait).toEqual({ seconds: 0 });
	});

	test('a create request ends when it has waited too long', async () => {
		await passTime(clock.sleep(1000));
		const sent = send({ ...create, capacity }, [limited]);
		const error = await failureOf(sent);
		expect(getErrorDetails(error)).toEqual({
			...{ code: 'not_started', status: 429, outcome: 'not_started' },
		});
		expect(error.description).toContain('This item waited 60 seconds.');
		expect(sent.capacityWait).toEqual({ seconds: 60.02 });
	});

	test('the wait of a stopped create request is not counted', async () => {
		const sent = send({ ...create, capacity }, [limited], () => sent.stop.abort());
		expect(getErrorDetails(await failureOf(sent))).toEqual({ code: 'stopped' });
		expect(sent.capacityWait).toEqual({ seconds: 0 });
	});

	test('one that may have started a job before says so', async () => {
		const sent = send({ ...keyed, capacity }, ['cut', limited]);
		const uncertain = { code: 'econnreset', uncertain: true, idempotency_key: 'key-1' };
		expect(getErrorDetails(await failureOf(sent))).toEqual(uncertain);
		expect(sent.capacityWait.seconds).toBeGreaterThan(60);
	});
});

test('the traffic of the account learns each response: only 429 means too many requests', async () => {
	const limited = { status: 429, code: 'rate_limit_exceeded' };
	const sent = send(create, [limited, busy, success]);
	await passTime(sent.outcome);
	const quota = send(create, [{ status: 429, code: 'quota_exceeded' }]);
	await passTime(quota.outcome);
	const reported = (one: typeof sent) => one.reportResponse.mock.calls.map(([limits]) => limits);
	expect([reported(sent), reported(quota)]).toEqual([[true, false, false], [false]]);
	expect(sent.reportResponse).toHaveBeenCalledWith(true, 10);
});

test('requests that the user has stopped, or that reach nobody, teach nothing about the service', async () => {
	const poll: ServiceRequest = { line: 'GET /v3/videos/{id}', path: { id: 'v' }, isPoll: true };
	const stopped = send(poll, ['cut'], () => stopped.stop.abort());
	await passTime(stopped.outcome);
	const cut = send({ ...poll, isPoll: false }, ['cut', success]);
	await passTime(cut.outcome);
	const records = [stopped, cut].map(({ record }) => record.mock.calls.map(([{ kind }]) => kind));
	expect(records).toEqual([[], ['unconnected', 'success']]);
	expect(stopped.reportResponse).not.toHaveBeenCalled();
	expect(cut.reportResponse.mock.calls).toEqual([[false, 10]]);
});

test('a stream keeps its slot until it is closed', async () => {
	const stream = new Readable({ read: () => undefined });
	const { outcome, traffic } = send(create, [{ stream }]);
	await passTime(outcome);
	expect(await outcome).toMatchObject({ reply: { kind: 'stream', stream } });
	await passTime(clock.sleep(1000));
	expect(traffic.sharedSlots.inFlight).toBe(1);
	stream.destroy();
	await passTime(clock.sleep(1000));
	expect(traffic.sharedSlots.inFlight).toBe(0);
});

test('a request in progress is polled for five minutes, then 503 still has its attempts', async () => {
	const sent = send(keyed, [...Array<Response>(50).fill(working), busy, success]);
	await passTime(sent.outcome);
	expect(await sent.outcome).toHaveProperty('reply');
	expect(sent.sentAt).toHaveLength(52);
	const endless = send(keyed, [working]);
	expect(getErrorDetails(await failureOf(endless))).toMatchObject({ uncertain: true });
	// Polls after half a second, 1, 2, and then every 4 seconds.
	expect(endless.sentAt).toHaveLength(78);
});

type Stopped = 'stop' | 'halt';

/** Sends a request that the user stops, or that the failure of another item halts, at a response. */
function sendUntil(by: Stopped, at: number, request: ServiceRequest, responses: Response[]) {
	const sent: ReturnType<typeof send> = send(request, responses, (count) => {
		if (count === at) sent[by].abort();
	});
	return sent;
}

test('the failure of another item ends the attempts', async () => {
	const sent = sendUntil('halt', 2, create, [busy]);
	expect(getErrorDetails(await failureOf(sent))).toEqual({ code: 'stopped' });
	expect(sent.sentAt).toHaveLength(2);
});

test('the error after a time limit does not say that the user stopped the execution', async () => {
	const timeUp = new DOMException('Too late', 'TimeoutError');
	const sent = send(create, [busy], () => sent.halt.abort(timeUp));
	expect((await failureOf(sent)).message).toBe('The service took too long to respond');
});

test('after a lost response, a create with a key outlives the failure of another item', async () => {
	const sent = sendUntil('halt', 1, keyed, ['cut', busy, success]);
	await passTime(sent.outcome);
	expect(await sent.outcome).toHaveProperty('reply');
	expect(sent.sentAt).toHaveLength(3);
	expect(sent.warn).not.toHaveBeenCalled();
});

test('a read does not outlive the failure of another item', async () => {
	const sent = sendUntil('halt', 1, { line: 'GET /v3/videos' }, ['cut', success]);
	expect(getErrorDetails(await failureOf(sent))).toEqual({ code: 'stopped' });
	expect(sent.sentAt).toHaveLength(1);
});

test('nor does a create that a proxy has rejected: it is unlikely to have been paid for', async () => {
	const sent = sendUntil('halt', 1, keyed, [{ status: 429 }, success]);
	expect(getErrorDetails(await failureOf(sent))).toMatchObject({ status: 429, uncertain: true });
	expect(sent.sentAt).toHaveLength(1);
});

test.each<[string, Response[], object]>([
	['the last reply', [{ status: 500, code: 'x' }, 'cut'], { code: 'econnreset' }],
	['not a 429 after a lost response', ['cut', { status: 429 }], { code: 'econnreset' }],
	['a 429 that is the only reply', [{ status: 429 }, busy], { status: 429 }],
])('the error of a stopped create is %s', async (_, responses, expected) => {
	const sent = sendUntil('stop', 2, keyed, responses);
	expect(getErrorDetails(await failureOf(sent))).toMatchObject(expected);
});

test.each<[Partial<ServiceRequest>, string[]]>([
	[{}, []],
	[{ uncertainOutcomeHint: 'Look.' }, ['Look.']],
	[{ survivesStop: true }, ['The request may have started something in the service anyway.']],
	[{ survivesStop: true, uncertainOutcomeHint: 'Look.' }, ['Look.']],
])('the log says what a stopped create with %j may have started', async (more, hints) => {
	const sent = sendUntil('stop', 1, { ...create, ...more }, ['cut']);
	await failureOf(sent);
	expect(sent.warn.mock.calls.flat()).toEqual(
		hints.map((hint) => `Stopped while POST /v3/videos was in flight. ${hint}`),
	);
});

test('the stop button ends the attempts, and logs the digest of the key of what may exist', async () => {
	const sent = sendUntil('stop', 2, keyed, ['cut', busy]);
	const uncertain = { uncertain: true, idempotency_key: 'key-1' };
	expect(getErrorDetails(await failureOf(sent))).toMatchObject(uncertain);
	expect(sent.sentAt).toHaveLength(2);
	expect(sent.warn.mock.calls).toEqual([
		[
			expect.stringMatching(
				/^Stopped while POST \/v3\/videos was in flight\. The result may .*: sha256:[0-9a-f]{64} of your own key$/,
			),
		],
	]);
});

test('the log shows a key that this package created as it is', async () => {
	const idempotencyKey = `n8n-${'0f'.repeat(24)}:again:1`;
	const sent = sendUntil('stop', 2, { ...create, idempotencyKey }, ['cut', busy]);
	await failureOf(sent);
	expect(sent.warn.mock.calls).toEqual([[expect.stringContaining(`: ${idempotencyKey}`)]]);
});

test('only a stop is logged: otherwise the error names the key', async () => {
	const sent = send(keyed, ['cut']);
	expect((await failureOf(sent)).description).toContain('key-1');
	expect(sent.sentAt).toHaveLength(10);
	expect(sent.warn).not.toHaveBeenCalled();
});

test('a create of which every attempt was rejected is not logged when it is stopped', async () => {
	const sent = sendUntil('stop', 2, keyed, [{ status: 429, code: 'rate_limit_exceeded' }]);
	await failureOf(sent);
	expect(sent.warn).not.toHaveBeenCalled();
});

test('a stopped read is only stopped, also after a lost response', async () => {
	const sent = sendUntil('stop', 2, { line: 'GET /v3/videos' }, ['cut']);
	expect(getErrorDetails(await failureOf(sent))).toEqual({ code: 'stopped' });
	expect(sent.warn).not.toHaveBeenCalled();
});

test('a DELETE whose response was lost has succeeded when the service no longer finds it', async () => {
	const request = { line: 'DELETE /v3/videos/v' };
	const sent = send(request, ['cut', { status: 404, code: 'video_not_found' }]);
	await passTime(sent.outcome);
	expect(await sent.outcome).toEqual({ reply: { kind: 'success', status: 200, body: {} } });
});

describe('a poll, which its caller repeats anyway', () => {
	const poll: ServiceRequest = { line: 'GET /v3/videos', isPoll: true };

	test.each<[string, Response, number]>([
		['a 503 of the service', busy, 2],
		['a cut connection', 'cut', 2],
		['a 503 with a long pause', { ...busy, retryAfter: 60 }, 1],
	])('ends soon after %s', async (_, response, attempts) => {
		const sent = send(poll, [response]);
		await failureOf(sent);
		expect(sent.sentAt).toHaveLength(attempts);
	});

	test('waits for the end of a rate limit', async () => {
		const limited: Response = { status: 429, code: 'rate_limit_exceeded', retryAfter: 20 };
		const { outcome, sentAt } = send(poll, [limited, limited, success]);
		await passTime(outcome);
		expect(await outcome).toHaveProperty('reply');
		expect(sentAt).toHaveLength(3);
	});

	test('is not sent while the service is known to be down', async () => {
		const sent = send(poll, [busy]);
		for (let i = 0; i < 3; i++) {
			sent.traffic.outage.record({ kind: 'unconnected', code: 'ECONNREFUSED', detail: '' }, true);
		}
		const error = await failureOf(sent);
		expect(error.message).toBe('The service cannot be reached');
		expect(getErrorDetails(error)).toEqual({ code: 'econnrefused', uncertain: false });
		expect(sent.sentAt).toEqual([]);
		expect(clock.now()).toBe(0);
	});
});
