/** A batch is sent without the rows that were paid for earlier. */
import type { IDataObject } from 'n8n-workflow';
import { getItemIndexes, type PlannedRequest } from '../../../nodes/core/plan/groupRequests';
import { createSentRequestFromPaidBatch } from '../../../nodes/core/send/sendBatch';
import { operation, pay, send, sort, type Run } from './batches';

const once = { values: { payOncePer: 'request' } };
test('each execution pays for all rows, in their order', async () => {
	for (const title of ['a', 'b']) {
		const { sent, failures, posts, divided, reads } = await send(['1', '2', '3'], {
			body: { title },
		});
		expect([posts, divided, reads]).toStrictEqual([
			[[[0, 1, 2], { videos: ['1', '2', '3'], title }]],
			[[0, 1, 2]],
			0,
		]);
		expect([sent.map(getItemIndexes), failures]).toStrictEqual([[[0, 1, 2]], []]);
	}
});

describe('with Pay Once Per: Same Request', () => {
	test('a changed sheet pays only for its new rows', async () => {
		const {
			sent: [first],
		} = await send(['p', 'q', 'r'], once);
		const [batch] = first?.jobs ?? [];
		const order = sort(['p', 'q', 'r']);
		expect(getItemIndexes(first!)).toStrictEqual(order.map((one) => 'pqr'.indexOf(one)));
		const { sent, posts, divided, paid, reads, request } = await send(['new', 'r', 'p'], once);
		expect([posts, divided, reads]).toStrictEqual([[[[0], { videos: ['new'] }]], [[1, 2], [0]], 1]);
		const rows = [
			{ item: 1, index: order.indexOf('r') },
			{ item: 2, index: order.indexOf('p') },
		];
		expect(paid).toStrictEqual([{ id: batch?.id, size: 3, rows }, undefined]);
		expect(sent[0]).toStrictEqual({
			...request,
			items: request.items.slice(1),
			paidBatch: paid[0],
			replies: [{ json: { batch_id: batch?.id } }],
			jobs: [batch],
		});
		expect(await send(['p', 'q'], once)).toMatchObject({
			posts: [],
			failures: [],
			paid: [{ size: 3 }],
		});
	});

	test('the paid rows are in the result even if the service rejects the others', async () => {
		await pay(['s'], once);
		const { paid, failures } = await send(['s', 't'], { ...once, isRejected: true });
		expect([paid.length, failures.map(({ item }) => item)]).toStrictEqual([1, [1]]);
		expect(await pay(['t'], once)).toStrictEqual(['t']);
	});

	test('each of several identical rows is paid for', async () => {
		expect(await pay(['u', 'u'], once)).toStrictEqual(['u', 'u']);
		expect(await pay(['u', 'u', 'u'], once)).toStrictEqual(['u']);
	});

	test.each<[string, Run, boolean]>([
		['not paid for again: another title', { body: { title: 'x' } }, false],
		[
			'not paid for again: a new upload',
			{ body: { file: '1' }, content: { file: undefined } },
			false,
		],
		['paid for again: another value of the batch', { body: { folder: 'x' } }, true],
		['paid for again: another node', { place: 'other' }, true],
		['paid for again: a failed row', { more: { retry: 1 } }, true],
		['paid for again: what an earlier attempt sent', { isSent: true }, true],
		[
			'paid for again: jobs of several kinds',
			{ more: { operation: { ...operation, starts: () => [] } } },
			true,
		],
	])('a row is %s', async (_, run, isPaid) => {
		await pay(['v'], once);
		expect(await pay(['v'], { ...once, ...run })).toStrictEqual(isPaid ? ['v'] : []);
	});

	test.each<[string, IDataObject]>([
		['without a job', { jobs: [] }],
		['to the key of other rows', { key: `n8n-${'0'.repeat(48)}` }],
	])('a row is not paid after a response %s', async (name, reply) => {
		await pay([name], { ...once, reply });
		expect(await pay([name], once)).toStrictEqual([name]);
	});
});

test('a retry of n8n divides only the items of this request anew', async () => {
	const earlier = [[0, 7], [8], [1, 9], [2]].map((items) => ({
		items: items.map((item) => ({ item, values: {} })) as PlannedRequest['items'],
	}));
	expect((await send(['1', '2'], { earlier })).divided).toStrictEqual([[8], [2], [0, 1]]);
	const again = await send(['1', '2'], { earlier, more: { retry: 1 } });
	expect(again.divided).toStrictEqual([[0, 7], [8], [1, 9], [2]]);
});

test('an earlier batch has no job if its operation starts jobs of several kinds', async () => {
	const { request } = await send(['1']);
	const paidBatch = { id: 'b', size: 1, rows: [{ item: 0, index: 0 }] };
	const several = { ...request, operation: { ...operation, starts: () => [] } };
	expect(createSentRequestFromPaidBatch(several, paidBatch)).toStrictEqual({
		...several,
		replies: [{ json: { batch_id: 'b' } }],
		jobs: [],
	});
});
