/**
 * Create requests whose idempotency key only public material mentions, not the specification. The
 * key is sent, but nothing that is known to exist depends on it.
 */
import type { INodeParameters } from 'n8n-workflow';
import { url } from '../support/cases';
import { createCalls, getValues, items, retryOnFail } from '../support/calls';
import { runNode, type RunOptions } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { failPosts, passPosts, jobs, keys, posts } = createCalls(service);

const creates = [
	['VideoGenClipping', 'clipping', '/v3/ai-clipping', 'job_id'],
	['VideoGenComposition', 'composition_render', '/v3/hyperframes/renders', 'render_id'],
] as const;

describe.each(creates)('%s', (node, kind, path, id) => {
	const create = async (
		count: number,
		options: INodeParameters = {},
		more: Omit<RunOptions, 'items'> = {},
	) =>
		await runNode(
			service,
			node,
			{
				operation: 'create',
				video: url('=https://files.example/{{ $json.i }}.mp4'),
				project: url('=https://files.example/{{ $json.i }}.zip'),
				waitForCompletion: false,
				options: { requestsAtOnce: 1, ...options },
			},
			{ items: items(count), ...more },
		);

	test('a lost response is asked for again, and the job is made once', async () => {
		failPosts(path, { cut: 'after', times: 2 });
		const { items: out, error } = await create(1);
		expect(error).toBeUndefined();
		expect(new Set(keys(path)).size).toBe(1);
		expect(getValues(out, id)).toEqual(jobs(kind).map((job) => job.id));
	});

	test('Retry On Fail sends nothing again that is known to exist', async () => {
		passPosts(path, 2);
		failPosts(path, { status: 400, times: 1 });
		const { items: out, error } = await create(4, {}, { node: retryOnFail });
		expect(error).toBeUndefined();
		expect(new Set(getValues(out, id)).size).toBe(4);
		expect(posts(path)).toHaveLength(5);
	});

	test('a job that failed with a temporary error is made again with another key', async () => {
		service.control.failNext(kind, { code: 'render_failed', message: 'Lost it' });
		const run = await runNode(
			service,
			node,
			{
				operation: 'create',
				video: url('https://files.example/a.mp4'),
				project: url('https://files.example/a.zip'),
				waitForCompletion: true,
				options: { pollInterval: 1 },
			},
			{ node: retryOnFail },
		);
		expect(run.error).toBeUndefined();
		expect(jobs(kind)).toHaveLength(2);
		expect(keys(path)[1]).toBe(`${keys(path)[0]}:again:1`);
	});

	test('two executions with Unique Request make what is missing', async () => {
		await create(1, { payOncePer: 'request' });
		const { items: out } = await create(3, { payOncePer: 'request' });
		expect(jobs(kind)).toHaveLength(3);
		expect(new Set(getValues(out, id)).size).toBe(3);
	});
});
