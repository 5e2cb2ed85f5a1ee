/** An account that runs as many jobs as it may: create requests wait, and every item gets its own. */
import type { INode, INodeParameters } from 'n8n-workflow';
import { createCalls, items as inputItems } from '../support/calls';
import { byId, runNode, signInToNewAccount, type Result } from '../support/engine';
import { runAfter } from '../support/time';
import { useService } from '../support/service';

const service = useService({ jobSeconds: 60 });
const calls = createCalls(service);
const { posts } = calls;

/** All runs of a test share an account. */
let account: Partial<INode> = {};
beforeEach(() => (account = signInToNewAccount()));
const signIn = (node: Partial<INode> = {}): Partial<INode> => ({ ...node, ...account });

const inOwnAccount =
	(create: typeof calls.createVideos): typeof calls.createVideos =>
	async (count, more, options) =>
		await create(count, more, { ...options, node: signIn(options?.node) });
const createVideos = inOwnAccount(calls.createVideos);
const createSessions = inOwnAccount(calls.createSessions);
const createBatch = inOwnAccount(calls.createBatch);

/** Sets the number of jobs that the account runs, and the `Retry-After` of the 429 above that. */
const setCapacity = (jobsAtOnce: number, capacityRetryAfter: number | null) =>
	service.control.setWorkspace({ jobsAtOnce, capacityRetryAfter });

const createTranslations = async (count: number, more: INodeParameters = {}) =>
	await runNode(
		service,
		'VideoGenTranslation',
		{
			operation: 'create',
			video: { __rl: true, mode: 'url', value: 'https://videos.example/a.mp4' },
			output_languages: ['German'],
			...more,
		},
		{ items: inputItems(count), node: signIn() },
	);

const creates = [
	{ kind: 'videos', path: '/v3/videos', id: 'video_id', create: createVideos },
	{ kind: 'agent sessions', path: '/v3/video-agents', id: 'session_id', create: createSessions },
	{
		kind: 'translations',
		path: '/v3/video-translations',
		id: 'video_translation_id',
		create: createTranslations,
	},
];

/** Checks that each of N items has a job of its own, and counts the create requests. */
function expectOwnJobs({ items, error }: Result, count: number, id: string, path: string): number {
	expect(error).toBeUndefined();
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		inputItems(count).map((_, item) => ({ item })),
	);
	const jobs = items.map(({ json }) => json[id] ?? (json.job as { id: string }).id);
	expect(new Set(jobs).size).toBe(count);
	const sent = posts(path);
	expect(sent.filter(({ status }) => status !== 429)).toHaveLength(count);
	return sent.length;
}

describe.each([
	['without Retry-After', null],
	['with Retry-After 1', 1],
	['with Retry-After 30', 30],
])('the service rejects %s', (_, retryAfter) => {
	test.each(
		creates.flatMap((one) =>
			[true, false].map((waitForCompletion) => ({ ...one, waitForCompletion })),
		),
	)('$kind are all made (Wait for Completion: $waitForCompletion)', async (one) => {
		setCapacity(10, retryAfter);
		const { create, id, path, waitForCompletion } = one;
		const result = await create(40, { waitForCompletion });
		// Those in flight when the account becomes full are rejected, and few after that.
		expect(expectOwnJobs(result, 40, id, path)).toBeLessThan(100);
	});
});

describe.each([
	[200, null],
	[200, 30],
])('%i rows of one minute each, Retry-After: %s', (rows, retryAfter) => {
	test.each([
		// Nothing is read: each request is a create.
		[false, 1.4],
		// Each job is read until it ends: 3.7 to 4.3 requests a row, because suspensions have a random part.
		[true, 4.6],
	])('few requests, in little time (Wait for Completion: %s)', async (isAwaited, most) => {
		setCapacity(10, retryAfter);
		const options = { waitTimeout: 600, mostJobs: rows };
		const result = await createVideos(rows, { waitForCompletion: isAwaited, options });
		expectOwnJobs(result, rows, 'video_id', '/v3/videos');
		expect(service.control.requests().length / rows).toBeLessThan(most);
		const made = posts('/v3/videos').filter(({ status }) => status !== 429);
		const end = isAwaited ? service.control.clock.now() : (made.at(-1)?.at ?? 0);
		const minutes = (end - (made[0]?.at ?? 0)) / 60;
		// Ten jobs run at a time. Without the wait, the run ends when the last ones have started.
		const least = rows / 10 - (isAwaited ? 0 : 1);
		expect(minutes).toBeGreaterThanOrEqual(least);
		expect(minutes / least).toBeLessThan(1.1);
	});
});

