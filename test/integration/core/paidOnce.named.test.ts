/** Nothing is lost: whatever happens, an outcome or the log names each job that may exist. */
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject, INode } from 'n8n-workflow';
import { avatar, batch, items, session } from '../support/calls';
import { getErrorDetails } from '../support/core';
import { runNode } from '../support/engine';
import { useService } from '../support/service';
import { after } from '../support/time';

const service = useService();

afterEach(() => jest.restoreAllMocks());

const retried: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const continued: Partial<INode> = { onError: 'continueRegularOutput' };

const received = (method: string, path: string | RegExp) =>
	service.control.requests({ method, path });
const jobs = (kind: string) => service.control.jobs(kind) as Array<IDataObject & { id: string }>;
const lose = (
	path: string | RegExp,
	times?: number,
	cut: 'before' | 'after' | 'midway' = 'after',
) => service.control.fail({ method: 'POST', path, cut, ...(times === undefined ? {} : { times }) });

/** The lines that n8n's log shows as it comes. */
function logged() {
	const lines: string[] = [];
	for (const level of ['info', 'warn', 'error'] as const) {
		jest
			.spyOn(Container.get(Logger), level)
			.mockImplementation((...[text]: unknown[]) => void lines.push(`${level} ${String(text)}`));
	}
	return lines;
}

describe('ten lost answers to a create with a key', () => {
	const words = /may have been created all the same.*Own Key in the options.*: (\S+)/;

	test('say that it may exist, and the key with which to find out', async () => {
		lose('/v3/videos', 10);
		const { error } = await runNode(service, 'VideoGenVideo', avatar(), { items: items(1) });
		expect(received('POST', '/v3/videos')).toHaveLength(10);
		expect(jobs('video')).toHaveLength(1);
		const key = words.exec(error?.description ?? '')?.[1];
		expect(getErrorDetails(error)).toMatchObject({ uncertain: true, idempotency_key: key });
		expect(key).toBe(received('POST', '/v3/videos')[0]?.headers['idempotency-key']);

		// As the words say: another execution with it as Own Key.
		const again = await runNode(
			service,
			'VideoGenVideo',
			avatar({ options: { payOncePer: 'ownKey', idempotencyKey: key } as never }),
			{ items: items(1) },
		);
		expect(again.items[0]?.json.video_id).toBe(jobs('video')[0]?.id);
		expect(jobs('video')).toHaveLength(1);
	});

	test('are told in the details of an error item', async () => {
		lose('/v3/videos', 10);
		const { items: out } = await runNode(service, 'VideoGenVideo', avatar(), {
			items: items(1),
			node: continued,
		});
		expect(out[0]?.json.details).toMatchObject({
			uncertain: true,
			idempotency_key: received('POST', '/v3/videos')[0]?.headers['idempotency-key'],
		});
	});

	test('of a batch of 100 too, and of a key in the body', async () => {
		lose('/v3/videos/batches', 10);
		const many = await runNode(service, 'VideoGenVideo', batch(), { items: items(100) });
		expect(words.exec(many.error?.description ?? '')?.[1]).toBe(
			received('POST', '/v3/videos/batches')[0]?.headers['idempotency-key'],
		);
		lose('/v3/background-removals', 10);
		const one = await runNode(service, 'VideoGenBackgroundRemoval', {
			operation: 'create',
			video: { __rl: true, mode: 'url', value: 'https://files.example/a.mp4' },
			waitForCompletion: false,
		});
		const [request] = received('POST', '/v3/background-removals');
		expect(words.exec(one.error?.description ?? '')?.[1]).toBe(
			(request?.body as IDataObject).request_id,
		);
	});

	test('also where the last word is a refusal that says nothing about the ones before', async () => {
		lose('/v3/videos', 1);
		service.control.fail({ method: 'POST', path: '/v3/videos', status: 429, retryAfter: 3600 });
		const { error } = await runNode(service, 'VideoGenVideo', avatar(), { items: items(1) });
		expect(jobs('video')).toHaveLength(1);
		expect(error?.description).toMatch(words);
	});

	test('and the next try of n8n asks for the same one', async () => {
		lose('/v3/videos', 10);
		const { error, items: out } = await runNode(service, 'VideoGenVideo', avatar(), {
			items: items(1),
			node: retried,
		});
		expect(error).toBeUndefined();
		expect(jobs('video')).toHaveLength(1);
		expect(out[0]?.json.video_id).toBe(jobs('video')[0]?.id);
	});
});

describe('an answer that is cut in the middle', () => {
	test('of a create with a key is asked for again: 100 videos are paid for once, and named', async () => {
		lose('/v3/videos/batches', 3, 'midway');
		const { items: out } = await runNode(service, 'VideoGenVideo', batch(), { items: items(100) });
		expect(jobs('video')).toHaveLength(100);
		expect(jobs('batch')).toHaveLength(1);
		expect(out[0]?.json.batch_id).toBe(jobs('batch')[0]?.batch_id ?? jobs('batch')[0]?.id);
	});

	test('of a create without a key leaves a doubt, and no second session', async () => {
		lose('/v3/video-agents', 1, 'midway');
		const { error } = await runNode(service, 'VideoGenAgent', session(), { node: retried });
		expect(jobs('session')).toHaveLength(1);
		expect(error?.description).toContain('session may have been created');
		expect(getErrorDetails(error)).toMatchObject({ uncertain: true, code: 'cut_answer' });
	});

	test('of a read ends neither a wait nor a list', async () => {
		service.control.fail({ method: 'GET', path: /^\/v3\/videos/, cut: 'midway', times: 3 });
		const waited = await runNode(
			service,
			'VideoGenVideo',
			avatar({ waitForCompletion: true, options: { pollInterval: 1 } }),
			{ items: items(1) },
		);
		expect(waited.items[0]?.json.status).toBe('completed');
		service.control.fail({ method: 'GET', path: '/v3/videos', cut: 'midway', times: 3 });
		const list = await runNode(service, 'VideoGenVideo', {
			operation: 'getMany',
			returnAll: true,
		});
		expect(list.error).toBeUndefined();
		expect(list.items.length).toBeGreaterThan(1);
	});
});

