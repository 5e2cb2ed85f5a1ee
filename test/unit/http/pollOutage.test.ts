/** When polls are skipped because the service is down, and when they are sent again. */
import { createOutageDetector } from '../../../nodes/core/http/accountTraffic';
import type { AttemptOutcome } from '../../../nodes/core/http/reply';
import { clock } from '../../../nodes/core/clock';
import { passTime, useVirtualTime } from './virtualTime';

useVirtualTime();

const reject = (status: number, isFromService = true): AttemptOutcome => ({
	kind: 'rejection',
	status,
	details: { status },
	isFromService,
});
const busy = reject(503);
const success: AttemptOutcome = { kind: 'success', status: 200, body: {} };

/** A detector after these replies to polls. */
function createDetector(...replies: AttemptOutcome[]) {
	const detector = createOutageDetector();
	for (const reply of replies) detector.record(reply, true);
	return detector;
}

test('after three failed polls in a row, polls fail with the last reply', () => {
	expect(createDetector(busy, busy).predictFailure()).toBeUndefined();
	const last = reject(502, false);
	const detector = createDetector(busy, busy, last);
	expect(detector.predictFailure()).toBe(last);
	expect(detector.predictFailure()).toBe(last);
});

test('every 15 seconds one poll is sent, until one succeeds', async () => {
	const detector = createDetector(busy, busy, busy);
	await passTime(clock.sleep(14_999));
	expect(detector.predictFailure()).toBe(busy);
	await passTime(clock.sleep(1));
	expect(detector.predictFailure()).toBeUndefined();
	expect(detector.predictFailure()).toBe(busy);
	detector.record(success, true);
	expect(detector.predictFailure()).toBeUndefined();
});

test('other requests end an outage, but do not begin one', () => {
	const detector = createOutageDetector();
	for (let i = 0; i < 5; i++) detector.record(busy, false);
	expect(detector.predictFailure()).toBeUndefined();
	for (let i = 0; i < 5; i++) detector.record(busy, true);
	expect(detector.predictFailure()).toBe(busy);
	detector.record(success, false);
	expect(detector.predictFailure()).toBeUndefined();
});

test.each<[string, AttemptOutcome, boolean]>([
	['a lost connection', { kind: 'unconnected', code: 'ECONNRESET', detail: '' }, true],
	['a cut response', { kind: 'unreadable', status: 200, code: 'cut_answer' }, true],
	['a token that cannot be renewed now', { kind: 'accessLost', reason: '', temporary: {} }, true],
	['an error of the service', reject(500), true],
	['an invalid URL', { kind: 'unconnected', code: 'ERR_INVALID_URL', detail: '' }, false],
	['a web page', { kind: 'unreadable', status: 200, code: 'not_json' }, false],
	['a rate limit', reject(429), false],
])('%s: an outage is %s', (_, reply, isOutage) => {
	expect(createDetector(reply, reply, reply).predictFailure() !== undefined).toBe(isOutage);
});

test.each<[string, AttemptOutcome, boolean]>([
	['a rejection of the service', reject(404), false],
	['a page of a gateway', reject(403, false), true],
	['a 401', reject(401), true],
])('%s after failed polls: the outage continues is %s', (_, reply, isOutage) => {
	expect(createDetector(busy, busy, busy, reply).predictFailure() !== undefined).toBe(isOutage);
});
