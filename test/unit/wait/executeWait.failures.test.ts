/** How a suspended wait survives failures: of the service, of a job, and of the credential. */
import { hashAwaitedJobs } from '../../../nodes/VideoGenWait/schedule';
import { clock } from '../../../nodes/core/clock';
import { passTime, useVirtualTime } from '../http/virtualTime';
import { createHost, createItem, done, running, unconnected, type HostSettings } from './waitHost';

useVirtualTime();
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0.5));
afterEach(() => jest.restoreAllMocks());

const minutes = (count: number) => count * 60_000;
const pass = async (milliseconds: number) => await passTime(clock.sleep(milliseconds));
const continued = { onError: 'continueRegularOutput' } as const;

/** What an execution has stored that waits for these lipsyncs since the start. */
const store = (ids: string[], looks = 3, failures?: object) => ({
	videoGenWait: {
		...{ mark: hashAwaitedJobs(ids.map((id) => `lipsync ${id}`)), since: 0, looks },
		...(failures && { failed: failures }),
	},
});
const doubts = (doubtful: number, doubtfulSince: number) => ({
	...{ since: 0, cause: '401', doubtful, doubtfulSince, warnedAt: 0 },
});

const getMessage = (host: ReturnType<typeof createHost>) =>
	host.addExecutionHints.mock.calls[0]?.[0].message;

test('an outage at the first check suspends the execution immediately, and is logged', async () => {
	const host = createHost({ items: [createItem('a')], responses: { a: 503 } });
	const { outputs, seconds } = await host.run();
	const since = seconds * 1000;
	expect(host.context).toStrictEqual(
		store(['a'], 1, {
			...{ since, cause: '503', doubtful: 0, doubtfulSince: since, warnedAt: since },
		}),
	);
	const until = since + 65_000;
	expect(host.putExecutionToWait.mock.calls).toStrictEqual([[new Date(until)]]);
	const cause = 'The service has been unreachable since 00:00 (503)';
	expect(getMessage(host)).toBe(
		`${cause}. The node checks again at ${new Date(until).toISOString()}, or as soon as the service calls back.`,
	);
	expect(host.warn.mock.calls.map(([text]) => text.replace(/^.*?: /, ''))).toStrictEqual([
		`${cause}. The wait for lipsync a continues.`,
	]);
	expect(outputs?.map((all) => all.length)).toStrictEqual([1, 0]);
});

test('during an outage, the pause is random, and one warning an hour counts the jobs', async () => {
	await pass(minutes(60));
	const failures = { since: minutes(6), cause: '500', doubtful: 0, doubtfulSince: 0 };
	const items = [createItem('a'), createItem('b')];
	const settings = { items, responses: { a: running, b: 503 } };
	const host = createHost({
		...settings,
		context: store(['a', 'b'], 3, { ...failures, warnedAt: minutes(30) }),
	});
	const { seconds } = await host.run();
	expect(host.warn.mock.calls).toStrictEqual([]);
	const now = minutes(60) + seconds * 1000;
	expect(host.putExecutionToWait.mock.calls).toStrictEqual([[new Date(now + 280_000 * 0.75)]]);
	const again = createHost({
		...settings,
		context: store(['a', 'b'], 3, { ...failures, warnedAt: 0 }),
	});
	await again.run();
	expect(again.warn.mock.calls).toStrictEqual([
		[expect.stringContaining('since 00:06 (503). The wait for 2 jobs continues.')],
	]);
});

test('a check that succeeds ends the outage', async () => {
	await pass(minutes(6));
	const context = store(['a'], 3, { since: 0, cause: '500', doubtful: 0, doubtfulSince: 0 });
	const host = createHost({ items: [createItem('a')], responses: { a: running }, context });
	await host.run();
	expect(host.context).toStrictEqual(store(['a'], 4));
	expect(getMessage(host)).toMatch(/^Not finished yet\. /);
	expect(host.warn).not.toHaveBeenCalled();
});

test('a job that is too new to be found is no outage, and later an error', async () => {
	const items = [createItem('a'), createItem('b')];
	const responses = { a: 404, b: running };
	const host = createHost({ items, responses, context: store(['a', 'b'], 2) });
	await host.run();
	expect(host.context).toStrictEqual(store(['a', 'b'], 3));
	const later = createHost({
		items,
		responses: { ...responses, b: done },
		context: store(['a', 'b'], 3),
		...continued,
	});
	expect((await later.run()).outputs).toMatchObject([
		[],
		[{ json: { details: { status: 404 } } }, { json: done }],
	]);
});

describe('a rejected credential', () => {
	/**
	 * Checks three jobs after N rejected checks since a time: the service is unavailable for the first
	 * job, rejects the second, and the third has ended.
	 */
	const check = async (count: number, since: number) => {
		await pass(120_000);
		const items = ['a', 'b', 'c'].map((id) => createItem(id));
		const responses = { a: 503, b: 401, c: done };
		const context = store(['a', 'b', 'c'], 3, doubts(count, since));
		const host = createHost({ items, responses, context, ...continued });
		return { ...host, ...(await host.run()) };
	};

	test('counts before any other failure', async () => {
		const { context, outputs } = await check(1, 0);
		expect(context).toStrictEqual(store(['a', 'b', 'c'], 4, doubts(2, 0)));
		expect(outputs?.map((all) => all.length)).toStrictEqual([3, 0]);
	});

	test('for less than two minutes does not end the wait', async () => {
		const { context } = await check(2, 110_000);
		expect(context).toStrictEqual(store(['a', 'b', 'c'], 4, doubts(3, 110_000)));
	});

	test('is an error of its job if it lasts, once no other job is pending', async () => {
		await pass(120_000);
		const context = store(['b', 'c'], 3, doubts(2, 0));
		const items = [createItem('b'), createItem('c')];
		const host = createHost({ items, responses: { b: 401, c: done }, context, ...continued });
		expect((await host.run()).outputs).toMatchObject([
			[],
			[{ json: { details: { status: 401 } } }, { json: done }],
		]);
		const { addExecutionHints } = await check(2, 0);
		expect(addExecutionHints.mock.calls[0]?.[0].message).toContain('unreachable since 00:00 (401)');
	});
});

