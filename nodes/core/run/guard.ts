/** Limits on what a run may spend, which the user sets. */
import type { Client } from '../http/client';
import { operationError, type NodeError } from '../errors/words';
import { isPaid, type Ports } from '../operation';
import type { Plan, Task } from './plan';

const plural = (name: string) => `${name.toLowerCase()}${/(ch|sh|s|x)$/i.test(name) ? 'es' : 's'}`;

const count = (n: number) => n.toLocaleString('en-US');

/** Complaints about all items that would make jobs, where a run would make more than it may. */
export function tooManyJobs(plans: ReadonlyArray<Plan | Error>): Map<number, string> {
	const wrong = new Map<number, string>();
	const paid = [...plans.entries()].flatMap(([item, plan]) =>
		plan instanceof Error || !isPaid(plan.operation) ? [] : [{ item, ...plan }],
	);
	const limits = paid
		.map(({ values }) => values.mostJobs)
		.filter((limit) => typeof limit === 'number');
	const limit = Math.min(...limits);
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
			`This run would make ${count(jobs)} ${name}; the limit is ${count(limit)} ("Most Jobs per Run")`,
		);
	}
	return wrong;
}

/** The refusal of a run whose account has less left than it must keep; nothing where it has enough. */
export async function balanceRefusal(
	client: Client,
	tasks: readonly Task[],
	ports: Ports,
): Promise<NodeError | undefined> {
	const limits = tasks
		.filter(({ operation }) => isPaid(operation))
		.map(({ values }) => values.stopBelowBalance)
		.filter((limit) => typeof limit === 'number');
	if (limits.length === 0) return undefined;
	const least = Math.max(...limits);
	const { left, unit } = await ports.balance(client);
	if (left >= least) return undefined;
	return operationError(
		client.node,
		`The account has ${count(left)} ${unit} left, less than the ${count(least)} of "Stop Below Balance"`,
		'Add credit, or lower Stop Below Balance in the options. Nothing was made.',
		{ code: 'balance_too_low', left, unit },
	);
}
