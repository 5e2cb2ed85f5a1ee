/** Batches of executions that run at the same time and have some of the same rows. */
import { pay, send, sort } from './batches';

const perRequest = { values: { payOncePer: 'request' } };

/** Sends a batch to a service that responds later. */
function sendLate(entries: string[], more: { isRejected?: boolean } = {}) {
	let accept = () => {};
	const accepted = new Promise<void>((resolve) => (accept = resolve));
	const paid = pay(entries, { ...perRequest, ...more, accepted });
	return { paid, accept };
}

test('rows that another execution is paying for are not paid for again', async () => {
	const first = sendLate(['a', 'b']);
	const second = sendLate(['b', 'c']);
	const third = pay(['c', 'b', 'd'], perRequest);
	second.accept();
	first.accept();
	expect([await first.paid, await second.paid, await third]).toStrictEqual([
		...[sort(['a', 'b']), ['c'], ['d']],
	]);
});

test('rows that another execution could not pay for are paid for', async () => {
	const first = sendLate(['e'], { isRejected: true });
	const second = pay(['e'], perRequest);
	first.accept();
	expect([await first.paid, await second]).toStrictEqual([['e'], ['e']]);
});

test('other rows, other nodes, and rows that each execution pays for do not wait', async () => {
	const waiting = sendLate(['f', 'g']);
	expect(await pay(['h'], perRequest)).toStrictEqual(['h']);
	expect(await pay(['f'], { ...perRequest, place: 'other' })).toStrictEqual(['f']);
	expect(await pay(['f'])).toStrictEqual(['f']);
	waiting.accept();
	await waiting.paid;
});

test('a stopped execution does not wait for another one', async () => {
	const waiting = sendLate(['i']);
	const stop = new AbortController();
	const stopped = send(['i'], { ...perRequest, signal: stop.signal });
	stop.abort(new Error('The execution was stopped'));
	await expect(stopped).rejects.toThrow('The execution was stopped');
	waiting.accept();
	expect(await waiting.paid).toStrictEqual(['i']);
});
