/** The tries of one call: until there is a reply, an error that stays, or the stop. */
import type { INode } from 'n8n-workflow';
import { clock } from '../clock';
import { isQuota } from '../errors/advice';
import { stoppedError, type NodeError } from '../errors/words';
import { errorOf, keptKey, prepare, type Call } from './call';
import { cancelSignalOf, type Account, type Host } from './credentials';
import type { Slot, Traffic } from './limits';
import { pace, type Rate } from './pace';
import { closed, type BadReply, type GoodReply, type Reply } from './reply';
import { decide, mayBeDone, natureOf } from './retry';
import { tryOnce, type Prepared } from './transport';

/** What all calls of one run share. */
export interface Run {
	host: Host;
	node: INode;
	account: Account;
	signal: AbortSignal;
	/** The limit of requests at once: that of the account, or the run's own. */
	slot: Slot;
	traffic: Traffic;
}

/** One try, as soon as there is a place for it; nothing when it was stopped before. */
async function sendWhenFree(
	{ host, account, signal, slot, traffic }: Run,
	prepared: Prepared,
	rate?: Rate,
): Promise<Reply | undefined> {
	return await slot(
		async () => {
			await traffic.throttle.turn(signal);
			// As late as possible, so that what is counted is when a request really goes.
			if (rate && !signal.aborted) await pace(account.name, rate, signal);
			if (signal.aborted) return undefined;
			const begun = clock.now();
			const reply = await tryOnce(host, account, prepared);
			const limited =
				reply.kind === 'refusal' && reply.status === 429 && !isQuota(reply.facts.code);
			traffic.answered({ limited, milliseconds: clock.now() - begun });
			return reply;
		},
		(reply) => (reply?.kind === 'stream' ? closed(reply.stream) : undefined),
	);
}

/** What the stop button leaves in doubt stands in n8n's log: n8n keeps nothing of a stopped node. */
function noteDoubt({ request }: Prepared, call: Call, host: Host): void {
	const key = call.idempotencyKey ?? call.keyInBody;
	const mayExist =
		call.mayExist ?? (call.survivesStop ? 'What it starts may exist all the same.' : undefined);
	if (mayExist === undefined && key === undefined) return;
	const { pathname } = new URL(request.url);
	const words = [mayExist, key && keptKey(key)].filter(Boolean).join(' ');
	host.logger.warn(`Stopped while ${request.method} ${pathname} was on its way. ${words}`);
}

/** Carries out a call. With `streamed`, the body of a good reply is left unread. */
export async function exchange(
	run: Run,
	call: Call,
	streamed: boolean,
): Promise<{ reply: GoodReply } | { error: NodeError }> {
	const { host, node, account } = run;
	const prepared = prepare(account, node, call, streamed);
	const nature = natureOf(prepared.request.method, {
		repeatable: call.repeatable === true,
		keyed: call.idempotencyKey !== undefined || call.keyInBody !== undefined,
	});
	const begun = clock.now();
	const stopped = cancelSignalOf(host);
	/** The reply that left a doubt, and the signal that ends the tries. */
	let doubtful: BadReply | undefined;
	let { signal } = run;
	const ended = () => {
		if (doubtful === undefined || !nature.creates) return { error: stoppedError(node) };
		if (stopped?.aborted) noteDoubt(prepared, call, host);
		return { error: errorOf(node, account, call, doubtful, true) };
	};
	for (let tries = 1; ;) {
		const reply = await sendWhenFree({ ...run, signal }, prepared, call.rate);
		if (reply === undefined) return ended();
		if (reply.kind === 'success' || reply.kind === 'stream') return { reply };
		const seconds = (clock.now() - begun) / 1000;
		const random = Math.random();
		const maybeDone = doubtful !== undefined;
		const decision = decide(reply, { ...nature, tries, seconds, maybeDone, random });
		if (decision.next === 'done') return { reply: { kind: 'success', status: 200, body: {} } };
		if (mayBeDone(reply)) {
			doubtful = reply;
			// Another item's failure does not end the search for what may have been paid for.
			if (nature.creates && nature.repeatable) signal = stopped ?? new AbortController().signal;
		}
		if (decision.next === 'error') {
			if (doubtful && nature.creates && stopped?.aborted) noteDoubt(prepared, call, host);
			return { error: errorOf(node, account, call, reply, decision.uncertain) };
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
