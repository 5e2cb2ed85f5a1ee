/**
 * n8n's Retry On Fail runs the whole node again, all items included, and evaluates its expressions
 * again. What was paid for is not paid for twice, and what failed for good is not tried again.
 */
import type { IDataObject, INode } from 'n8n-workflow';
import {
	avatar,
	createCalls,
	continueOnFail,
	expectOnePerItem,
	items,
	retryOnFail,
	session,
	getValues,
	waiting,
} from '../support/calls';
import { createNode, runNodes, signedIn } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { createVideos, createBatch, createSessions, ...calls } = createCalls(service);
const { bodies, posts, keys, jobs, failPosts, passPosts, failRenders } = calls;

const continueAndRetry: Partial<INode> = { ...retryOnFail, ...continueOnFail };
const videos = '/v3/videos';
const batches = '/v3/videos/batches';
const sessions = '/v3/video-agents';

/** Differs at every attempt, as a time of day does. */
const changing = '{{ $now.toMillis() }} {{ Math.random() }}';
const title = { title: `=Video of ${changing}` };
const script = { script: `=Number {{ $json.i }}, it is ${changing} and all is well.` };
const awaited = { ...script, ...waiting({ requestsAtOnce: 5 }) };

const rejection = { status: 402, code: 'insufficient_credit' };
const rejectOnce = (path: string) => failPosts(path, { ...rejection, times: 1 });
const distinct = (values: unknown[]) => new Set(values).size;
const jobIds = (kind: string) => jobs(kind).map(({ id }) => id);
const statuses = (out: Array<{ json: IDataObject }>) =>
	out.map(({ json }) => json.status ?? 'error').join(' ');

/** Expects that the items have exactly the videos whose render did not fail. */
const expectGoodVideos = (out: Array<{ json: IDataObject }>) => {
	const good = jobs('video').filter(({ willFail }) => !willFail);
	expect(new Set(getValues(out, 'video_id'))).toEqual(new Set(good.map(({ id }) => id)));
};

/** Creates five videos or sessions, with values that change. */
const createFive = {
	video: async (requestsAtOnce: number, node: Partial<INode>) =>
		await createVideos(5, { options: { ...title, requestsAtOnce } }, { node }),
	session: async (requestsAtOnce: number, node: Partial<INode>) => {
		const form = { prompt: `=A welcome at ${changing}`, options: { requestsAtOnce } };
		return await createSessions(5, form, { node });
	},
};

describe.each([
	['video', videos, 'video_id'],
	['session', sessions, 'session_id'],
] as const)('five creates of a %s of which one is rejected once', (kind, path, id) => {
	test.each([
		['the first', 0, 1, retryOnFail],
		['the first, with Continue On Fail', 0, 1, continueAndRetry],
		['the fourth', 3, 1, retryOnFail],
		['one, all at once', 0, 5, retryOnFail],
		['one of the later, all at once', 3, 5, retryOnFail],
	])('make five jobs: %s', async (_, passed, requestsAtOnce, node) => {
		if (passed > 0) passPosts(path, passed);
		rejectOnce(path);
		const { error, items: out } = await createFive[kind](requestsAtOnce, node);
		expect(error).toBeUndefined();
		expect(out.some(({ json }) => json.error)).toBe(false);
		expect(jobs(kind)).toHaveLength(5);
		expect(new Set(getValues(out, id))).toEqual(new Set(jobIds(kind)));
	});
});

test.each([1, 4])(
	'of five videos, only the %i whose render failed are made again',
	async (failed) => {
		failRenders(failed);
		const { error, items: out } = await createVideos(5, awaited, { node: retryOnFail });
		expect(error).toBeUndefined();
		expect(jobs('video')).toHaveLength(5 + failed);
		expectGoodVideos(out);
		// The values do change from attempt to attempt.
		expect(distinct(bodies(videos).map((body) => body.script))).toBe(posts(videos).length);
	},
);

test('a session that failed is made again, although the service takes no key for it', async () => {
	service.control.failNext('session', { code: 'generation_failed', message: 'Lost it' });
	const form = { prompt: `=A welcome at ${changing}`, ...waiting() };
	const { error, items: out } = await createSessions(3, form, { node: retryOnFail });
	expect(error).toBeUndefined();
	expect(jobs('session')).toHaveLength(4);
	expect(statuses(out)).toBe('completed completed completed');
});

