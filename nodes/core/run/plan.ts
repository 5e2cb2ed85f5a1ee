/** From items with their values to the requests that are made of them. Pure. */
import type { IDataObject } from 'n8n-workflow';
import { pathNames, type Use } from '../operation';

/** What one item asks for. */
export interface Plan extends Use {
	values: IDataObject;
}

/** One request to make: for one item, or for several that an operation gathers. */
export interface Task extends Plan {
	/** Numbers of the items, from 0. */
	items: number[];
	/** The values of those items. */
	gathered: IDataObject[];
	/** Counts the gathered requests that share an idempotency key of the user's, from 1. */
	part: number;
	/** Of rows of a batch that failed: how many batches of theirs went before. */
	again?: number;
}

/** The line of a request with its path identifiers. */
export const filledLine = ({ operation, values }: Pick<Plan, 'operation' | 'values'>) =>
	[operation.request, ...pathNames(operation).map((name) => String(values[name]))].join(' ');

/** The requests of earlier tries that gathered items, where all their items are still planned. */
function tasksOfTries(
	plans: ReadonlyArray<Plan | Error>,
	earlier: ReadonlyArray<Pick<Task, 'items' | 'part'>>,
): Task[] {
	return earlier.flatMap(({ items, part }): Task[] => {
		const all = items.map((item) => plans[item]);
		const [first] = all;
		if (!first || first instanceof Error) return [];
		const own = all.filter((plan) => plan && !(plan instanceof Error)) as Plan[];
		if (own.length < items.length) return [];
		if (own.some(({ operation }) => operation !== first.operation)) return [];
		return [{ ...first, items, gathered: own.map(({ values }) => values), part }];
	});
}

/** What numbers the requests that share an idempotency key of the user's. */
const shareOf = ({ operation, values }: Pick<Plan, 'operation' | 'values'>) =>
	`${operation.value} ${String(values.idempotencyKey ?? '')}`;

/** What items have in common that go into one request. */
function kindOf({ resource, operation, values }: Plan): string {
	const { sharedBy = [] } = operation.gather ?? {};
	const shared = [...sharedBy, 'additionalBodyFields', 'idempotencyKey', 'callBackHere'];
	const own = shared.map((name) => values[name] ?? null);
	return JSON.stringify([resource.value, operation.value, ...own]);
}

/** Whether a request takes one more item. */
function hasRoom({ operation: { gather }, gathered }: Task, values: IDataObject): boolean {
	const size = (one: IDataObject) => gather?.size?.(one) ?? 1;
	return gathered.reduce((sum, one) => sum + size(one), size(values)) <= (gather?.most ?? 1);
}

/**
 * The requests to make: one per item, or one per chunk of items that an operation gathers. What
 * stands for a whole request is the same for all items in it. Items with an error in place of a
 * plan are left out.
 *
 * @param earlier items that earlier tries of the node have sent together: they stay together, or
 * what was made of them would be made again
 */
export function tasksOf(
	plans: ReadonlyArray<Plan | Error>,
	earlier: ReadonlyArray<Pick<Task, 'items' | 'part'>> = [],
): Task[] {
	const tasks = tasksOfTries(plans, earlier);
	const sent = new Set(tasks.flatMap(({ items }) => items));
	/** The newest request of each kind: items join it while there is room. */
	const open = new Map<string, Task>();
	const parts = new Map<string, number>();
	for (const task of tasks) {
		parts.set(shareOf(task), Math.max(parts.get(shareOf(task)) ?? 0, task.part));
	}
	plans.forEach((plan, item) => {
		if (plan instanceof Error || sent.has(item)) return;
		const { operation, values } = plan;
		if (!operation.gather) {
			tasks.push({ ...plan, items: [item], gathered: [values], part: 1 });
			return;
		}
		const kind = kindOf(plan);
		const task = open.get(kind);
		if (task && hasRoom(task, values)) {
			task.items.push(item);
			task.gathered.push(values);
			return;
		}
		const part = (parts.get(shareOf(plan)) ?? 0) + 1;
		parts.set(shareOf(plan), part);
		const next = { ...plan, items: [item], gathered: [values], part };
		open.set(kind, next);
		tasks.push(next);
	});
	return tasks;
}

/**
 * Complaints about items whose own idempotency key is that of an earlier item, by item number: the
 * service replays its answer by endpoint, path identifier and key alone, so that both would get one
 * result. Requests of gathered items number their keys instead.
 */
export function sameKeys(plans: ReadonlyArray<Plan | Error>): Map<number, string> {
	const first = new Map<string, number>();
	const wrong = new Map<number, string>();
	for (const [item, plan] of plans.entries()) {
		if (plan instanceof Error || plan.operation.gather) continue;
		const own = plan.values.idempotencyKey;
		if (own === undefined) continue;
		const key = `${filledLine(plan)} ${String(own)}`;
		const other = first.get(key);
		if (other === undefined) first.set(key, item);
		else {
			wrong.set(
				item,
				`"Own Key" is "${String(own)}" for item ${other} too: the service would give both items the same result. Use an expression that differs for every item`,
			);
		}
	}
	return wrong;
}
