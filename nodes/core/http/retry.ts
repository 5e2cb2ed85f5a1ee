/**
 * Whether and when a request is sent again: a pure decision about what one try came to.
 *
 * The rules (docs/service.md, Rate limits and retries): what the service itself refuses with 429 or
 * 503 was not carried out, so every request is repeated. After any other failure that may pass,
 * and after a broken connection, only what does no harm twice: reads, PUT, PATCH, DELETE, and
 * creates that carry an `Idempotency-Key`. `request_in_progress` and `resource_not_ready` are
 * polled. All else stays refused.
 */
import { isQuota } from '../errors/advice';
import { connectionState } from '../errors/connection';
import { longestRetryAfter } from '../errors/facts';
import type { BadReply } from './reply';

/** What the decision needs to know about the request and its tries so far. */
export interface Tried {
	method: string;
	/** A second time does no harm. */
	repeatable: boolean;
	/** It makes something: its outcome is of interest even when nothing more can be done. */
	creates: boolean;
	/** Tries so far, this one included. */
	tries: number;
	/** Seconds since the first try. */
	seconds: number;
	/** A try before this one may have been carried out. */
	maybeDone: boolean;
	/** From 0 to 1, by chance: tries of many items shall not come at the same moment. */
	random: number;
}

/** What to do next. */
export type Decision =
	| { next: 'done' }
	| {
			next: 'again';
			/** Seconds until this request is sent again. */
			after: number;
			/** Seconds for which no request of the account is sent. */
			hold?: number;
			/** The service works on it: the try does not count. */
			free?: boolean;
	  }
	| {
			next: 'error';
			/** The request may have been carried out all the same. */
			uncertain: boolean;
	  };

/**
 * Tries for answers that say nothing but "not now": about 40 seconds. With 30 % of them failing,
 * one request in 170,000 is given up.
 */
const mostTries = 10;
/** Tries while the service cannot be reached at all: most often the address is mistyped. */
const mostTriesUnreached = 4;
/** Own pauses between tries grow from half a second to this many seconds. */
const longestBackoff = 8;
/** How long a request that is in progress, or a resource that is not ready, is asked again (s). */
const pollSeconds = 300;

/** Codes with which the service says that it is still at work (docs/service.md, Errors). */
const atWork = ['request_in_progress', 'resource_not_ready'];
/** Codes of a status that may pass, which do not pass (docs/service.md, Errors). */
const final = ['video_delete_failed'];

/** Methods whose second time sets or tells the same. */
const repeatableMethods: readonly string[] = ['GET', 'PUT', 'PATCH', 'DELETE'];

/** What the method and the key of a request say about a second time. */
export function natureOf(method: string, request: { repeatable: boolean; keyed: boolean }) {
	const harmless = request.repeatable || repeatableMethods.includes(method);
	return { method, repeatable: harmless || request.keyed, creates: !harmless };
}

/** Seconds before the next try: half a second, then twice as long each time. */
export const backoff = (tries: number, random: number) =>
	Math.min(longestBackoff, 0.5 * 2 ** (tries - 1)) * (0.5 + random / 2);

/** Whether a failed try may have been carried out. */
export function mayBeDone(reply: BadReply): boolean {
	switch (reply.kind) {
		case 'refusal':
			if (reply.status < 500 && reply.status !== 429) return false;
			// A 429 of the service names its pause, if nothing else.
			if (reply.status === 429) return !reply.own && reply.facts.retry_after === undefined;
			return reply.status !== 503 || !reply.own;
		case 'unconnected':
			return connectionState(reply.code) === 'broken';
		case 'unrenewed':
			return false;
		case 'unreadable':
			return true;
	}
}

/** Refusals that come before the service looks at the key: they tell nothing about an earlier try. */
const beforeTheKey = [401, 403, 429, 503];

/** Whether nothing may exist by now that the request has made, this try or one before it. */
function isNothingMade(reply: BadReply, maybeDone: boolean): boolean {
	if (mayBeDone(reply)) return false;
	const { kind } = reply;
	if (kind === 'refusal' && reply.facts.code === 'request_in_progress') return false;
	return !maybeDone || (kind === 'refusal' && !beforeTheKey.includes(reply.status));
}

/** A limit: for this request, and for all requests of the account. */
function limited(reply: BadReply & { kind: 'refusal' }, own: number, random: number) {
	const asked = reply.facts.retry_after;
	// A used-up quota does not come back by waiting a little.
	const after = Math.max(asked ?? (isQuota(reply.facts.code) ? Infinity : 0), own);
	if (after > longestRetryAfter) return undefined;
	// All wait as long as the service asks; how often this one was turned away is its own.
	return { after: after + random * Math.min(1, after / 4 + 0.1), hold: asked ?? own };
}

/** What follows a refusal of what may be sent again, if anything but an error. */
function afterRefusal(reply: BadReply & { kind: 'refusal' }, tried: Tried) {
	const { status, facts } = reply;
	const { seconds, tries, random } = tried;
	const own = backoff(tries, random);
	if (status === 429) return limited(reply, own, random);
	if (atWork.includes(facts.code ?? '')) {
		// Polled ever more slowly, up to a pause of some seconds.
		return seconds < pollSeconds
			? { after: backoff(Math.min(tries, 4), random), free: true }
			: undefined;
	}
	if (status < 500 || final.includes(facts.code ?? '')) return undefined;
	const asked = facts.retry_after;
	const after = asked !== undefined && asked <= longestRetryAfter ? Math.max(asked, 0.05) : own;
	return { after };
}

/** What to do after one try. */
export function decide(reply: BadReply, tried: Tried): Decision {
	const { method, repeatable, creates, tries, maybeDone, random } = tried;
	// The first DELETE got through although its answer was lost.
	if (reply.kind === 'refusal' && reply.status === 404 && method === 'DELETE' && maybeDone) {
		return { next: 'done' };
	}
	const safe = repeatable || !mayBeDone(reply);
	const uncertain = creates && !isNothingMade(reply, maybeDone);
	const error: Decision = { next: 'error', uncertain };
	const again = (after: number): Decision => ({ next: 'again', after });
	if (reply.kind === 'refusal') {
		const pause = safe ? afterRefusal(reply, tried) : undefined;
		if (!pause || (tries >= mostTries && !('free' in pause))) return error;
		return { next: 'again', ...pause };
	}
	const own = backoff(tries, random);
	switch (reply.kind) {
		case 'unreadable':
			return reply.cut && repeatable && tries < mostTries ? again(own) : error;
		case 'unrenewed':
			// The service refused the request with 401, so that even a create may be repeated.
			return reply.passing && tries < mostTriesUnreached ? again(own) : error;
		case 'unconnected': {
			const state = connectionState(reply.code);
			if (state === 'unsent') return tries < mostTriesUnreached ? again(own) : error;
			return state === 'broken' && repeatable && tries < mostTries ? again(own) : error;
		}
	}
}