test.each([
	['content_policy_violation', 'The script is not allowed', 1, 3, 3],
	['avatar_consent_required', 'The avatar has no consent', 1, 3, 3],
	['invalid_parameter', 'The sound is broken', 1, 3, 3],
	// Made once per attempt.
	['render_failed', 'The face was lost', 5, 1, 3],
])('a video that fails for good (%s) names all that exists', async (...row) => {
	const [code, message, failures, count, made] = row;
	failRenders(failures, code, message);
	const { error } = await createVideos(count, awaited, { node: retryOnFail });
	expect(error?.message).toContain(message);
	expect(jobs('video')).toHaveLength(made);
	for (const id of jobIds('video')) {
		expect(`${error?.description} ${JSON.stringify(error?.context)}`).toContain(id);
	}
});

describe('rows of a batch', () => {
	const create = async (count: number, more: IDataObject = {}, node = retryOnFail) => {
		const options = { ...awaited.options, ...more } as never;
		return await createBatch(count, { ...awaited, options }, { node });
	};

	test.each([
		['the place', {}, 2, 3],
		['the content, without a batch', { payOncePer: 'request' }, 2, 0],
		['an own key, without a batch', { payOncePer: 'ownKey', idempotencyKey: 'sheet-7' }, 2, 0],
		['the place, for two batches that lost rows', {}, 101, 4],
	])('that failed are made again apart from the others, with keys of %s', async (...row) => {
		const [, options, failed, made] = row;
		failRenders(failed);
		// Two attempts are enough: the next one repeats the rows of all batches.
		const { error, items: out } = await create(130, options, { ...retryOnFail, maxTries: 2 });
		expect(error).toBeUndefined();
		expect(jobs('video')).toHaveLength(130 + failed);
		expect(jobs('batch')).toHaveLength(made);
		expectOnePerItem(out, 130);
		expectGoodVideos(out);
	});

	test('that failed for good are not made again, but others are', async () => {
		const fail = () => {
			failRenders(1, 'content_policy_violation');
			failRenders(1);
		};
		fail();
		const { error } = await create(4);
		expect(error?.message).toContain('The face was lost [row 1]');
		expect(jobs('video')).toHaveLength(5);
		service.control.reset();
		fail();
		const { items: out } = await create(4, {}, continueAndRetry);
		expect(statuses(out)).toBe('error completed completed completed');
		expect(jobs('video')).toHaveLength(5);
	});

	test('that fail every time are paid for at most once per attempt', async () => {
		failRenders(10);
		const { error } = await create(2);
		expect(error?.message).toContain('The face was lost');
		expect(jobs('video')).toHaveLength(6);
	});

	test.each([
		['the batch of the failed ones is rejected', { status: 400, code: 'bad' }],
		['the account cannot pay for the failed ones', rejection],
	])('stay good rows where %s', async (_, answer) => {
		failRenders();
		passPosts(batches, 1);
		failPosts(batches, { ...answer, times: 1 });
		const { items: out } = await create(3, {}, { ...continueAndRetry, maxTries: 2 });
		expect(statuses(out)).toBe('error completed completed');
		expect(jobs('video')).toHaveLength(3);
	});
});

test('without Retry On Fail nothing is made again', async () => {
	failRenders();
	await createVideos(2, awaited);
	expect(jobs('video')).toHaveLength(2);
});

test('with Continue On Fail, only the first render that failed is made again', async () => {
	failRenders();
	const form = { ...script, ...waiting({ requestsAtOnce: 1 }) };
	const { items: out } = await createVideos(3, form, { node: continueAndRetry });
	expect(jobs('video')).toHaveLength(4);
	expect(statuses(out)).toBe('completed completed completed');
});

describe('batches of which an item is wrong in one attempt only', () => {
	/** Runs 150 items, one of which is wrong, depending on whether a batch was received before. */
	const create = async (wrong: { first: number; later: number }, options: IDataObject = {}) => {
		const isWrong = (i: unknown) => i === (posts().length === 0 ? wrong.first : wrong.later);
		const all = items(150).map(({ json }) => ({
			json: { ...json, isWrong: () => isWrong(json.i) },
		}));
		return await createBatch(
			150,
			{
				script: '={{ $json.isWrong() ? "" : "Hello, it is " + $now.toMillis() + " o clock." }}',
				options: { requestsAtOnce: 1, ...options } as never,
			},
			{ items: all as never, node: continueAndRetry },
		);
	};

	test('stay together as they were sent', async () => {
		const { items: out } = await create({ first: 0, later: 120 });
		expect(jobs('video')).toHaveLength(150);
		expectOnePerItem(out, 150);
		expect(out.some(({ json }) => json.error)).toBe(false);
		const sizes = bodies(batches).map((body) => (body.videos as unknown[]).length);
		expect(sizes.sort()).toEqual([1, 100, 49]);
		expect(distinct(keys(batches))).toBe(3);
	});

	test('are rows with keys of their own under an own key, and keep them', async () => {
		const isWrong = { first: 0, later: -1 };
		await create(isWrong, { idempotencyKey: 'sheet-7' });
		expect(jobs('video')).toHaveLength(150);
		expect(distinct(keys(videos))).toBe(150);
	});
});

