/** Keeps a create request from being sent again if its outcome is in the ledger. */
import type { INode } from 'n8n-workflow';
import { getErrorDetails, type ErrorDetails } from '../errors/errorDetails';
import { createOperationError, getErrorTextParts, toNodeError } from '../errors/nodeErrors';
import type { CreateOutcome } from '../ledger/ledger';
import type { NodeRunState } from '../plan/nodeRun';

type CreateState = Pick<NodeRunState, 'creates' | 'inFlight' | 'rejections'>;

/** Identity of a create request, and what the service does with it. */
export interface CreateTraits {
	/** ID of the request, which stays the same when n8n runs the node again. */
	requestId: string;
	/** Whether the service recognizes a repeated request by its key. */
	hasKey: boolean;
	/**
	 * Whether the next attempt begins with the same key after a rejection, because a later execution
	 * does, too: it must find the same job.
	 */
	keepsKey: boolean;
}

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
 */
export async function sendCreateOnce<T>(
	node: INode,
	{ creates, inFlight, rejections }: CreateState,
	traits: CreateTraits,
	create: () => Promise<T>,
): Promise<T> {
	const { requestId } = traits;
	const known = creates.get(requestId);
	if (known) return readKnownOutcome(node, known) as T;
	const earlier = inFlight.get(requestId);
	if (earlier) return (await earlier) as T;
	const creating = create();
	inFlight.set(requestId, creating);
	await creating.then(
		(result) => creates.set(requestId, { result }),
		(thrown: unknown) => recordFailure(node, { creates, rejections }, traits, thrown),
	);
	inFlight.delete(requestId);
	return await creating;
}

export function countRejection(
	{ rejections }: Pick<CreateState, 'rejections'>,
	requestId: string,
): void {
	rejections.set(requestId, (rejections.get(requestId) ?? 0) + 1);
}

function recordFailure(
	node: INode,
	{ creates, rejections }: Pick<CreateState, 'creates' | 'rejections'>,
	{ requestId, hasKey, keepsKey }: CreateTraits,
	thrown: unknown,
): void {
	const details = getErrorDetails(thrown);
	if (details.uncertain === true && !hasKey) {
		const { message, advice } = getErrorTextParts(toNodeError(node, thrown));
		creates.set(requestId, { error: { message, advice: [...advice], details } });
	}
	// The service may keep its rejection under the key, so the next attempt uses another one.
	if (isRejection(details) && !keepsKey) countRejection({ rejections }, requestId);
}
