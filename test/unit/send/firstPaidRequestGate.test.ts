/** The first paid request of a run is sent alone, so that an account problem costs one request. */
import type { INode } from 'n8n-workflow';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import { defineOperation, type Resource } from '../../../nodes/core/operation';
import { createFirstPaidRequestGate } from '../../../nodes/core/send/firstPaidRequestGate';
import type { PlannedRequest } from '../../../nodes/core/plan/groupRequests';

const node = { name: 'Node', parameters: {} } as unknown as INode;
const resource: Resource = { name: 'Thing', value: 'thing', operations: [] };
const described = { name: 'A', action: 'A', description: 'A', fields: [] };

const request = (paid: boolean, item: number): PlannedRequest => ({
	resource,
	operation: defineOperation({ ...described, value: 'a', request: 'POST /a', paid }),
	values: {},
	items: [{ item, values: {} }],
});
const rejection = (status: number) => createOperationError(node, 'No', '', { status });

/** Whether the request may be sent now, or the error that prevents it. */
async function readTurn(pass: Promise<void>) {
	const later = new Promise((resolve) => setImmediate(() => resolve('waits')));
	const end = pass.then(
		() => 'passed',
		(error: Error) => error,
	);
	return await Promise.race([end, later]);
}

test('holds the other requests until the first paid request has its response', async () => {
	const requests = [request(false, 0), request(true, 1), request(true, 2)] as const;
	const gate = createFirstPaidRequestGate(requests);
	const passes = requests.map(async (one) => await gate.waitForTurn(one, false));
	expect(await Promise.all(passes.map(readTurn))).toEqual(['waits', 'passed', 'waits']);
	// Only the response to the first paid request releases them.
	gate.releaseOthers(requests[2]);
	expect(await readTurn(passes[2]!)).toBe('waits');
	gate.releaseOthers(requests[1]);
	expect(await Promise.all(passes.map(readTurn))).toEqual(['passed', 'passed', 'passed']);
});

test.each([401, 402])('rejects all paid requests after a %s to the first one', async (status) => {
	const requests = [request(true, 0), request(true, 1), request(false, 2)] as const;
	const gate = createFirstPaidRequestGate(requests);
	gate.releaseOthers(requests[0], rejection(status));
	expect(await readTurn(gate.waitForTurn(requests[1], false))).toMatchObject({ message: 'No' });
	expect(await readTurn(gate.waitForTurn(requests[2], false))).toBe('passed');
	// A request that repeats an earlier attempt costs nothing.
	expect(await readTurn(gate.waitForTurn(requests[1], true))).toBe('passed');
});

test('sends the other requests after an error that is not about the account', async () => {
	const requests = [request(true, 0), request(true, 1)] as const;
	const gate = createFirstPaidRequestGate(requests);
	gate.releaseOthers(requests[0], rejection(400));
	expect(await readTurn(gate.waitForTurn(requests[1], false))).toBe('passed');
});

const no = { message: 'No' };

test.each([
	['in a run without paid requests', [request(false, 0), request(false, 1)], undefined, 'passed'],
	['in a run of one', [request(true, 0)], undefined, 'passed'],
	['after an earlier error', [request(true, 0)], rejection(402), expect.objectContaining(no)],
])('holds no request %s', async (_, requests, error, turn) => {
	const gate = createFirstPaidRequestGate(requests, error);
	expect(await readTurn(gate.waitForTurn(requests.at(-1)!, false))).toEqual(turn);
});
