/**
 * A full account in trouble: other words for its limit, a long Retry-After, another client that takes
 * the places of ended jobs, and a process that stops or whose clock is set back.
 */
import { createServer, request, type IncomingMessage } from 'node:http';
import type { INode, INodeParameters } from 'n8n-workflow';
import { avatar, createCalls, items as inputItems, session } from '../support/calls';
import { clock } from '../support/core';
import { runNode, signInToNewAccount, type RunOptions, type Service } from '../support/engine';
import { useServers } from '../support/servers';
import { useService } from '../support/service';
import { runAfter, setClockBack, stopProcess } from '../support/time';

const jobSeconds = 62;
const service = useService({ jobSeconds });
const listening = useServers();
const { posts } = createCalls(service);

beforeEach(() => service.control.setWorkspace({ jobsAtOnce: 3, capacityRetryAfter: null }));

const toErrorOutput: Partial<INode> = { onError: 'continueErrorOutput' };

/** Creates N videos with an account of their own. Items that fail come to the error output. */
const createVideos = async (
	count: number,
	more: INodeParameters = {},
	options: RunOptions = {},
	from: Service = service,
) =>
	await runNode(from, 'VideoGenVideo', avatar(more), {
		items: inputItems(count),
		node: { ...toErrorOutput, ...signInToNewAccount() },
		...options,
	});

/** Sends a request, and returns the status and the body of the response. */
const fetchText = async (
	path: string,
	{ method = 'GET', headers = {} }: Pick<IncomingMessage, 'method' | 'headers'>,
	body?: Buffer,
) =>
	await new Promise<{ response: IncomingMessage; text: string }>((resolve, reject) => {
		const sent = request(new URL(path, service.baseUrl), { method, headers }, (response) => {
			let text = '';
			response.setEncoding('utf8');
			response.on('data', (part: string) => (text += part));
			response.on('end', () => resolve({ response, text }));
		});
		sent.on('error', reject);
		sent.end(body);
	});

/** A proxy in front of the service that replaces each 429. Returns its URL. */
const startProxy = async (status: number, type: string, replaced: string): Promise<Service> => {
	const proxy = createServer((inbound, outbound) => {
		const chunks: Buffer[] = [];
		inbound.on('data', (chunk: Buffer) => chunks.push(chunk));
		inbound.on('end', () => {
			const { host: _, ...headers } = inbound.headers;
			const own = { method: inbound.method, headers };
			void fetchText(inbound.url ?? '', own, Buffer.concat(chunks)).then(({ response, text }) => {
				const isFull = response.statusCode === 429;
				const contentType = isFull ? type : response.headers['content-type'];
				outbound.writeHead(isFull ? status : (response.statusCode ?? 0), {
					'content-type': contentType,
					connection: 'close',
				});
				outbound.end(isFull ? replaced : text);
			});
		});
	});
	return { ...service, baseUrl: await listening(proxy) };
};

const json = 'application/json';
const describeError = (code: string) => JSON.stringify({ error: { code, message: 'Try later' } });

describe.each([
	['503', 503, json, describeError('service_unavailable')],
	['concurrency_limit_exceeded', 429, json, describeError('concurrency_limit_exceeded')],
	['concurrent_quota_exceeded', 429, json, describeError('concurrent_quota_exceeded')],
	['403 and concurrency_limit_reached', 403, json, describeError('concurrency_limit_reached')],
	['a 429 page of a proxy', 429, 'text/html', '<html>Too many requests</html>'],
])('the service says %s while the account is full', (name, status, type, body) => {
	test.each([false, true])('all videos are made (Wait for Completion: %s)', async (isAwaited) => {
		const from = await startProxy(status, type, body);
		const { items, errors } = await createVideos(12, { waitForCompletion: isAwaited }, {}, from);
		expect(errors).toEqual([]);
		expect(items).toHaveLength(12);
		expect(service.control.jobs('video')).toHaveLength(12);
	});

	test('all sessions are made, unless a page leaves it open whether they were', async () => {
		const from = await startProxy(status, type, body);
		const node = { ...toErrorOutput, ...signInToNewAccount() };
		const { items } = await runNode(from, 'VideoGenAgent', session(), {
			...{ items: inputItems(12), node },
		});
		expect(items).toHaveLength(type === json ? 12 : 3);
		expect(service.control.jobs('session')).toHaveLength(items.length);
	});
});

test('a code that names a quota or credit ends the wait', async () => {
	for (const code of ['quota_exceeded', 'trial_credit_exhausted']) {
		service.control.reset();
		service.control.setWorkspace({ jobsAtOnce: 3 });
		const { errors } = await createVideos(
			6,
			{},
			{},
			await startProxy(429, json, describeError(code)),
		);
		expect(errors).toHaveLength(3);
		expect(posts('/v3/videos')).toHaveLength(6);
	}
});

