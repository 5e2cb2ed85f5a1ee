/** What the user is told where the service sets the pace. */
import type { Operation } from '../../../nodes/core/operation';
import { paceHint } from '../../../nodes/core/run/paceHint';
import type { Task } from '../../../nodes/core/run/plan';

const tasks = (count: number, more: Partial<Operation> = {}) =>
	Array<Task>(count).fill({ operation: more as Operation } as Task);
const speech = { rate: { name: 'speech', perMinute: 30 } };

test('a run that was not held back says nothing', () => {
	expect(paceHint(tasks(1000))).toBeUndefined();
	expect(paceHint(tasks(30, speech))).toBeUndefined();
});

test('the pace that the service has shown is told', () => {
	expect(paceHint(tasks(10), 9.7)).toContain('about 9.7 requests a second');
	expect(paceHint(tasks(10), 48.53)).toContain('about 49 requests a second');
	expect(paceHint(tasks(10), 0.5)).toContain('about 30 requests a minute');
});

test('so is a limit that is known from the beginning, with the time that it costs', () => {
	expect(paceHint(tasks(91, speech))).toMatch(
		/takes 30 of these requests a minute, so that 91 items need at least 3 minutes/,
	);
});
