/** The first paid request of a run is sent alone, because its refusal may apply to all others. */
import { getErrorDetails } from '../errors/errorDetails';
import type { NodeError } from '../errors/nodeErrors';
import { isPaid } from '../operationTraits';
import type { PlannedRequest } from '../plan/groupRequests';

/** Whether the error refuses the account as a whole: no credit, no access, no scope. */
function refusesAccount(error: NodeError): boolean {
	const { status, code } = getErrorDetails(error);
	return [401, 402].includes(Number(status)) || code === 'insufficient_api_key_scope';
}

export type FirstPaidRequest = ReturnType<typeof createFirstPaidRequest>;

/** @param refusal refuses every paid request from the beginning */
export function createFirstPaidRequest(requests: readonly PlannedRequest[], refusal?: NodeError) {
	const first =
		requests.length > 1 ? requests.find(({ operation }) => isPaid(operation)) : undefined;
	let open = () => {};
	const opened = first ? new Promise<void>((resolve) => (open = resolve)) : Promise.resolve();
	let refusedBy = refusal;
	return {
		/** Resolves when the request may be sent. Throws if paid requests are refused by now. */
		async waitForTurn(request: PlannedRequest, isPaidAlready: boolean): Promise<void> {
			if (request !== first) await opened;
			if (refusedBy && isPaid(request.operation) && !isPaidAlready) throw refusedBy;
		},
		/** Lets the others be sent, or refused, once the first one has its reply or has failed. */
		answered(request: PlannedRequest, error?: NodeError): void {
			if (request !== first) return;
			if (error && refusesAccount(error)) refusedBy = error;
			open();
		},
	};
}
