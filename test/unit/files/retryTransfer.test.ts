/** How often a transfer is attempted, and the chunks of a file. */
import { clock } from '../../../nodes/core/clock';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import { retryTransfer } from '../../../nodes/core/files/transfer';
import { readChunks } from '../../../nodes/shared/upload';
import { createBody, createClient, describeFailure, node } from './fileHost';

afterEach(() => jest.restoreAllMocks());

const fail = (retryable: boolean) => ({
	error: createOperationError(node, 'Failure', 'Advice', { code: 'failure' }),
	retryable,
});

test.each([
	['fails again and again', fail(true), new AbortController().signal, [750, 1500, 3000]],
	['cannot succeed', fail(false), new AbortController().signal, []],
	['belongs to a stopped execution', fail(true), AbortSignal.abort(), []],
])('a transfer that %s ends with its error', async (_, result, signal, expected) => {
	const { client, pauses } = createClient(signal);
	const transfer = jest.fn(async () => await Promise.resolve(result));
	expect(await describeFailure(retryTransfer(client, transfer))).toStrictEqual({
		...{ message: 'Failure', description: 'Advice', details: { code: 'failure' } },
	});
	expect(pauses).toStrictEqual(expected);
	expect(transfer).toHaveBeenCalledTimes(expected.length + 1);
});

test('the next attempt begins when the pause has ended', async () => {
	const { client } = createClient();
	let endPause = () => {};
	const pause = new Promise<void>((resolve) => (endPause = resolve));
	jest.spyOn(clock, 'sleep').mockReturnValue(pause);
	const transfer = jest.fn().mockResolvedValueOnce(fail(true)).mockResolvedValue({ value: 'x' });
	const transferring = retryTransfer(client, transfer);
	await new Promise((resolve) => setImmediate(resolve));
	expect(transfer).toHaveBeenCalledTimes(1);
	endPause();
	expect(await transferring).toBe('x');
});

test('a transfer ends with its first value, even an empty one', async () => {
	const results = [fail(true), { value: '' }, { value: 'later' }];
	const transfer = async () => await Promise.resolve(results.shift() ?? fail(false));
	expect(await retryTransfer(createClient().client, transfer)).toBe('');
	expect(results).toHaveLength(1);
});

test.each([
	['a buffer', Buffer.from('xyz')],
	['a stream', createBody(['xyz'])],
])('the content of %s is read in chunks', async (_, content) => {
	const chunks = [];
	for await (const chunk of readChunks(content)) chunks.push(chunk);
	expect(chunks).toStrictEqual([Buffer.from('xyz')]);
});