test.each([
	['up to 100 rows per request', 'execution', 3],
	['each row as its own request', 'request', 350],
])(
	'250 rows of a batch take as long as the account needs: %s',
	async (_, payOncePer, mostCreates) => {
		const options = { payOncePer, mostJobs: 250, waitTimeout: 60 };
		const { items } = await createBatch(250, { waitForCompletion: true, options });
		expect(new Set(items.map(({ json }) => json.video_id)).size).toBe(250);
		const sent = posts(/^\/v3\/videos/);
		expect(sent.length).toBeLessThanOrEqual(mostCreates);
		const minutes = (service.control.clock.now() - (sent[0]?.at ?? 0)) / 60;
		expect(minutes).toBeGreaterThanOrEqual(25);
		expect(minutes).toBeLessThan(30);
	},
);

test('a run with one request at once waits, too', async () => {
	const result = await createVideos(30, { options: { requestsAtOnce: 1 } });
	expectOwnJobs(result, 30, 'video_id', '/v3/videos');
});

test('two runs of an account share its capacity', async () => {
	const [first, second] = await Promise.all([createVideos(20), createSessions(20)]);
	for (const { items, error } of [first, second]) {
		expect(error).toBeUndefined();
		expect(items).toHaveLength(20);
	}
	expect(posts(/^\/v3\/(videos|video-agents)$/).length).toBeLessThan(100);
});

test('realtime avatars wait for a limit of their own', async () => {
	service.control.holdJobs(true);
	await createVideos(10);
	service.control.holdJobs(false);
	const { items, error } = await runNode(
		service,
		'VideoGenRealtimeAvatar',
		{
			operation: 'create',
			avatar_id: byId('look_001_1'),
			type: 'tts',
			text: 'Hello',
			voice_id: byId('voice_001'),
		},
		{ items: inputItems(7), node: signIn() },
	);
	expect(error).toBeUndefined();
	expect(new Set(items.map(({ json }) => json.stream_id)).size).toBe(7);
});

test('the rows of a batch are queued in the service', async () => {
	const { items, error } = await createBatch(30, { waitForCompletion: true });
	expect(error).toBeUndefined();
	expect(new Set(items.map(({ json }) => json.video_id)).size).toBe(30);
	expect(posts('/v3/videos/batches')).toHaveLength(1);
});

describe('no job ends in time', () => {
	beforeEach(() => {
		service.control.holdJobs(true);
		setCapacity(3, null);
	});

	test('items that are left fail, and nothing is charged for them', async () => {
		const { items, errors } = await createVideos(
			8,
			{ options: { waitForCapacity: 10 } },
			{ node: { onError: 'continueErrorOutput' } },
		);
		expect(items).toHaveLength(3);
		expect(errors).toHaveLength(5);
		expect(errors[0]?.json).toMatchObject({
			error:
				'Not started and not charged: the account was already running its maximum number of jobs [row 4]',
			details: { code: 'not_started' },
		});
		expect(service.control.jobs('video')).toHaveLength(3);
		// Connected back to the input, they are made.
		service.control.holdJobs(false);
		const again = await createVideos(5, {}, { items: errors });
		expect(again.items).toHaveLength(5);
	});

	test('the error of a run that stops names what was started', async () => {
		const { error, items } = await createVideos(5, { options: { waitForCapacity: 10 } });
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/^Not started and not charged/);
		expect(error?.description).toContain('This item waited 10 minutes.');
		for (const { id } of service.control.jobs('video') as Array<{ id: string }>) {
			expect(error?.description).toContain(id);
		}
	});

	test('the wait is limited by time without progress, not by its length', async () => {
		const { items } = await createVideos(
			6,
			{ options: { waitForCapacity: 10 } },
			{ onStart: () => [7, 14, 21].forEach((minutes) => runAfter(minutes * 60, endOneJob)) },
		);
		expect(items).toHaveLength(6);
	});

	test('after the stop, no create is sent', async () => {
		let stop = () => {};
		const run = createVideos(
			5,
			{},
			{
				onStart: (stopRun) => {
					stop = stopRun;
					runAfter(120, () => stop());
				},
			},
		);
		await run;
		const sent = posts('/v3/videos').length;
		service.control.holdJobs(false);
		service.control.clock.advance(600);
		expect(service.control.jobs('video')).toHaveLength(3);
		expect(posts('/v3/videos')).toHaveLength(sent);
	});
});

function endOneJob() {
	const running = (service.control.jobs('video') as Array<{ id: string; ended: boolean }>).find(
		({ ended }) => !ended,
	);
	if (running) service.control.endJob(running.id);
}
