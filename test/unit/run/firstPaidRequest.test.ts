/** The first create of a run goes alone. */
import type { INode } from 'n8n-workflow';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import { operation, type Resource } from '../../../nodes/core/operation';
import { createFirstPaidRequest } from '../../../nodes/core/send/firstPaidRequest';
import type { PlannedRequest } from '../../../nodes/core/plan/groupRequests';

const node: INode = {
	...{ id: '1', name: 'N', type: 't', typeVersion: 1, position: [0, 0], parameters: {} },
};
const resource: Resource = { name: 'Thing', value: 'thing', operations: [] };
const described = { name: 'A', action: 'A', description: 'A', fields: [] };

const task = (paid: boolean, item: number): PlannedRequest => ({
	resource,
	operation: operation({ ...described, value: 'a', request: 'POST /a', paid }),
	values: {},
	...{ items: [item], gathered: [{}], part: 1 },
});
const refusal = (status: number) => createOperationError(node, 'No', '', { status });

/** `passed` or `waits`, or the error with which it was refused. */
async function readPass(pass: Promise<void>) {
	const later = new Promise((resolve) => setImmediate(() => resolve('waits')));
	const end = pass.then(
		() => 'passed',
		(error: Error) => error,
	);
	return await Promise.race([end, later]);
}

test('the others wait until the first create has its response', async () => {
	const tasks = [task(false, 0), task(true, 1), task(true, 2)] as const;
	const gate = createFirstPaidRequest(tasks);
	const passes = tasks.map(async (one) => await gate.pass(one, false));
	expect(await Promise.all(passes.map(readPass))).toEqual(['waits', 'passed', 'waits']);
	// Only the response of the first one opens it.
	gate.answered(tasks[2]);
	expect(await readPass(passes[2]!)).toBe('waits');
	gate.answered(tasks[1]);
	expect(await Promise.all(passes.map(readPass))).toEqual(['passed', 'passed', 'passed']);
});

test.each([401, 402])('a %s for the first refuses all others that cost', async (status) => {
	const tasks = [task(true, 0), task(true, 1), task(false, 2)] as const;
	const gate = createFirstPaidRequest(tasks);
	gate.answered(tasks[0], refusal(status));
	expect(await readPass(gate.pass(tasks[1], false))).toMatchObject({ message: 'No' });
	expect(await readPass(gate.pass(tasks[2], false))).toBe('passed');
	// What an earlier attempt has created costs nothing again.
	expect(await readPass(gate.pass(tasks[1], true))).toBe('passed');
});

test('an error that is not about the account lets the others pass', async () => {
	const tasks = [task(true, 0), task(true, 1)] as const;
	const gate = createFirstPaidRequest(tasks);
	gate.answered(tasks[0], refusal(400));
	expect(await readPass(gate.pass(tasks[1], false))).toBe('passed');
});

test('nothing waits in a run without creates, or with a single request', async () => {
	const reads = [task(false, 0), task(false, 1)] as const;
	expect(await readPass(createFirstPaidRequest(reads).pass(reads[1], false))).toBe('passed');
	const alone = task(true, 0);
	expect(await readPass(createFirstPaidRequest([alone]).pass(alone, false))).toBe('passed');
	expect(
		await readPass(createFirstPaidRequest([alone], refusal(402)).pass(alone, false)),
	).toMatchObject({
		message: 'No',
	});
});
