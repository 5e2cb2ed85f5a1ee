/** Limits on what a run may spend, which the user sets. */
import type { Client } from '../http/client';
import { toNodeError, createOperationError, type NodeError } from '../errors/nodeErrors';
import { formatNumber } from '../form/validation';
import { isPaid, type Ports } from '../operation';
import type { ItemPlan, PlannedRequest } from './groupRequests';

const toPlural = (name: string) =>
	`${name.toLowerCase()}${/(ch|sh|s|x)$/i.test(name) ? 'es' : 's'}`;

/** Complaints about all items that would make jobs, where a run would make more than it may. */
export function findJobsOverLimit(plans: ReadonlyArray<ItemPlan | Error>): Map<number, string> {
	const wrong = new Map<number, string>();
	const paid = [...plans.entries()].flatMap(([item, plan]) =>
		plan instanceof Error || !isPaid(plan.operation) ? [] : [{ item, ...plan }],
	);
	const limit = paid.reduce((least, { values }) => {
		return typeof values.mostJobs === 'number' ? Math.min(least, values.mostJobs) : least;
	}, Infinity);
	const jobs = paid.reduce(
		(sum, { operation, values }) => sum + (operation.countJobs?.(values) ?? 1),
		0,
	);
	const [first] = paid;
	if (!first || jobs <= limit) return wrong;
	const name = toPlural(first.resource.name);
	for (const { item } of paid) {
		wrong.set(
			item,
			`This run would make ${formatNumber(jobs)} ${name}; the limit is ${formatNumber(limit)} ("Most Jobs per Run")`,
		);
	}
	return wrong;
}

/**
 * The refusal of a run whose account has less left than it must keep, or does not tell; nothing
 * where it has enough.
 */
export async function checkBalance(
	client: Client,
	tasks: readonly PlannedRequest[],
	ports: Ports,
): Promise<NodeError | undefined> {
	const least = tasks.reduce((most, { operation, values }) => {
		const own = isPaid(operation) ? values.stopBelowBalance : undefined;
		return typeof own === 'number' ? Math.max(most, own) : most;
	}, -Infinity);
	if (least === -Infinity) return undefined;
	const found = await ports
		.balance(client)
		.catch((error: unknown) => toNodeError(client.node, error));
	if (found instanceof Error) return found;
	const { left, unit } = found;
	if (left >= least) return undefined;
	return createOperationError(
		client.node,
		`The account has ${formatNumber(left)} ${unit} left, less than the ${formatNumber(least)} of "Stop Below Balance"`,
		'Add credit, or lower Stop Below Balance in the options. Nothing was made.',
		{ code: 'balance_too_low', left, unit },
	);
}