describe('a credential that n8n cannot read', () => {
	const getCredentials = () => {
		throw new Error('It was deleted');
	};
	const items = [createItem('a'), createItem('b'), { json: {} }];
	const wait = async (now: number, context: object, more: Partial<HostSettings> = {}) => {
		await pass(now);
		const host = createHost({
			items,
			getCredentials,
			...continued,
			...more,
			context: { ...context },
		});
		return { ...host, ...(await host.run()) };
	};
	const message = "This node's credential cannot be used";
	const description =
		'Select a credential in the node, save the workflow, and retry this execution with n8n\'s "Retry with currently saved workflow". The jobs continue to run in the service: do not create them again. Reason: It was deleted';
	const createError = (item: number, id?: string) => ({
		json: {
			error: `${message} [item ${item}]`,
			details: {
				...(id ? { job: { kind: 'lipsync', id } } : {}),
				code: 'credential_unusable',
				description: id
					? `${description}\nAlready started for this item: lipsync ${id}`
					: description,
			},
		},
		pairedItem: { item },
	});
	const errors = [[], [createError(0, 'a'), createError(1, 'b'), createError(2)]];

	test('is an error of all items at the first check', async () => {
		const { outputs, putExecutionToWait } = await wait(0, {});
		expect(outputs).toStrictEqual(errors);
		expect(putExecutionToWait).not.toHaveBeenCalled();
	});

	test('ends the run without Continue On Fail, and names all jobs', async () => {
		const job = createHost({ items: items.slice(0, 2), getCredentials });
		await expect(job.run()).rejects.toMatchObject({
			message: `${message} [item 0]`,
			description: expect.stringMatching(/item: lipsync a\n<br>.*item 1: lipsync b\./),
			context: { itemIndex: 0, details: { job: { id: 'a' }, started: [{ item: 1, id: 'b' }] } },
		});
		await expect(createHost({ items: [], getCredentials }).run()).rejects.toMatchObject({
			...{ message, context: { details: { code: 'credential_unusable' } } },
		});
	});

	test('at a later check is tried again', async () => {
		const end = { options: { waitTimeout: 10 } };
		const { outputs, context, addExecutionHints } = await wait(
			minutes(10) - 65_000,
			store(['a', 'b'], 1),
			end,
		);
		expect(outputs?.map((all) => all.length)).toStrictEqual([3, 0]);
		const now = minutes(10) - 65_000;
		expect(context).toStrictEqual(
			store(['a', 'b'], 2, {
				...{ since: now, cause: 'CREDENTIAL_UNUSABLE', doubtful: 1, doubtfulSince: now },
				warnedAt: now,
			}),
		);
		expect(addExecutionHints.mock.calls[0]?.[0].message).toContain('(CREDENTIAL_UNUSABLE)');
	});

	test.each<[string, number, object | undefined, Partial<HostSettings>]>([
		['three times in two minutes', minutes(2), doubts(2, 0), {}],
		['shortly before the timeout', minutes(1440) - 64_999, undefined, {}],
		['if the execution cannot be suspended', minutes(2), undefined, { more: unconnected }],
	])('is an error %s', async (_, now, failures, more) => {
		const { outputs, putExecutionToWait } = await wait(now, store(['a', 'b'], 1, failures), more);
		expect(outputs?.[1]).toStrictEqual(errors[1]);
		expect(putExecutionToWait).not.toHaveBeenCalled();
	});
});

test('a retry by n8n after the timeout does not wait again, and a later execution does', async () => {
	await pass(minutes(10));
	const settings: HostSettings = {
		items: [createItem('a')],
		responses: { a: running },
		options: { waitTimeout: 10 },
		context: store(['a']),
	};
	const host = createHost(settings);
	await expect(host.run()).rejects.toThrow('was not finished after 10 minutes');
	await expect(host.run()).rejects.toThrow('was not finished after 10 minutes');
	expect(host.putExecutionToWait).not.toHaveBeenCalled();
	const later = createHost({ ...settings, context: host.context });
	const { outputs } = await later.run();
	expect(outputs?.map((all) => all.length)).toStrictEqual([1, 0]);
	expect(later.putExecutionToWait).toHaveBeenCalled();
});

test('an item without a job ends the run, and the error names the jobs of the others', async () => {
	const host = createHost({ items: [createItem('a'), { json: {} }, createItem('b')] });
	await expect(host.run()).rejects.toMatchObject({
		message: 'The item does not refer to a job [item 1]',
		description: expect.stringMatching(/item 0: lipsync a, item 2: lipsync b/),
	});
});