test.each([false, true])(
	'a Retry-After of ten minutes fails no row (Wait for Completion: %s)',
	async (waitForCompletion) => {
		service.control.setWorkspace({ capacityRetryAfter: 600 });
		const began = clock.now();
		const { items, errors } = await createVideos(12, { waitForCompletion });
		expect(errors).toEqual([]);
		expect(items).toHaveLength(12);
		// Four rounds of jobs. A run that waits may be suspended when they end.
		expect((clock.now() - began) / 1000 / jobSeconds).toBeLessThan(7);
	},
);

describe('another client takes each free place every five seconds', () => {
	let isOver = false;
	afterEach(() => (isOver = true));

	/** Starts the other client. Its jobs take as long as ours. */
	async function compete(): Promise<void> {
		isOver = false;
		const body = Buffer.from(
			JSON.stringify({
				...{ type: 'avatar', avatar_id: 'look_001_1', voice_id: 'voice_001' },
				script: 'Hello there, this is a long enough text.',
			}),
		);
		const headers = { 'x-api-key': service.apiKey, 'content-type': json, 'x-client': 'other' };
		const create = async () =>
			await fetchText('/v3/videos', { method: 'POST', headers }, body).then(
				({ response }) => response.statusCode === 200,
			);
		await clock.sleep(7_000);
		while (!isOver) {
			while (await create());
			await clock.sleep(5_000);
		}
	}

	test.each([false, true])('all rows are made (Wait for Completion: %s)', async (isAwaited) => {
		// The times of both clients are random: with fewer rows, the requests per row vary widely.
		const count = 90;
		let isStarted = false;
		const onStart = () => {
			if (!isStarted) void compete();
			isStarted = true;
		};
		const form = { waitForCompletion: isAwaited, options: { waitForCapacity: 1440 } };
		const { items, errors } = await createVideos(count, form, { onStart });
		expect(errors).toEqual([]);
		expect(items).toHaveLength(count);
		const ours = posts('/v3/videos').filter(({ headers }) => headers['x-client'] !== 'other');
		expect(ours.length / count).toBeLessThan(isAwaited ? 15 : 12);
	});

	test('the error says that something else uses the account', async () => {
		const form = { waitForCompletion: true, options: { waitForCapacity: 5, waitTimeout: 60 } };
		const ids = () => service.control.jobs('video') as Array<{ id: string; ended: boolean }>;
		// The places of our jobs are taken at once.
		const onStart = () =>
			runAfter(40, () => {
				for (const { id } of ids()) service.control.endJob(id);
				service.control.setWorkspace({ jobsAtOnce: 0 });
			});
		const { items, errors } = await createVideos(5, form, { onStart });
		expect(items).toHaveLength(3);
		expect(errors).toHaveLength(2);
		expect(errors[0]?.json.error).toMatch(/^Not started and not charged/);
		expect(JSON.stringify(errors[0]?.json)).toContain(
			'Something else seems to be using the account',
		);
	});
});

describe('the process stops for an hour, as on a laptop that sleeps', () => {
	test.each([2, 60])('no row fails without an attempt (Wait for Capacity: %i)', async (minutes) => {
		const options = { waitForCapacity: minutes };
		const onStart = () => runAfter(10, () => stopProcess(3700));
		const { items, errors } = await createVideos(9, { options }, { onStart });
		expect(errors).toEqual([]);
		expect(items).toHaveLength(9);
	});

	test('each row is sent once more before it fails', async () => {
		service.control.holdJobs(true);
		let before = 0;
		const onStart = () =>
			runAfter(10, () => {
				before = posts('/v3/videos').length;
				stopProcess(3700);
			});
		const { errors } = await createVideos(8, {}, { onStart });
		expect(errors).toHaveLength(5);
		const after = posts('/v3/videos').slice(before);
		expect(after.map(({ status }) => status)).toEqual(Array(5).fill(429));
		expect(new Set(after.map(({ headers }) => headers['idempotency-key'])).size).toBe(5);
	});
});

describe('the clock is set back by an hour', () => {
	afterEach(() => setClockBack(0));

	test.each([false, true])(
		'the run takes no longer (Wait for Completion: %s)',
		async (waitForCompletion) => {
			const began = clock.elapsed();
			const onStart = () => runAfter(30, () => setClockBack(3600));
			const { items, errors } = await createVideos(9, { waitForCompletion }, { onStart });
			expect(errors).toEqual([]);
			expect(items).toHaveLength(9);
			expect((clock.elapsed() - began) / 1000).toBeLessThan(6 * jobSeconds);
		},
	);
});
