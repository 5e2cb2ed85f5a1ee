/** The hint about requests that the service limits. */
import type { Operation } from '../../../nodes/core/operation';
import { createRateHint } from '../../../nodes/core/collect/rateHint';
import type { PlannedRequest } from '../../../nodes/core/plan/groupRequests';

const tasks = (count: number, more: Partial<Operation> = {}) =>
	Array<PlannedRequest>(count).fill({ operation: more as Operation } as PlannedRequest);
const speech = { perMinuteLimit: { name: 'speech', perMinute: 30 } };

test('a run that was not slowed down has no hint', () => {
	expect(createRateHint(tasks(1000))).toBeUndefined();
	expect(createRateHint(tasks(30, speech))).toBeUndefined();
});

test('the hint names the rate that the service accepts', () => {
	expect(createRateHint(tasks(10), 9.7)).toContain('about 9.7 requests a second');
	expect(createRateHint(tasks(10), 48.53)).toContain('about 49 requests a second');
	expect(createRateHint(tasks(10), 0.5)).toContain('about 30 requests a minute');
});

test('the hint names a known limit, and the time that it costs', () => {
	expect(createRateHint(tasks(91, speech))).toMatch(
		/takes 30 of these requests a minute, so that 91 items need at least 3 minutes/,
	);
});
