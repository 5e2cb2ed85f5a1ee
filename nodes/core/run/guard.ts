/** Limits on what a run may spend, which the user sets. */
import type { Client } from '../http/client';
import { asNodeError, operationError, type NodeError } from '../errors/words';
import { amount } from '../form/complaints';
import { isPaid, type Ports } from '../operation';
import type { Plan, Task } from './plan';

const plural = (name: string) => `${name.toLowerCase()}${/(ch|sh|s|x)$/i.test(name) ? 'es' : 's'}`;

/** Complaints about all items that would make jobs, where a run would make more than it may. */
export function tooManyJobs(plans: ReadonlyArray<Plan | Error>): Map<number, string> {
	const wrong = new Map<number, string>();
	const paid = [...plans.entries()].flatMap(([item, plan]) =>
		plan instanceof Error || !isPaid(plan.operation) ? [] : [{ item, ...plan }],
	);
	const limit = paid.reduce((least, { values }) => {
		return typeof values.mostJobs === 'number' ? Math.min(least, values.mostJobs) : least;
	}, Infinity);
	const jobs = paid.reduce(
		(sum, { operation, values }) => sum + (operation.makes?.(values) ?? 1),
		0,
	);
	const [first] = paid;
	if (!first || jobs <= limit) return wrong;
	const name = plural(first.resource.name);
	for (const { item } of paid) {
		wrong.set(
			item,
			`This run would make ${amount(jobs)} ${name}; the limit is ${amount(limit)} ("Most Jobs per Run")`,
		);
	}
	return wrong;
}

/**
 * The refusal of a run whose account has less left than it must keep, or does not tell; nothing
 * where it has enough.
 */
export async function balanceRefusal(
	client: Client,
	tasks: readonly Task[],
	ports: Ports,
): Promise<NodeError | undefined> {
	const least = tasks.reduce((most, { operation, values }) => {
		const own = isPaid(operation) ? values.stopBelowBalance : undefined;
		return typeof own === 'number' ? Math.max(most, own) : most;
	}, -Infinity);
	if (least === -Infinity) return undefined;
	const found = await ports
		.balance(client)
		.catch((error: unknown) => asNodeError(client.node, error));
	if (found instanceof Error) return found;
	const { left, unit } = found;
	if (left >= least) return undefined;
	return operationError(
		client.node,
		`The account has ${amount(left)} ${unit} left, less than the ${amount(least)} of "Stop Below Balance"`,
		'Add credit, or lower Stop Below Balance in the options. Nothing was made.',
		{ code: 'balance_too_low', left, unit },
	);
}
