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

/** Whether the task has passed by now, or why it never will. */
async function passed(pass: Promise<void>) {
	const later = new Promise((resolve) => setImmediate(() => resolve('waits')));
	const end = pass.then(
		() => 'passed',
		(error: Error) => error,
	);
	return await Promise.race([end, later]);
}

test('the others wait until the first create has its answer', async () => {
	const tasks = [task(false, 0), task(true, 1), task(true, 2)] as const;
	const gate = createFirstPaidRequest(tasks);
	const passes = tasks.map(async (one) => await gate.pass(one, false));
	expect(await Promise.all(passes.map(passed))).toEqual(['waits', 'passed', 'waits']);
	// Only the answer of the first one opens it.
	gate.answered(tasks[2]);
	expect(await passed(passes[2]!)).toBe('waits');
	gate.answered(tasks[1]);
	expect(await Promise.all(passes.map(passed))).toEqual(['passed', 'passed', 'passed']);
});

test.each([401, 402])('an answer of %s to the first refuses all that cost', async (status) => {
	const tasks = [task(true, 0), task(true, 1), task(false, 2)] as const;
	const gate = createFirstPaidRequest(tasks);
	gate.answered(tasks[0], refusal(status));
	expect(await passed(gate.pass(tasks[1], false))).toMatchObject({ message: 'No' });
	expect(await passed(gate.pass(tasks[2], false))).toBe('passed');
	// What an earlier try has made costs nothing any more.
	expect(await passed(gate.pass(tasks[1], true))).toBe('passed');
});

test('an error that says nothing of the account lets the others go', async () => {
	const tasks = [task(true, 0), task(true, 1)] as const;
	const gate = createFirstPaidRequest(tasks);
	gate.answered(tasks[0], refusal(400));
	expect(await passed(gate.pass(tasks[1], false))).toBe('passed');
});

test('nobody waits for a run without creates, or with one task', async () => {
	const reads = [task(false, 0), task(false, 1)] as const;
	expect(await passed(createFirstPaidRequest(reads).pass(reads[1], false))).toBe('passed');
	const alone = task(true, 0);
	expect(await passed(createFirstPaidRequest([alone]).pass(alone, false))).toBe('passed');
	expect(
		await passed(createFirstPaidRequest([alone], refusal(402)).pass(alone, false)),
	).toMatchObject({
		message: 'No',
	});
});
