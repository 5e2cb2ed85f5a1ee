/** The tries of one call: until there is a reply, an error that stays, or the stop. */
import type { INode } from 'n8n-workflow';
import { clock } from '../clock';
import { isQuotaCode } from '../errors/advice';
import { createStoppedError, type NodeError } from '../errors/nodeErrors';
import { createRequestError, keyHint, prepareRequest, type ServiceRequest } from './serviceRequest';
import { getCancelSignal, type Account, type RequestHost } from './credentials';
import type { Slot, AccountTraffic } from './concurrency';
import { waitForMinuteLimit, type PerMinuteLimit } from './perMinuteLimit';
import { waitForClose, type FailedReply, type SuccessfulReply, type Reply } from './reply';
import { decideRetry, mayHaveSucceeded, classifyRequest } from './retryPolicy';
import { sendOnce, type PreparedRequest } from './sendOnce';

/** What all calls of one run share. */
export interface RequestContext {
	host: RequestHost;
	node: INode;
	account: Account;
	signal: AbortSignal;
	/** The limit of requests at once: that of the account, or the run's own. */
	slot: Slot;
	traffic: AccountTraffic;
}

/** One try, as soon as there is a place for it; nothing when it was stopped before. */
async function sendWhenAllowed(
	{ host, account, signal, slot, traffic }: RequestContext,
	prepared: PreparedRequest,
	rate?: PerMinuteLimit,
): Promise<Reply | undefined> {
	return await slot(
		async () => {
			await traffic.throttle.turn(signal);
			// As late as possible, so that what is counted is when a request really goes.
			if (rate && !signal.aborted) await waitForMinuteLimit(account.name, rate, signal);
			if (signal.aborted) return undefined;
			const begun = clock.now();
			const reply = await sendOnce(host, account, prepared);
			const limited =
				reply.kind === 'refusal' && reply.status === 429 && !isQuotaCode(reply.facts.code);
			traffic.answered({ limited, milliseconds: clock.now() - begun });
			return reply;
		},
		(reply) => (reply?.kind === 'stream' ? waitForClose(reply.stream) : undefined),
	);
}

/** What the stop button leaves in doubt stands in n8n's log: n8n keeps nothing of a stopped node. */
function logUncertainRequest(
	{ request }: PreparedRequest,
	call: ServiceRequest,
	host: RequestHost,
): void {
	const key = call.idempotencyKey ?? call.keyInBody;
	const mayExist =
		call.uncertainOutcomeHint ??
		(call.survivesStop ? 'What it starts may exist all the same.' : undefined);
	if (mayExist === undefined && key === undefined) return;
	const { pathname } = new URL(request.url);
	const words = [mayExist, key && keyHint(key)].filter(Boolean).join(' ');
	host.logger.warn(`Stopped while ${request.method} ${pathname} was on its way. ${words}`);
}

/** Carries out a call. With `streamed`, the body of a good reply is left unread. */
export async function sendWithRetries(
	run: RequestContext,
	call: ServiceRequest,
	streamed: boolean,
): Promise<{ reply: SuccessfulReply } | { error: NodeError }> {
	const { host, node, account } = run;
	const prepared = prepareRequest(account, node, call, streamed);
	const nature = classifyRequest(prepared.request.method, {
		repeatable: call.repeatable === true,
		keyed: call.idempotencyKey !== undefined || call.keyInBody !== undefined,
	});
	const begun = clock.now();
	const stopped = getCancelSignal(host);
	/** The reply that left a doubt, and the signal that ends the tries. */
	let doubtful: FailedReply | undefined;
	let { signal } = run;
	const ended = () => {
		if (doubtful === undefined || !nature.creates) return { error: createStoppedError(node) };
		if (stopped?.aborted) logUncertainRequest(prepared, call, host);
		return { error: createRequestError(node, account, call, doubtful, true) };
	};
	for (let tries = 1; ;) {
		const reply = await sendWhenAllowed({ ...run, signal }, prepared, call.perMinuteLimit);
		if (reply === undefined) return ended();
		if (reply.kind === 'success' || reply.kind === 'stream') return { reply };
		const seconds = (clock.now() - begun) / 1000;
		const random = Math.random();
		const maybeDone = doubtful !== undefined;
		const decision = decideRetry(reply, {
			...nature,
			attempts: tries,
			seconds,
			mayHaveSucceeded: maybeDone,
			random,
		});
		if (decision.next === 'done') return { reply: { kind: 'success', status: 200, body: {} } };
		if (mayHaveSucceeded(reply)) {
			doubtful = reply;
			// Another item's failure does not end the search for what may have been paid for.
			if (nature.creates && nature.repeatable) signal = stopped ?? new AbortController().signal;
		}
		if (decision.next === 'error') {
			if (doubtful && nature.creates && stopped?.aborted) logUncertainRequest(prepared, call, host);
			return { error: createRequestError(node, account, call, reply, decision.uncertain) };
		}
		if (decision.hold !== undefined) {
			const told = reply.kind === 'refusal' && reply.facts.retry_after !== undefined;
			run.traffic.throttle.hold(decision.hold, told);
		}
		const paused = await clock.sleep(decision.after * 1000, signal).then(
			() => true,
			() => false,
		);
		if (!paused) return ended();
		// What is polled does not use up the tries.
		tries = decision.free ? Math.min(tries, 3) + 1 : tries + 1;
	}
}
