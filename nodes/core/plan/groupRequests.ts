/** From items with their values to the requests that are made of them. Pure. */
import type { IDataObject } from 'n8n-workflow';
import { getPathNames, type ResourceOperation } from '../operation';

/** What one item asks for. */
export interface ItemPlan extends ResourceOperation {
	values: IDataObject;
}

/** One request to make: for one item, or for several that an operation gathers. */
export interface PlannedRequest extends ItemPlan {
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
export const describeRequestLine = ({
	operation,
	values,
}: Pick<ItemPlan, 'operation' | 'values'>) =>
	[operation.request, ...getPathNames(operation).map((name) => String(values[name]))].join(' ');

/** The requests of earlier tries that gathered items, where all their items are still planned. */
function regroupEarlierRequests(
	plans: ReadonlyArray<ItemPlan | Error>,
	earlier: ReadonlyArray<Pick<PlannedRequest, 'items' | 'part'>>,
): PlannedRequest[] {
	return earlier.flatMap(({ items, part }): PlannedRequest[] => {
		const all = items.map((item) => plans[item]);
		const [first] = all;
		if (!first || first instanceof Error) return [];
		const own = all.filter((plan) => plan && !(plan instanceof Error)) as ItemPlan[];
		if (own.length < items.length) return [];
		if (own.some(({ operation }) => operation !== first.operation)) return [];
		return [{ ...first, items, gathered: own.map(({ values }) => values), part }];
	});
}

/** What numbers the requests that share an idempotency key of the user's. */
const getSharedKeyName = ({ operation, values }: Pick<ItemPlan, 'operation' | 'values'>) =>
	`${operation.value} ${String(values.idempotencyKey ?? '')}`;

/** What items have in common that go into one request. */
function getGroupKey({ resource, operation, values }: ItemPlan): string {
	const { sharedBy = [] } = operation.combine ?? {};
	const shared = [...sharedBy, 'additionalBodyFields', 'idempotencyKey', 'callBackHere'];
	const own = shared.map((name) => values[name] ?? null);
	return JSON.stringify([resource.value, operation.value, ...own]);
}

/** Whether a request takes one more item. */
function hasSpace(
	{ operation: { combine: gather }, gathered }: PlannedRequest,
	values: IDataObject,
): boolean {
	const size = (one: IDataObject) => gather?.getSize?.(one) ?? 1;
	return gathered.reduce((sum, one) => sum + size(one), size(values)) <= (gather?.maxSize ?? 1);
}

/**
 * The requests to make: one per item, or one per chunk of items that an operation gathers. What
 * stands for a whole request is the same for all items in it. Items with an error in place of a
 * plan are left out.
 *
 * @param earlier items that earlier tries of the node have sent together: they stay together, or
 * what was made of them would be made again
 */
export function groupRequests(
	plans: ReadonlyArray<ItemPlan | Error>,
	earlier: ReadonlyArray<Pick<PlannedRequest, 'items' | 'part'>> = [],
): PlannedRequest[] {
	const tasks = regroupEarlierRequests(plans, earlier);
	const sent = new Set(tasks.flatMap(({ items }) => items));
	/** The newest request of each kind: items join it while there is room. */
	const open = new Map<string, PlannedRequest>();
	const parts = new Map<string, number>();
	for (const task of tasks) {
		parts.set(getSharedKeyName(task), Math.max(parts.get(getSharedKeyName(task)) ?? 0, task.part));
	}
	plans.forEach((plan, item) => {
		if (plan instanceof Error || sent.has(item)) return;
		const { operation, values } = plan;
		if (!operation.combine) {
			tasks.push({ ...plan, items: [item], gathered: [values], part: 1 });
			return;
		}
		const kind = getGroupKey(plan);
		const task = open.get(kind);
		if (task && hasSpace(task, values)) {
			task.items.push(item);
			task.gathered.push(values);
			return;
		}
		const part = (parts.get(getSharedKeyName(plan)) ?? 0) + 1;
		parts.set(getSharedKeyName(plan), part);
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
export function findRepeatedKeys(plans: ReadonlyArray<ItemPlan | Error>): Map<number, string> {
	const first = new Map<string, number>();
	const wrong = new Map<number, string>();
	for (const [item, plan] of plans.entries()) {
		if (plan instanceof Error || plan.operation.combine) continue;
		const own = plan.values.idempotencyKey;
		if (own === undefined) continue;
		const key = `${describeRequestLine(plan)} ${String(own)}`;
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
