/**
 * Sends the first paid request of a run before all others, because its refusal may apply to them,
 * too.
 */
import { getErrorDetails } from '../errors/errorDetails';
import type { NodeError } from '../errors/nodeErrors';
import { isPaid } from '../operationTraits';
import type { PlannedRequest } from '../plan/groupRequests';

/** Whether an error refuses the whole account: no credit, no access, or a missing scope. */
function refusesAccount(error: NodeError): boolean {
	const { status, code } = getErrorDetails(error);
	return [401, 402].includes(Number(status)) || code === 'insufficient_api_key_scope';
}

export type FirstPaidRequest = ReturnType<typeof createFirstPaidRequest>;

/**
 * Holds back the other requests until the first paid one has its reply.
 *
 * @param refusal if set, every paid request fails with this error
 */
export function createFirstPaidRequest(requests: readonly PlannedRequest[], refusal?: NodeError) {
	const first =
		requests.length > 1 ? requests.find(({ operation }) => isPaid(operation)) : undefined;
	let open = () => {};
	const opened = first ? new Promise<void>((resolve) => (open = resolve)) : Promise.resolve();
	let refusedBy = refusal;
	return {
		/** Resolves when the request may be sent. Throws if paid requests have been refused. */
		async waitForTurn(request: PlannedRequest, isPaidAlready: boolean): Promise<void> {
			if (request !== first) await opened;
			if (refusedBy && isPaid(request.operation) && !isPaidAlready) throw refusedBy;
		},
		/**
		 * Releases the other requests, or refuses them, once the first paid request has its reply or
		 * has failed.
		 */
		releaseOthers(request: PlannedRequest, error?: NodeError): void {
			if (request !== first) return;
			if (error && refusesAccount(error)) refusedBy = error;
			open();
		},
	};
}
