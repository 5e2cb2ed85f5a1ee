/** Opens the client of a node run, and asks the service whether the items are valid. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { combineSignals } from '../abort';
import { createOperationError, toNodeError, type NodeError } from '../errors/nodeErrors';
import { createClient, type Client } from '../http/client';
import type { NodeRun } from '../ledger/ledger';
import type { ItemOperation } from './groupRequests';

/**
 * Creates the client of a node run. Its requests are aborted when the user stops the execution or
 * the signal aborts. After a suspension, returns the error if n8n cannot read the credential: it
 * may have been deleted, or n8n's database may be busy.
 */
export async function openRunClient(
	n8n: IExecuteFunctions,
	{ wait }: NodeRun,
	plans: ReadonlyMap<number, ItemOperation>,
	signal: AbortSignal,
): Promise<Client | NodeError> {
	try {
		return await createRunClient(n8n, [...plans.values()], { signal });
	} catch (thrown) {
		if (!wait) throw toNodeError(n8n.getNode(), thrown);
		return createOperationError(
			n8n.getNode(),
			"This node's credential cannot be used",
			`Select a credential in the node, save the workflow, and retry this execution with n8n's "Retry with currently saved workflow". The jobs continue to run in the service: do not create them again. Reason: ${(thrown as Error).message}`,
			{ code: 'credential_unusable' },
		);
	}
}

/** Creates a client that the user can stop, with the setting of the first item. */
export async function createRunClient(
	n8n: IExecuteFunctions,
	[first]: readonly ItemOperation[],
	{ signal: halt, isReadOnly }: { signal?: AbortSignal; isReadOnly?: boolean },
): Promise<Client> {
	const fixed = first?.values.requestsAtOnce;
	return await createClient(n8n, {
		requestsAtOnce: typeof fixed === 'number' && fixed > 0 ? fixed : undefined,
		signal: combineSignals(n8n.getExecutionCancelSignal(), halt),
		isReadOnly,
	});
}

/** Finds problems that only the service can detect. Returns errors in place of invalid plans. */
export async function validateWithService(
	client: Client,
	plans: ReadonlyMap<number, ItemOperation>,
	{ sentItems }: NodeRun,
): Promise<Map<number, ItemOperation | NodeError>> {
	const validated = [...plans].map(
		async ([item, plan]): Promise<[number, ItemOperation | NodeError]> => {
			try {
				// An item that was sent may be paid for.
				if (!sentItems.has(item)) await plan.operation.reject?.(plan.values, client);
				return [item, plan];
			} catch (error) {
				return [item, toNodeError(client.node, error)];
			}
		},
	);
	return new Map(await Promise.all(validated));
}
