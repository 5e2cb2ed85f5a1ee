/** Rejects an Own Key that the user copied from the log but that belongs to other rows. */
import { createOperationError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import type { NodeRun } from '../ledger/ledger';
import type { BatchRowIdentity } from '../operation';
import { isGeneratedKeyForOtherRows, openRecord } from '../plan/deriveIdempotencyKeys';
import { getOwnKey, type PlannedRequest } from '../plan/groupRequests';

/** What the check needs to know about the run. */
export interface KeyCheckContext {
	client: Client;
	nodeRun: NodeRun;
}

/**
 * Throws if the user entered a key from the log that was created for other rows than those of the
 * request. Accepts what an earlier attempt of the run has sent, because expressions may have a
 * different result now.
 */
export function rejectKeyOfOtherRows(
	{ client, nodeRun }: KeyCheckContext,
	request: PlannedRequest,
	rows: readonly BatchRowIdentity[],
): void {
	const ownKey = getOwnKey(request.values) ?? '';
	if (!isGeneratedKeyForOtherRows(ownKey, rows)) return;
	const { key, origins } = openRecord(nodeRun, request);
	// The failed rows of a batch are sent again without the others.
	if (key !== undefined || origins.some((origin) => nodeRun.failures[origin])) return;
	throw createOperationError(
		client.node,
		`"Own Key" is "${ownKey}", which belongs to rows with different content or a different order`,
		'With this key, the service would return the results of those rows. Run the node for exactly the items of that request, or use another key. Nothing was sent to the service.',
		{ code: 'invalid_value' },
	);
}
