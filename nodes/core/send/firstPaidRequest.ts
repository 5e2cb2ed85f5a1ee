/** The first create of a run goes alone: what refuses it may refuse all. */
import { getErrorDetails } from '../errors/errorDetails';
import type { NodeError } from '../errors/nodeErrors';
import { isPaid } from '../operation';
import type { PlannedRequest } from '../plan/groupRequests';

/** Whether an error says no to the account as a whole: no credit, no access, no scope. */
const refusesAccount = (error: NodeError) =>
	[401, 402].includes(Number(getErrorDetails(error).status)) ||
	getErrorDetails(error).code === 'insufficient_api_key_scope';

export type FirstPaidRequest = ReturnType<typeof createFirstPaidRequest>;

/** @param refusal of everything that costs, known from the beginning */
export function createFirstPaidRequest(tasks: readonly PlannedRequest[], refusal?: NodeError) {
	const first = tasks.length > 1 ? tasks.find(({ operation }) => isPaid(operation)) : undefined;
	let open = () => {};
	const opened = first ? new Promise<void>((resolve) => (open = resolve)) : Promise.resolve();
	let closedBy = refusal;
	return {
		/** Until the task may go. Throws where what costs was refused, unless the task has paid. */
		async pass(task: PlannedRequest, hasPaid: boolean): Promise<void> {
			if (task !== first) await opened;
			if (closedBy && isPaid(task.operation) && !hasPaid) throw closedBy;
		},
		/** The task has its answer, or has ended: the others may go, or are refused with it. */
		answered(task: PlannedRequest, error?: NodeError): void {
			if (task !== first) return;
			if (error && refusesAccount(error)) closedBy = error;
			open();
		},
	};
}
