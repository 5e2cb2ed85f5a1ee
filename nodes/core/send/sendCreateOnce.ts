/** Keeps a create request from being sent again if its outcome is in the ledger. */
import type { INode } from 'n8n-workflow';
import { getErrorDetails, type ErrorDetails } from '../errors/errorDetails';
import { createOperationError, getErrorTextParts, toNodeError } from '../errors/nodeErrors';
import type { CreateOutcome } from '../ledger/ledger';
import type { NodeRunState } from '../plan/nodeRun';

type CreateState = Pick<NodeRunState, 'creates' | 'inFlight' | 'rejections'>;

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
 * @param requestId ID of the request, which stays the same when n8n runs the node again
 * @param hasKey whether the service recognizes a repeated request by its key
 */
export async function sendCreateOnce<T>(
	node: INode,
	{ creates, inFlight, rejections }: CreateState,
	{ requestId, hasKey }: { requestId: string; hasKey: boolean },
	create: () => Promise<T>,
): Promise<T> {
	const known = creates.get(requestId);
	if (known) return readKnownOutcome(node, known) as T;
	const earlier = inFlight.get(requestId);
	if (earlier) return (await earlier) as T;
	const creating = create();
	inFlight.set(requestId, creating);
	await creating.then(
		(result) => creates.set(requestId, { result }),
		(thrown: unknown) =>
			recordFailure(node, { creates, rejections }, { requestId, hasKey }, thrown),
	);
	inFlight.delete(requestId);
	return await creating;
}

function recordFailure(
	node: INode,
	{ creates, rejections }: Pick<CreateState, 'creates' | 'rejections'>,
	{ requestId, hasKey }: { requestId: string; hasKey: boolean },
	thrown: unknown,
): void {
	const details = getErrorDetails(thrown);
	if (details.uncertain === true && !hasKey) {
		const { message, advice } = getErrorTextParts(toNodeError(node, thrown));
		creates.set(requestId, { error: { message, advice: [...advice], details } });
	}
	// The service may keep its rejection under the key, so the next attempt uses another one.
	if (isRejection(details)) rejections.set(requestId, (rejections.get(requestId) ?? 0) + 1);
}
