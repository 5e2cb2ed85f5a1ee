/**
 * Sends the first paid request of a run alone, before all other requests. If the service rejects it
 * for a reason that applies to the whole account, the other paid requests are not sent.
 */
import { getErrorDetails } from '../errors/errorDetails';
import type { NodeError } from '../errors/nodeErrors';
import { isPaid } from '../operationTraits';
import type { PlannedRequest } from '../plan/groupRequests';

/**
 * Whether an error concerns the whole account rather than a single request. This is the case if the
 * account has no credit or no access, or if the API key lacks a required scope.
 */
function rejectsAccount(error: NodeError): boolean {
	const { status, code } = getErrorDetails(error);
	return [401, 402].includes(Number(status)) || code === 'insufficient_api_key_scope';
}

export type FirstPaidRequestGate = ReturnType<typeof createFirstPaidRequestGate>;

/**
 * Creates a gate that holds back all other requests of a run until the service has responded to the
 * first paid request.
 *
 * @param rejection error to throw instead of sending paid requests. Set if the balance is too low or
 * could not be read
 */
export function createFirstPaidRequestGate(
	requests: readonly PlannedRequest[],
	rejection?: NodeError,
) {
	const first =
		requests.length > 1 ? requests.find(({ operation }) => isPaid(operation)) : undefined;
	let open = () => {};
	const opened = first ? new Promise<void>((resolve) => (open = resolve)) : Promise.resolve();
	let rejectedBy = rejection;
	/** Throws if the request is paid and paid requests are blocked. */
	const assertMayPay = ({ operation }: PlannedRequest) => {
		if (rejectedBy && isPaid(operation)) throw rejectedBy;
	};
	return {
		assertMayPay,
		/**
		 * Resolves when a request may be sent. If paid requests are blocked, throws for a paid
		 * request unless an earlier attempt has already paid for it.
		 */
		async waitForTurn(request: PlannedRequest, isPaidAlready: boolean): Promise<void> {
			if (request !== first) await opened;
			if (!isPaidAlready) assertMayPay(request);
		},
		/**
		 * Lets the run's other requests continue after the first paid request has succeeded or failed.
		 * If it failed with an error that concerns the whole account, the other paid requests fail with
		 * the same error.
		 */
		releaseOthers(request: PlannedRequest, error?: NodeError): void {
			if (request !== first) return;
			if (error && rejectsAccount(error)) rejectedBy = error;
			open();
		},
	};
}
