/** Sends a create request only if its outcome is not yet in the ledger. */
import type { INode } from 'n8n-workflow';
import { getErrorDetails, type ErrorDetails } from '../errors/errorDetails';
import { toNodeError } from '../errors/nodeErrors';
import { deserializeError, serializeError, type CreateRequestRecord } from '../ledger/ledger';

/**
 * Create requests in flight, keyed by ledger record. A language model may make the same call twice
 * at the same time.
 */
const inFlight = new WeakMap<CreateRequestRecord, Promise<unknown>>();

/** Maximum keys to skip because the service may repeat an earlier rejection for lack of credit. */
const maxKeptRejections = 3;

interface CreateTraits {
	/** Whether the service recognizes a repeated request by its key. */
	hasKey: boolean;
	/** Whether the next attempt after a rejection uses the same key, as later executions do. */
	keepsKey: boolean;
	hasCredit: () => Promise<boolean>;
}

/** Whether the service has definitely not carried out a request, but may accept it later. */
export function isRejection({ status, uncertain }: ErrorDetails): boolean {
	if (uncertain === true || typeof status !== 'number') return false;
	return status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status);
}

/**
 * Sends a create request if the ledger lacks its outcome. Otherwise returns the earlier result, or
 * throws the earlier error if the outcome is unknown and no key makes a repeat safe.
 */
export async function sendCreateOnce<T>(
	node: INode,
	record: CreateRequestRecord,
	traits: CreateTraits,
	create: () => Promise<T>,
): Promise<T> {
	const { outcome } = record;
	if (outcome && 'error' in outcome) throw deserializeError(node, outcome.error);
	if (outcome) return outcome.result as T;
	if (inFlight.has(record)) return (await inFlight.get(record)) as T;
	const creating = sendPastKeptRejections(node, record, traits, create);
	inFlight.set(record, creating);
	try {
		return await creating;
	} finally {
		inFlight.delete(record);
	}
}

/**
 * Sends a create request, and records its outcome. If the request is rejected for lack of credit
 * although the account has credit, the service may be repeating its rejection of an earlier
 * execution with the same key. The next key is then tried.
 */
async function sendPastKeptRejections<T>(
	node: INode,
	record: CreateRequestRecord,
	{ hasKey, keepsKey, hasCredit }: CreateTraits,
	create: () => Promise<T>,
): Promise<T> {
	// If an earlier attempt may have been carried out, its key must find the job, even after a
	// rejection: the service may reject a request before it checks the key.
	const mayExist = record.sent.length > 0;
	const { rejections } = record;
	for (let kept = 0; ; kept++) {
		const creating = create();
		const [settled] = await Promise.allSettled([creating]);
		if (settled.status === 'fulfilled') {
			record.outcome = { result: settled.value };
			return settled.value;
		}
		const details = getErrorDetails(settled.reason);
		if (details.uncertain === true && !hasKey) {
			record.outcome = { error: serializeError(toNodeError(node, settled.reason)) };
		}
		const isRejected = isRejection(details) && !mayExist;
		// The request was only waiting, or received a 429, which means that nothing was created.
		const isUnsent =
			details.uncertain !== true && ['stopped', 'not_started'].includes(details.code ?? '');
		if (isRejected || (isUnsent && !mayExist)) record.sent = [];
		const mayBeKept = keepsKey && isRejected && details.status === 402;
		if (mayBeKept && kept < maxKeptRejections && (await hasCredit())) {
			record.rejections++;
			continue;
		}
		// The service may keep its rejection under the key, so the next attempt uses another key. But
		// if later executions start with the first key, so does the next attempt.
		if (isRejected && !keepsKey) record.rejections++;
		if (keepsKey && record.sent.length === 0) record.rejections = rejections;
		return await creating;
	}
}
