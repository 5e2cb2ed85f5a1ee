/** A create request without an idempotency key is not sent twice by the retries of n8n. */
import type { INode } from 'n8n-workflow';
import type { ErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import { sendUnkeyedCreateOnce } from '../../../nodes/core/send/unkeyedCreates';

const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;

const createError = (details: ErrorDetails) => createOperationError(node, 'No', [], details);

test('an earlier result is returned, even before it has arrived', async () => {
	const state = { unkeyedCreates: new Map<string, Promise<unknown>>() };
	let respond: (result: string) => void = () => {};
	const create = jest.fn(async () => await new Promise<string>((resolve) => (respond = resolve)));
	const [first, second] = [1, 2].map(async () => await sendUnkeyedCreateOnce(state, 'one', create));
	respond('result');
	expect(await Promise.all([first, second])).toStrictEqual(['result', 'result']);
	expect(await sendUnkeyedCreateOnce(state, 'one', create)).toBe('result');
	expect(create).toHaveBeenCalledTimes(1);
	expect(await sendUnkeyedCreateOnce(state, 'other', async () => await Promise.resolve(2))).toBe(2);
});

test.each([
	['may have created something', createError({ uncertain: true }), 1],
	['was not sent', createError({ uncertain: false }), 2],
	['was rejected', createError({ status: 400 }), 2],
	['failed for another reason', new Error('No'), 2],
])('a request that %s is sent again only if that is safe', async (_, error, count) => {
	const state = { unkeyedCreates: new Map<string, Promise<unknown>>() };
	const create = jest.fn(async () => await Promise.reject(error));
	const send = async () => await sendUnkeyedCreateOnce(state, 'one', create);
	await expect(send()).rejects.toBe(error);
	await expect(send()).rejects.toBe(error);
	expect(create).toHaveBeenCalledTimes(count);
});
