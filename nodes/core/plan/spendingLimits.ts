/** Enforces Max Jobs per Run and Min Account Balance, and reads the balance for Report Cost. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { getErrorDetails } from '../errors/errorDetails';
import { createOperationError, toNodeError, type NodeError } from '../errors/nodeErrors';
import { formatNumber } from '../form/validation';
import type { Client } from '../http/client';
import type { NodeRun } from '../ledger/ledger';
import type { Balance, InjectedFunctions } from '../operation';
import { isPaid, runsAsAgentTool } from '../operationTraits';
import { findOrCreateRecord } from './deriveIdempotencyKeys';
import type { ItemPlan, PlannedRequest } from './groupRequests';

/** Returns the plural of a noun, such as `avatars` or `batches`. */
export const toPlural = (name: string) =>
	`${name.toLowerCase()}${/(ch|sh|s|x)$/i.test(name) ? 'es' : 's'}`;

/** Creates errors for all paid items if they would start more jobs than the user allows. */
export function findJobLimitErrors(plans: ReadonlyMap<number, ItemPlan>): Map<number, string> {
	const paid = [...plans].filter(([, { operation }]) => isPaid(operation));
	let limit = Infinity;
	let jobs = 0;
	for (const [, { operation, values }] of paid) {
		if (typeof values.mostJobs === 'number') limit = Math.min(limit, values.mostJobs);
		jobs += operation.countJobs?.(values) ?? 1;
	}
	const [first] = paid;
	if (!first || jobs <= limit) return new Map();
	const name = toPlural(first[1].resource.name);
	const problem = `This run would create ${formatNumber(jobs)} ${name}; the limit is ${formatNumber(limit)} ("Max Jobs per Run")`;
	return new Map(paid.map(([item]) => [item, problem]));
}

/**
 * Reads the balance for Min Account Balance or Report Cost.
 *
 * @returns `rejection`: the error that blocks all paid requests, because the balance is too low or
 * could not be checked. `before`: the balance, or the error if it could not be read. Both are
 * undefined if no option needs the balance
 */
export async function checkBalance(
	client: Client,
	requests: readonly PlannedRequest[],
	ports: InjectedFunctions,
): Promise<{ rejection?: NodeError; before?: Balance | NodeError }> {
	const paid = requests.filter(({ operation }) => isPaid(operation));
	const limits = paid.flatMap(({ values: { stopBelowBalance } }) =>
		typeof stopBelowBalance === 'number' ? [stopBelowBalance] : [],
	);
	const hasLimit = limits.length > 0;
	if (!hasLimit && !paid.some(({ values }) => values.reportCost === true)) return {};
	const limit = Math.max(...limits);
	try {
		const before = await ports.balance(client, !hasLimit);
		const { left, unit, source } = before;
		if (left >= limit) return { before };
		const rejection = createOperationError(
			client.node,
			`The account has ${formatNumber(left)} ${unit} left, less than the minimum of ${formatNumber(limit)} in "Min Account Balance"`,
			`${source === undefined ? '' : `The balance of the ${source} was read. With OAuth, the service may spend another balance, such as the credits of a subscription: if so, remove Min Account Balance. `}Add credit, or lower Min Account Balance in the options. Nothing was created.`,
			{ code: 'balance_too_low', left, unit, ...(source !== undefined && { source }) },
		);
		return { rejection, before };
	} catch (thrown) {
		const error = toNodeError(client.node, thrown);
		return hasLimit ? { rejection: error } : { before: error };
	}
}

export const isNewCharge = (nodeRun: NodeRun, request: PlannedRequest) =>
	isPaid(request.operation) && !findOrCreateRecord(nodeRun, request).outcome;

/** Whether an error concerns the whole account: no credit, no access, or a missing scope. */
export function isAccountError(error: NodeError): boolean {
	const { status, code } = getErrorDetails(error);
	return [401, 402].includes(Number(status)) || code === 'insufficient_api_key_scope';
}

/**
 * Reads the balance after a run. Returns errors instead of throwing them, because the jobs are paid
 * for. Undefined for tools, which show no hints, and if the balance before the run was not read.
 */
export async function readBalanceAfter(
	n8n: IExecuteFunctions,
	client: Client,
	ports: InjectedFunctions,
	{ balance }: NodeRun,
): Promise<Balance | Error | undefined> {
	if (balance === undefined || runsAsAgentTool(n8n)) return undefined;
	if (balance instanceof Error) return balance;
	return await ports.balance(client, true).catch((thrown) => toNodeError(client.node, thrown));
}
