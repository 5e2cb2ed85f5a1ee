/**
 * Checks the two limits that users can set on the cost of a run: Most Jobs per Run and Stop Below
 * Balance.
 */
import { createOperationError, toNodeError, type NodeError } from '../errors/nodeErrors';
import { formatNumber } from '../form/validation';
import type { Client } from '../http/client';
import type { OperationDependencies } from '../operation';
import { isPaid } from '../operationTraits';
import type { ItemOperation, PlannedRequest } from './groupRequests';

const toPlural = (name: string) =>
	`${name.toLowerCase()}${/(ch|sh|s|x)$/i.test(name) ? 'es' : 's'}`;

/**
 * Returns an error sentence for every item with a paid operation if all items together would start
 * more jobs than the user allows. Returns an empty map if the number of jobs is within the limit.
 */
export function checkJobLimit(plans: ReadonlyMap<number, ItemOperation>): Map<number, string> {
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
	const problem = `This run would make ${formatNumber(jobs)} ${name}; the limit is ${formatNumber(limit)} ("Most Jobs per Run")`;
	return new Map(paid.map(([item]) => [item, problem]));
}

/**
 * Compares the account balance with the Stop Below Balance option. Returns an error for all paid
 * requests if the balance is too low or cannot be read; otherwise returns `undefined`.
 */
export async function checkBalance(
	client: Client,
	requests: readonly PlannedRequest[],
	ports: OperationDependencies,
): Promise<NodeError | undefined> {
	const limits = requests.flatMap(({ operation, values: { stopBelowBalance } }) =>
		isPaid(operation) && typeof stopBelowBalance === 'number' ? [stopBelowBalance] : [],
	);
	if (limits.length === 0) return undefined;
	const limit = Math.max(...limits);
	try {
		const { left, unit } = await ports.balance(client);
		if (left >= limit) return undefined;
		return createOperationError(
			client.node,
			`The account has ${formatNumber(left)} ${unit} left, less than the ${formatNumber(limit)} of "Stop Below Balance"`,
			'Add credit, or lower Stop Below Balance in the options. Nothing was made.',
			{ code: 'balance_too_low', left, unit },
		);
	} catch (error) {
		return toNodeError(client.node, error);
	}
}
