/**
 * Detects that the service is down, and then skips most of the account's polls. Otherwise, a
 * thousand suspended executions would send thousands of useless requests.
 */
import { clock } from '../clock';
import { classifyConnectionError } from '../errors/connection';
import type { FailedReply, Reply } from './reply';

/** Number of polls that must fail in a row before later polls are skipped. */
const failuresBeforeOutage = 3;

/** Milliseconds between the polls that are sent during an outage to find out whether it is over. */
const probeInterval = 15_000;

/**
 * Returns whether a response shows that the service is up or down. A proxy's error page or a 401
 * shows neither.
 */
function readAvailability(reply: Reply): 'up' | 'down' | 'unknown' {
	switch (reply.kind) {
		case 'success':
		case 'stream':
			return 'up';
		case 'refusal':
			if (reply.status >= 500) return 'down';
			return reply.isFromService && reply.status !== 401 ? 'up' : 'unknown';
		case 'unconnected':
			return classifyConnectionError(reply.code) === 'impossible' ? 'unknown' : 'down';
		case 'unreadable':
			return reply.reason === 'truncated' ? 'down' : 'unknown';
		case 'accessLost':
			return reply.temporary ? 'down' : 'unknown';
	}
}

/**
 * Creates an account's outage detector, which records responses and predicts whether a poll would
 * fail.
 */
export function createOutageDetector() {
	let failures = 0;
	let last: FailedReply | undefined;
	let nextProbeAt = 0;
	const isOutage = () => failures >= failuresBeforeOutage;
	return {
		/**
		 * Records a response from the service. Only failed polls can start an outage, because the
		 * service may refuse other requests for their content.
		 */
		record(reply: Reply, isPoll: boolean): void {
			const availability = readAvailability(reply);
			if (availability === 'up') failures = 0;
			if (availability !== 'down' || !isPoll) return;
			failures++;
			last = reply as FailedReply;
			nextProbeAt = clock.now() + probeInterval;
		},
		isOutage,
		/**
		 * Returns the failure to report instead of sending a poll, if there is an outage. Returns
		 * `undefined` if the poll should be sent: there is no outage, or it is time to check
		 * whether the outage is over.
		 */
		predictFailure(): FailedReply | undefined {
			if (!isOutage()) return undefined;
			if (clock.now() < nextProbeAt) return last;
			nextProbeAt = clock.now() + probeInterval;
			return undefined;
		},
	};
}
