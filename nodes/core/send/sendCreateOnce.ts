/** Sends a create request only if its outcome is not yet in the ledger. */
import type { INode } from 'n8n-workflow';
import { getErrorDetails, type ErrorDetails } from '../errors/errorDetails';
import { toNodeError } from '../errors/nodeErrors';
import { loadError, storeError, type CreateOutcome, type CreateRecord } from '../ledger/ledger';

/** Requests in flight by their record: a language model may make the same call twice at once. */
const inFlight = new WeakMap<CreateRecord, Promise<unknown>>();

/** Maximum number of keys to skip that the service may have rejected before for lack of credit. */
const maxKeptRejections = 3;

interface CreateTraits {
	/** Whether the service recognizes a repeated request by its key. */
	hasKey: boolean;
	/**
	 * Whether, after a rejection, the next attempt uses the same key again, as later executions do.
	 */
	keepsKey: boolean;
	hasCredit: () => Promise<boolean>;
}

/** Whether the service certainly did not carry out a request and might accept it later. */
export function isRejection({ status, uncertain }: ErrorDetails): boolean {
	if (uncertain === true || typeof status !== 'number') return false;
	return status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status);
}

function readKnownOutcome(node: INode, outcome: CreateOutcome): unknown {
	if ('result' in outcome) return outcome.result;
	throw loadError(node, outcome.error);
}

/**
 * Sends a create request if the ledger lacks its outcome. Otherwise returns the earlier result, or
 * throws the earlier error if the outcome is unknown and no key makes a repeat safe.
 */
export async function sendCreateOnce<T>(
	node: INode,
	record: CreateRecord,
	traits: CreateTraits,
	create: () => Promise<T>,
): Promise<T> {
	if (record.outcome) return readKnownOutcome(node, record.outcome) as T;
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
 * Sends a create request, and records its outcome. An earlier execution may have used its key: if
 * it is rejected for lack of credit although the account has credit, the service may have kept an
 * earlier rejection, and the next key is tried.
 */
async function sendPastKeptRejections<T>(
	node: INode,
	record: CreateRecord,
	{ hasKey, keepsKey, hasCredit }: CreateTraits,
	create: () => Promise<T>,
): Promise<T> {
	// An earlier attempt may have been carried out. Its key must find the job, whatever follows: the
	// service may reject a request before it checks the key.
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
			record.outcome = { error: storeError(toNodeError(node, settled.reason)) };
		}
		const isRejected = isRejection(details) && !mayExist;
		// It has only waited to start: 429 creates nothing.
		const isUnsent =
			details.uncertain !== true && ['stopped', 'not_started'].includes(details.code ?? '');
		if (isRejected || (isUnsent && !mayExist)) record.sent = [];
		const mayBeKept = keepsKey && isRejected && details.status === 402;
		if (mayBeKept && kept < maxKeptRejections && (await hasCredit())) {
			record.rejections++;
			continue;
		}
		// The service may keep its rejection under the key, so the next attempt uses another one. But
		// if later executions begin with the first key, so does the next attempt.
		if (isRejected && !keepsKey) record.rejections++;
		if (keepsKey && record.sent.length === 0) record.rejections = rejections;
		return await creating;
	}
}