describe('while another item fails', () => {
	test('a create whose answer was lost is asked for until its job is known', async () => {
		// The first goes alone, and well. The second loses its answer and pauses; then the third ends the run.
		service.control.fail({ method: 'POST', path: '/v3/videos', delayMs: 1, times: 1 });
		lose('/v3/videos', 1);
		service.control.fail({
			method: 'POST',
			path: '/v3/videos',
			status: 402,
			code: 'insufficient_credit',
			delayMs: 50,
			times: 1,
		});
		const { error } = await runNode(service, 'VideoGenVideo', avatar(), { items: items(3) });
		expect(error?.message).toContain('not enough credit');
		expect(jobs('video')).toHaveLength(2);
		for (const { id } of jobs('video')) expect(error?.description).toContain(id);
	});

	test('but nothing that was not sent is sent any more', async () => {
		service.control.fail({ method: 'POST', path: '/v3/videos', status: 402, times: 1 });
		await runNode(service, 'VideoGenVideo', avatar({ options: { requestsAtOnce: 1 } }), {
			items: items(5),
		});
		expect(jobs('video')).toHaveLength(0);
		expect(received('POST', '/v3/videos')).toHaveLength(1);
	});
});

test('the stop button in the pause after a lost answer leaves the key in the log', async () => {
	const lines = logged();
	lose('/v3/videos');
	await runNode(service, 'VideoGenVideo', avatar(), { onStart: (stop) => after(1.5, stop) });
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(jobs('video')).toHaveLength(1);
	const key = received('POST', '/v3/videos')[0]?.headers['idempotency-key'] as string;
	expect(lines.filter((line) => line.startsWith('warn')).join('\n')).toContain(key);
});

describe('the log of n8n', () => {
	test('names each job as soon as it exists, and where it was started', async () => {
		const lines = logged();
		const form = avatar({ options: { requestsAtOnce: 1 } });
		await runNode(service, 'VideoGenVideo', form, { items: items(3), executionId: 'e7' });
		await runNode(service, 'VideoGenAgent', session(), { executionId: 'e8' });
		const line = (job: string, execution: string, item: number) =>
			`info VideoGen started ${job} (execution ${execution}, workflow workflow, node "Node", item ${item})`;
		expect(lines.filter((text) => text.includes('VideoGen started'))).toEqual([
			...jobs('video').map(({ id }, item) => line(`video ${id}`, 'e7', item)),
			line(`session ${jobs('session')[0]?.id}`, 'e8', 0),
		]);
	});

	test('says what is asked for before it goes, with its key: a kill may come before the answer', async () => {
		const lines = logged();
		service.control.fail({ method: 'POST', path: '/v3/videos', status: 402 });
		const { error } = await runNode(service, 'VideoGenVideo', avatar(), {
			items: items(1),
			executionId: 'e9',
		});
		expect(error).toBeDefined();
		const key = String(received('POST', '/v3/videos')[0]?.headers['idempotency-key']);
		expect(lines.find((line) => line.includes('asks'))).toBe(
			`info VideoGen asks POST /v3/videos (key ${key}, execution e9, workflow workflow, node "Node", item 0)`,
		);
		await runNode(service, 'VideoGenAgent', session());
		expect(lines.filter((line) => line.includes('asks POST /v3/video-agents ('))).toHaveLength(1);
		const free = lines.length;
		await runNode(service, 'VideoGenVideo', { operation: 'getMany', returnAll: true });
		expect(lines).toHaveLength(free);
	});

	test('does so before the wait begins', async () => {
		const lines = logged();
		service.control.holdJobs(true);
		const { error } = await runNode(
			service,
			'VideoGenVideo',
			avatar({ waitForCompletion: true, options: { waitTimeout: 0.1 } }),
			{ items: items(1) },
		);
		expect(error?.message).toContain('was not finished');
		expect(lines.some((line) => line.includes(`video ${jobs('video')[0]?.id}`))).toBe(true);
	});

	test('says a job once, however often n8n tries', async () => {
		const lines = logged();
		service.control.fail({ method: 'POST', path: '/v3/videos', delayMs: 1, times: 2 });
		service.control.fail({ method: 'POST', path: '/v3/videos', status: 402, times: 2 });
		await runNode(service, 'VideoGenVideo', avatar({ options: { requestsAtOnce: 1 } }), {
			items: items(4),
			node: retried,
		});
		expect(lines.filter((line) => line.includes('VideoGen started'))).toHaveLength(4);
	});
});

test('a translation into several languages names each of its jobs', async () => {
	const lines = logged();
	await runNode(service, 'VideoGenTranslation', {
		operation: 'create',
		video: { __rl: true, mode: 'url', value: 'https://files.example/a.mp4' },
		output_languages: ['Spanish', 'German'],
		waitForCompletion: false,
	});
	const started = lines.filter((line) => line.includes('VideoGen started'));
	expect(started).toHaveLength(2);
	expect(jobs('translation')).toHaveLength(2);
	for (const { id } of jobs('translation')) expect(started.join('\n')).toContain(id);
});
