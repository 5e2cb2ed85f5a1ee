/** The output items of a request, and what an operation that sends several requests can do. */
import type { IDataObject } from 'n8n-workflow';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { ExecuteContext, Operation } from '../../../nodes/core/operation';
import { videoJob } from '../../../nodes/jobKinds/catalog';
import { createOperation, createRequest, createRun } from './plannedRequests';

const get = (more: Partial<Operation> = {}) => createOperation({ request: 'GET /things', ...more });
const remove = createOperation({ request: 'DELETE /things' });
const nested = { thing: { id: 1 } };

test.each<[string, Operation, unknown, unknown[]]>([
	['an object', get(), { data: { id: 1 } }, [{ id: 1 }]],
	['an object without the usual key', get(), { id: 1 }, [{ id: 1 }]],
	['an object whose data is null', get(), { data: null, id: 1 }, [{ data: null, id: 1 }]],
	['an object in an object', get(), { data: nested }, [nested]],
	[
		'an object in an object, with a job',
		get({ starts: videoJob }),
		{ data: { video: { video_id: 'v' } } },
		[{ video_id: 'v' }],
	],
	[
		'data under another key',
		get({ unwrap: ({ a }) => a }),
		{ a: { id: 1 }, data: {} },
		[{ id: 1 }],
	],
	[
		'data that the operation does not unwrap',
		get({ unwrap: () => null }),
		{ data: { id: 1 } },
		[{ id: 1 }],
	],
	['a list', get(), { data: [{ id: 1 }, 'b', [2]] }, [{ id: 1 }, { value: 'b' }, { value: [2] }]],
	['an empty list', get(), { data: [] }, [{ value: [] }]],
	['a deleted object', remove, { data: { id: 1 } }, [{ id: 1, deleted: true }]],
	['a deletion without content', remove, {}, [{ deleted: true }]],
	['deleted objects', remove, { data: [{ id: 1 }] }, [{ id: 1 }]],
])('the output of a response with %s', async (_, operation, reply, items) => {
	const { send, requests } = createRun(() => reply);
	const { sent, failures } = await send(createRequest(operation));
	expect([
		sent.map(({ replies }) => replies),
		failures,
		requests.map(({ body }) => body),
	]).toStrictEqual([[items.map((json) => ({ json }))], [], [undefined]]);
});

test('each row of a list becomes an item', async () => {
	const { send, requests } = createRun(() => [{ id: 1 }, { value: 2 }]);
	const request = createRequest(get({ list: 'unpaged' }), [{ returnAll: true }]);
	expect(await send(request)).toStrictEqual({
		sent: [{ ...request, replies: [{ json: { id: 1 } }, { json: { value: 2 } }], jobs: [] }],
		failures: [],
	});
	expect(requests).toMatchObject([{ line: 'GET /things', query: {} }]);
});

describe('an operation that sends its own requests', () => {
	const field = { name: 'a', displayName: 'A', type: 'string', default: '' } as const;

	/** Sends the requests of `execute` for two items. */
	async function execute(
		run: (context: ExecuteContext) => Promise<unknown>,
		reply: (number: number) => unknown,
		more: Partial<Operation> = {},
	) {
		const { send, ...fakes } = createRun((_, number) => reply(number));
		const operation = createOperation({
			fields: [field],
			...more,
			execute: async (context) => {
				await run(context);
				return [{ json: { own: true } }];
			},
		});
		const request = createRequest(operation, [{ a: '1' }, { a: '2' }]);
		return { ...fakes, request, result: await send(request) };
	}

	test('receives its items, and sends and streams with the values of the user', async () => {
		const read = jest.fn(async () => await Promise.resolve('read'));
		let given: unknown;
		const replies: unknown[] = [];
		const more = { idempotent: true, repeatable: true } as const;
		const { requests, request, result, n8n, client } = await execute(
			async ({ send, sendAfter, stream, recordJobs, sendEntries, keys, ...context }) => {
				given = context;
				replies.push(await send(), await send({ b: 1 }, { survivesStop: true }));
				replies.push(await stream(read, { Accept: 'a' }));
				replies.push(await sendAfter(async () => await Promise.resolve('before')));
				recordJobs([{ kind: videoJob, id: 'v' }]);
			},
			(number) => ({ data: { number } }),
			more,
		);
		expect(given).toStrictEqual({
			values: { a: '1' },
			payload: { a: '1' },
			input: { json: { i: 3 } },
			n8n,
			client,
			itemIndex: 3,
			combinedItems: request.items,
			awaitJobs: expect.any(Function),
		});
		const afterwards = { prepared: 'before', reply: { number: 4 } };
		expect(replies).toStrictEqual([{ number: 1 }, { number: 2 }, 'read', afterwards]);
		expect(read.mock.calls).toStrictEqual([[{ data: { number: 3 } }]]);
		expect(
			requests.map(({ body, headers, survivesStop }) => [body, headers, survivesStop]),
		).toStrictEqual([
			[{ a: '1' }, undefined, false],
			[{ b: 1 }, undefined, true],
			[{ a: '1' }, { Accept: 'a' }, false],
			[{ a: '1' }, undefined, false],
		]);
		expect(new Set(requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4);
		expect(result).toStrictEqual({
			sent: [
				{
					...request,
					replies: [{ json: { own: true } }],
					jobs: [{ kind: videoJob, id: 'v' }],
					creation: 'created',
				},
			],
			failures: [],
		});
	});

	test.each([
		['things', [4], [3]],
		[undefined, [3, 4], []],
	])(
		'sends the entries that the service accepts, if the list is %s',
		async (list, failed, rest) => {
			const all = [3, 4].map((item) => ({ item, entry: { a: item } }));
			let accepted: unknown;
			const { result } = await execute(
				async ({ sendEntries, send, client }) => {
					accepted = await sendEntries(all, async (some) => {
						if (some.length > 1) {
							const details = { status: 400, param: 'things[1].a' };
							throw createOperationError(client.node, 'No', [], details);
						}
						return await send({ some: some as unknown as IDataObject[] });
					});
				},
				() => ({ data: { id: 1 } }),
				{ combine: { maxSize: 2, ...(list === undefined ? {} : { list }) } },
			);
			const entries = all.filter(({ item }) => rest.includes(item as never));
			expect(accepted).toStrictEqual(
				rest.length > 0 ? { entries, reply: { id: 1 } } : { entries: [] },
			);
			const items = result.failures.map(({ item, otherItems = [] }) => [item, ...otherItems]);
			expect(items).toStrictEqual([failed]);
		},
	);

	test('fails with a readable error if a plain one is thrown while it sends entries', async () => {
		const { result } = await execute(
			async ({ sendEntries }) =>
				await sendEntries([{ item: 3, entry: {} }], async () => await Promise.reject(Error('No'))),
			() => ({}),
		);
		expect(result.failures).toMatchObject([{ item: 3, error: { name: 'NodeOperationError' } }]);
	});
});
