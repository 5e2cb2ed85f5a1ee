/**
 * Detects that the service is down, so that polls of the same account do not all find out by
 * themselves. A thousand suspended executions would otherwise send thousands of useless requests.
 */
import { clock } from '../clock';
import { classifyConnectionError } from '../errors/connection';
import type { FailedReply, Reply } from './reply';

/** Number of polls that must fail in a row before further polls are skipped. */
const failuresBeforeOutage = 3;

/** Milliseconds between two polls that are sent during an outage, to find out whether it is over. */
const probeInterval = 15_000;

/** What a reply shows about the service. A page of a proxy or a 401 shows nothing. */
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

/** Creates the outage detector of an account. */
export function createOutageDetector() {
	let failures = 0;
	let last: FailedReply | undefined;
	let nextProbeAt = 0;
	const isOutage = () => failures >= failuresBeforeOutage;
	return {
		/**
		 * Records a reply. Only polls begin an outage, because the service may refuse other
		 * requests for their content.
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
		 * Returns the reply with which a poll would fail. Returns undefined if the poll should be
		 * sent, because there is no outage or because it is time for a probe.
		 */
		predictFailure(): FailedReply | undefined {
			if (!isOutage()) return undefined;
			if (clock.now() < nextProbeAt) return last;
			nextProbeAt = clock.now() + probeInterval;
			return undefined;
		},
	};
}
