/** What the user is told where the service sets the pace. */
import type { Operation } from '../../../nodes/core/operation';
import { createRateHint } from '../../../nodes/core/collect/rateHint';
import type { PlannedRequest } from '../../../nodes/core/plan/groupRequests';

const tasks = (count: number, more: Partial<Operation> = {}) =>
	Array<PlannedRequest>(count).fill({ operation: more as Operation } as PlannedRequest);
const speech = { perMinuteLimit: { name: 'speech', perMinute: 30 } };

test('a run that was not held back says nothing', () => {
	expect(createRateHint(tasks(1000))).toBeUndefined();
	expect(createRateHint(tasks(30, speech))).toBeUndefined();
});

test('the pace that the service has shown is told', () => {
	expect(createRateHint(tasks(10), 9.7)).toContain('about 9.7 requests a second');
	expect(createRateHint(tasks(10), 48.53)).toContain('about 49 requests a second');
	expect(createRateHint(tasks(10), 0.5)).toContain('about 30 requests a minute');
});

test('so is a limit that is known from the beginning, with the time that it costs', () => {
	expect(createRateHint(tasks(91, speech))).toMatch(
		/takes 30 of these requests a minute, so that 91 items need at least 3 minutes/,
	);
});