describe('a later attempt knows what earlier ones have made', () => {
	/** Items that know whether a video exists. */
	const knowing = (count: number) =>
		items(count).map(({ json }) => ({
			json: { ...json, made: () => jobs('video').length > 0 },
		})) as never;

	test.each([
		['video', videos],
		['session', sessions],
	] as const)(
		'three creates of a %s pass, then all are rejected: three are named',
		async (...row) => {
			const [kind, path] = row;
			passPosts(path, 3);
			failPosts(path, rejection);
			const { error } = await createFive[kind](1, retryOnFail);
			expect(error?.message).toContain('not have enough credit');
			expect(jobs(kind)).toHaveLength(3);
			for (const id of jobIds(kind)) expect(error?.description).toContain(id);
			const { job, started } = error?.context?.details as IDataObject;
			const named = [job, ...(started as IDataObject[])] as Array<{ id: string } | undefined>;
			const ids = named.flatMap((one) => one?.id ?? []);
			expect(new Set(ids)).toEqual(new Set(jobIds(kind)));
		},
	);

	test('a rejection of the next attempt, before anything is sent, names them too', async () => {
		passPosts(videos, 1);
		failPosts(videos, { status: 400, code: 'invalid_parameter', times: 1 });
		const idempotencyKey = '={{ $json.made() ? "same" : "order-" + $json.i }}';
		const form = { options: { idempotencyKey, requestsAtOnce: 1 } };
		const { error } = await createVideos(2, form, { items: knowing(2), node: retryOnFail });
		expect(error?.message).toContain('is also "same" for row 1');
		expect(jobs('video')).toHaveLength(1);
		expect(error?.description).toContain(jobs('video')[0]?.id);
	});

	test('a rejection of the account leaves out what is paid for already', async () => {
		// In the first attempt the first item is wrong, in the second there is no credit left.
		failPosts(videos, { status: 400, times: 1 });
		passPosts(videos, 3);
		failPosts(videos, { status: 402, times: 1 });
		const form = { options: { ...title, requestsAtOnce: 1 } };
		const node = { ...continueAndRetry, maxTries: 2 };
		const { items: out } = await createVideos(4, form, { node });
		expect(jobs('video')).toHaveLength(3);
		expect(out.map(({ json }) => Boolean(json.error))).toEqual([true, false, false, false]);
	});

	test('an item that is wrong in the next attempt outputs the job that it has', async () => {
		passPosts(videos, 2);
		rejectOnce(videos);
		const form = {
			script: '={{ $json.i === 0 && $json.made() ? "" : "Hello there, this is a long text." }}',
			options: { requestsAtOnce: 1 },
		};
		const settings = { items: knowing(3), node: retryOnFail };
		const { items: out, error } = await createVideos(3, form, settings);
		expect(error).toBeUndefined();
		expect(jobs('video')).toHaveLength(3);
		expect(distinct(getValues(out, 'video_id'))).toBe(3);
	});
});

test.each([
	['VideoGenVideo', 'video', avatar()],
	['VideoGenAgent', 'session', session()],
])('%s: further runs of a node in an execution are no attempts', async (type, kind, form) => {
	const twice = [0, 1].map(() => ({ node: 'Node', type: 'main' as const, index: 0 }));
	const node = createNode('Node', type, form, { ...signedIn, ...retryOnFail });
	const run = await runNodes(service, [node], { Items: { main: [twice] } });
	expect(run.data.resultData.runData.Node).toHaveLength(2);
	expect(jobs(kind)).toHaveLength(2);
});

test.each(['execution', 'request'])(
	'a lost response, and then a lack of credit, leads to one video (Pay Once Per: %s)',
	async (payOncePer) => {
		failPosts(videos, { cut: 'after', times: 1 });
		rejectOnce(videos);
		await createVideos(1, waiting({ payOncePer }), { node: retryOnFail });
		expect(jobs('video')).toHaveLength(1);
	},
);
