/**
 * Detects that the service is down, and then skips most of the account's polls. Otherwise, a
 * thousand suspended executions would send thousands of useless requests.
 */
import { clock } from '../clock';
import { getRequestSendState } from '../errors/connection';
import type { FailedAttempt, AttemptOutcome } from './reply';

/** Consecutive failed polls after which most polls are skipped. */
const failuresBeforeOutage = 3;

/** Milliseconds between the polls that are sent during an outage. */
const probeInterval = 15_000;

/** Returns `unknown` for replies that show neither, such as a proxy's error page or a 401. */
function readAvailability(reply: AttemptOutcome): 'up' | 'down' | 'unknown' {
	switch (reply.kind) {
		case 'success':
		case 'stream':
			return 'up';
		case 'rejection':
			if (reply.status >= 500) return 'down';
			return reply.isFromService && reply.status !== 401 ? 'up' : 'unknown';
		case 'unconnected':
			return getRequestSendState(reply.code) === 'impossible' ? 'unknown' : 'down';
		case 'unreadable':
			return reply.reason === 'truncated' ? 'down' : 'unknown';
		case 'accessLost':
			return reply.temporary ? 'down' : 'unknown';
	}
}

/** Records replies, and predicts whether a poll would fail. */
export function createOutageDetector() {
	let failures = 0;
	let last: FailedAttempt | undefined;
	let nextProbeAt = 0;
	const isOutage = () => failures >= failuresBeforeOutage;
	return {
		/**
		 * Only failed polls count: the service may reject other requests because of their content.
		 */
		record(reply: AttemptOutcome, isPoll: boolean): void {
			const availability = readAvailability(reply);
			if (availability === 'up') failures = 0;
			if (availability !== 'down' || !isPoll) return;
			failures++;
			last = reply as FailedAttempt;
			nextProbeAt = clock.elapsed() + probeInterval;
		},
		isOutage,
		/** Returns the failure to report instead of sending a poll, or `undefined` to send it. */
		predictFailure(): FailedAttempt | undefined {
			if (!isOutage()) return undefined;
			if (clock.elapsed() < nextProbeAt) return last;
			nextProbeAt = clock.elapsed() + probeInterval;
			return undefined;
		},
	};
}
