/** A create request whose outcome is known is not sent again when n8n runs the node again. */
import type { INode } from 'n8n-workflow';
import { getErrorDetails, type ErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { createOperationError, getErrorTextParts } from '../../../nodes/core/errors/nodeErrors';
import type { CreateRequestRecord } from '../../../nodes/core/ledger/ledger';
import { isRejection, sendCreateOnce } from '../../../nodes/core/send/sendCreateOnce';

const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;

const createError = (details: ErrorDetails) =>
	createOperationError(node, 'No', ['Look for it.', 'Then run again.'], details);

/** A run that has sent nothing yet. */
function createRun(hasKey = false, keepsKey = false) {
	const createRecord = (): CreateRequestRecord => ({ origins: ['1.0'], rejections: 0, sent: [] });
	const [record, other] = [createRecord(), createRecord()];
	const traits = { hasKey, keepsKey, hasCredit: async () => await Promise.resolve(false) };
	const send = async <T>(create: () => Promise<T>) =>
		await sendCreateOnce(node, record, traits, async () => {
			record.sent = ['1.0'];
			return await create();
		});
	const sendOther = async <T>(create: () => Promise<T>) =>
		await sendCreateOnce(node, other, traits, create);
	return { record, send, sendOther };
}

const resolveWith = <T>(value: T) => jest.fn(async () => await Promise.resolve(value));
const rejectWith = (error: unknown) => jest.fn(async () => await Promise.reject(error as Error));

test.each([[{ id: 1 }], [undefined], [null], [[]]])(
	'a known result is returned without sending: %j',
	async (result) => {
		const { record, send, sendOther } = createRun();
		expect(await send(resolveWith(result))).toBe(result);
		expect(record.outcome).toStrictEqual({ result });
		const create = resolveWith<unknown>('other');
		expect(await send(create)).toBe(result);
		expect(create).not.toHaveBeenCalled();
		expect(await sendOther(create)).toBe('other');
	},
);

describe('a request in flight', () => {
	test('is shared by identical requests', async () => {
		const { send, sendOther } = createRun();
		let respond: (result: string) => void = () => {};
		const create = jest.fn(async () => await new Promise<string>((resolve) => (respond = resolve)));
		const other = resolveWith('other');
		const sending = [send(create), send(other)];
		expect(await sendOther(other)).toBe('other');
		respond('result');
		expect(await Promise.all(sending)).toStrictEqual(['result', 'result']);
		expect([create.mock.calls.length, other.mock.calls.length]).toStrictEqual([1, 1]);
	});

	test('fails for all of them, and is counted once', async () => {
		const { record, send } = createRun();
		const error = createError({ status: 400 });
		const create = rejectWith(error);
		const results = await Promise.allSettled([send(create), send(create)]);
		expect(results).toStrictEqual(Array(2).fill({ status: 'rejected', reason: error }));
		expect(create).toHaveBeenCalledTimes(1);
		expect(record).toStrictEqual({ origins: ['1.0'], rejections: 1, sent: [] });
	});
});

describe('an uncertain failure', () => {
	const details = { uncertain: true, code: 'econnreset', request_id: 'r' };

	test('without a key is kept, and thrown again with its texts and details', async () => {
		const { record, send } = createRun();
		const error = createError(details);
		await expect(send(rejectWith(error))).rejects.toBe(error);
		// n8n stores the execution as JSON.
		const stored = JSON.parse(JSON.stringify(record)) as CreateRequestRecord;
		expect(stored.outcome).toStrictEqual({
			error: { message: 'No', advice: ['Look for it.', 'Then run again.'], details },
		});
		const create = resolveWith(1);
		const again: unknown = await send(create).catch((thrown: unknown) => thrown);
		expect(again).toMatchObject({ name: 'NodeOperationError', message: 'No' });
		expect(getErrorTextParts(again as typeof error)).toStrictEqual(getErrorTextParts(error));
		expect(getErrorDetails(again)).toStrictEqual(details);
		expect(create).not.toHaveBeenCalled();
	});

	test('with a key is forgotten, and the request is sent again', async () => {
		const { record, send } = createRun(true);
		const error = createError(details);
		await expect(send(rejectWith(error))).rejects.toBe(error);
		expect(record).toStrictEqual({ origins: ['1.0'], rejections: 0, sent: ['1.0'] });
		expect(await send(resolveWith(1))).toBe(1);
	});
});

test.each<[string, unknown, number]>([
	['a request that was not sent', createError({ uncertain: false }), 0],
	['a server error', createError({ status: 500 }), 0],
	['a plain error', new Error('No'), 0],
	['a rejection', createError({ status: 400 }), 2],
	['a rejection because of the balance', createError({ status: 402 }), 2],
])('after %s, the request is sent again', async (_, error, count) => {
	for (const hasKey of [false, true]) {
		const { record, send } = createRun(hasKey);
		const create = rejectWith(error);
		await expect(send(create)).rejects.toBe(error);
		await expect(send(create)).rejects.toBe(error);
		expect(create).toHaveBeenCalledTimes(2);
		expect([record.rejections, record.sent.length]).toStrictEqual([count, count > 0 ? 0 : 1]);
		expect(await send(resolveWith(1))).toBe(1);
	}
});

test.each([400, 401, 402, 403])(
	'after an uncertain failure, a %d does not change the key',
	async (status) => {
		const { record, send } = createRun(true);
		await expect(send(rejectWith(createError({ uncertain: true })))).rejects.toThrow('No');
		await expect(send(rejectWith(createError({ status })))).rejects.toThrow('No');
		expect(record).toStrictEqual({ origins: ['1.0'], rejections: 0, sent: ['1.0'] });
		expect(await send(resolveWith(1))).toBe(1);
	},
);

test('a rejection is not counted if the next attempt begins with the same key', async () => {
	const { record, send } = createRun(true, true);
	await expect(send(rejectWith(createError({ status: 402 })))).rejects.toThrow('No');
	expect([record.rejections, record.sent]).toStrictEqual([0, []]);
});

test.each<[ErrorDetails, boolean]>([
	...[400, 401, 402, 403, 404, 407, 410, 422, 424, 426, 499].map(
		(status): [ErrorDetails, boolean] => [{ status }, true],
	),
	...[200, 399, 408, 409, 425, 429, 500, 503].map((status): [ErrorDetails, boolean] => [
		{ status },
		false,
	]),
	[{ status: '400' }, false],
	[{ status: 'failed' }, false],
	[{}, false],
	[{ uncertain: false }, false],
	[{ status: 400, uncertain: true }, false],
	[{ status: 400, uncertain: false }, true],
])('an error with the details %j is a rejection: %j', async (details, isDefinite) => {
	expect(isRejection(details)).toBe(isDefinite);
	const { record, send } = createRun(true);
	await expect(send(rejectWith(createError(details)))).rejects.toThrow('No');
	expect(record.rejections).toBe(isDefinite ? 1 : 0);
});
