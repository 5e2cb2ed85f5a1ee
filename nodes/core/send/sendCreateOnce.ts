/** Keeps a create request from being sent again if its outcome is in the ledger. */
import type { INode } from 'n8n-workflow';
import { getErrorDetails, type ErrorDetails } from '../errors/errorDetails';
import {
	createOperationError,
	getErrorTextParts,
	toNodeError,
	type NodeError,
} from '../errors/nodeErrors';
import type { CreateOutcome, CreateRecord } from '../ledger/ledger';

/** Create requests in flight: a language model may call a tool twice at once. */
const inFlight = new WeakMap<CreateRecord, Promise<unknown>>();

/** Whether the service certainly did not carry out a request and might accept it later. */
export function isRejection({ status, uncertain }: ErrorDetails): boolean {
	if (uncertain === true || typeof status !== 'number') return false;
	return status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status);
}

function readKnownOutcome(node: INode, outcome: CreateOutcome): unknown {
	if ('result' in outcome) return outcome.result;
	const { message, advice, details } = outcome.error;
	throw createOperationError(node, message, advice, details);
}

/**
 * Sends a create request if the ledger does not have its outcome. Otherwise returns the result of
 * the earlier request, or throws its error if the outcome is unknown and the service accepts no key
 * that would make a repeat safe. A request that definitely failed is sent again.
 *
 * @param traits.hasKey whether the service recognizes a repeated request by its key
 * @param traits.keepsKey whether the next attempt begins with the same key after a rejection,
 * because a later execution does, too: it must find the same job
 */
export async function sendCreateOnce<T>(
	node: INode,
	record: CreateRecord,
	traits: { hasKey: boolean; keepsKey: boolean },
	create: () => Promise<T>,
): Promise<T> {
	if (record.outcome) return readKnownOutcome(node, record.outcome) as T;
	if (inFlight.has(record)) return (await inFlight.get(record)) as T;
	// An earlier attempt may have been carried out. Its key must find the job, whatever follows: the
	// service may reject a request before it checks the key.
	const mayExist = record.sent.length > 0;
	const creating = create();
	inFlight.set(record, creating);
	await creating.then(
		(result) => (record.outcome = { result }),
		(thrown: unknown) => recordFailure(node, record, { ...traits, mayExist }, thrown),
	);
	inFlight.delete(record);
	return await creating;
}

/** Converts an error to the outcome of a create request, which is then kept. */
export function toOutcome(error: NodeError): CreateOutcome {
	const { message, advice } = getErrorTextParts(error);
	return { error: { message, advice: [...advice], details: getErrorDetails(error) } };
}

function recordFailure(
	node: INode,
	record: CreateRecord,
	{ hasKey, keepsKey, mayExist }: { hasKey: boolean; keepsKey: boolean; mayExist: boolean },
	thrown: unknown,
): void {
	const details = getErrorDetails(thrown);
	if (details.uncertain === true && !hasKey) {
		record.outcome = toOutcome(toNodeError(node, thrown));
	}
	if (!isRejection(details) || mayExist) return;
	record.sent = [];
	// The service may keep its rejection under the key, so the next attempt uses another one.
	if (!keepsKey) record.rejections++;
}
