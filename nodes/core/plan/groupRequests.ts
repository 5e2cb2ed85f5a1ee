/**
 * Groups input items into the requests to send, because some operations send several items in one
 * request. This file contains only pure functions.
 */
import type { IDataObject } from 'n8n-workflow';
import { readText } from '../json';
import type { NodeRun } from '../ledger/ledger';
import type { RequestItem, ResourceOperation } from '../operation';
import { getPathParameterNames, waitsForJobs } from '../operationTraits';

/** Operation that runs for an input item, with the item's validated parameter values. */
export interface ItemOperation extends ResourceOperation {
	values: IDataObject;
}

/**
 * Row of a batch: its index in the batch, and the index of the input item that it was created from.
 */
export interface BatchRow {
	item: number;
	index: number;
}

/** Items that were sent in one request, and the number of rows that each of them has in it. */
interface SentGroup {
	/** Origins of the items, in the order sent. */
	origins: string[];
	sizes: number[];
}

/**
 * Request that is about to be sent, for one input item or for several that the operation combines.
 */
export interface PlannedRequest extends ItemOperation {
	/**
	 * Input items in the request, each with its own form values. The `values` of the request itself
	 * are those of the first item.
	 */
	items: [RequestItem, ...RequestItem[]];
	/**
	 * Request that was sent earlier, with the index of each of its items, in the order sent. Items
	 * that did not come back to the node are undefined, and missing from `items`.
	 */
	sentGroup?: SentGroup & { items: ReadonlyArray<number | undefined> };
}

/** Returns the indexes of a request's input items. */
export const getItemIndexes = ({
	items: [first, ...others],
}: Pick<PlannedRequest, 'items'>): [number, ...number[]] => [
	first.item,
	...others.map(({ item }) => item),
];

/** Whether a request was sent earlier with items that are now missing. */
export const isPartOfGroup = ({ items, sentGroup }: Pick<PlannedRequest, 'items' | 'sentGroup'>) =>
	sentGroup !== undefined && sentGroup.origins.length > items.length;

/**
 * Whether a run waits for jobs, and may run again when its execution resumes: everything that it
 * sends must be in the ledger.
 */
export const waitsAndMayRunAgain = (requests: readonly PlannedRequest[]) =>
	requests.every(({ operation }) => operation.starts !== undefined || operation.awaits) &&
	requests.some(({ operation, values }) => waitsForJobs(operation, values));

/** Returns the request for a single input item. */
export const planItemRequest = (item: number, plan: ItemOperation): PlannedRequest => ({
	...plan,
	items: [{ item, values: plan.values }],
});

/**
 * Returns the target of a request: its method and path, followed by the IDs in the path. For
 * example, `POST /v3/x/{id} 42`.
 */
export const getRequestTarget = ({ operation, values }: ItemOperation) =>
	[operation.request, ...getPathParameterNames(operation).map((name) => String(values[name]))].join(
		' ',
	);

/** Returns the number of rows that each of a request's items has in a batch. */
export const getRowCounts = ({ items, operation }: Pick<PlannedRequest, 'items' | 'operation'>) =>
	items.map(({ values }) => operation.combine?.getSize?.(values) ?? 1);

/**
 * Returns a batch's rows in sending order, and their total number. If only some items of a batch
 * that was sent earlier are in the request, returns the rows of these.
 */
export function listBatchRows(request: Pick<PlannedRequest, 'items' | 'operation' | 'sentGroup'>): {
	rows: BatchRow[];
	size: number;
} {
	const { items, sentGroup } = request;
	const sizes = sentGroup?.sizes ?? getRowCounts(request);
	const itemsInGroup = sentGroup?.items ?? items.map(({ item }) => item);
	const itemOfRow = itemsInGroup.flatMap((item, i) =>
		Array<number | undefined>(sizes[i] ?? 1).fill(item),
	);
	const rows = itemOfRow.flatMap((item, index) => (item === undefined ? [] : [{ item, index }]));
	return { rows, size: itemOfRow.length };
}

/**
 * Returns the scope that the user selected in Pay Once Per: `execution`, `request` or `ownKey`.
 * Within this scope, a repeated request is executed and charged only once.
 */
export const getPayOnceScope = ({ payOncePer, idempotencyKey }: IDataObject) =>
	payOncePer ?? (idempotencyKey === undefined ? 'execution' : 'ownKey');

/** Returns the idempotency key that the user entered, if Pay Once Per is set to Own Key. */
export const getOwnKey = (values: IDataObject): string | undefined =>
	getPayOnceScope(values) === 'ownKey' ? readText(values.idempotencyKey) : undefined;

/**
 * Plans the combined requests that were sent earlier with the same items. Skips a request if none of
 * its items is in the input, or if they now have a different operation. If only some of them are
 * missing, the request remains if each of its items is the row of a batch.
 */
function regroupSentItems(
	plans: ReadonlyMap<number, ItemOperation>,
	{ origins = [], creates = {} }: Partial<NodeRun>,
): PlannedRequest[] {
	// Of copies of an item, the first one counts.
	const itemsByOrigin = new Map(
		[...origins.entries()].reverse().map(([item, origin]) => [origin, item]),
	);
	return Object.values(creates).flatMap(({ origins: all, sizes, sent }): PlannedRequest[] => {
		if (!sizes) return [];
		const itemsInGroup = all.map((origin) => {
			const item = itemsByOrigin.get(origin);
			return item !== undefined && plans.has(item) && sent.includes(origin) ? item : undefined;
		});
		const [plan] = itemsInGroup.flatMap((item) => plans.get(item ?? -1) ?? []);
		const [first, ...others] = itemsInGroup.flatMap((item = -1): RequestItem[] => {
			const { operation, values } = plans.get(item) ?? {};
			return values && operation === plan?.operation ? [{ item, values }] : [];
		});
		if (!plan?.operation.combine || !first) return [];
		const isComplete = others.length + 1 === all.length;
		if (!isComplete && !plan.operation.combine?.rows) return [];
		const sentGroup = { origins: all, sizes, items: itemsInGroup };
		return [{ ...plan, items: [first, ...others], sentGroup }];
	});
}

/** Returns an item's group key. Items with the same group key may be combined into one request. */
function getGroupKey({ resource, operation, values }: ItemOperation): string {
	const { sharedBy = [] } = operation.combine ?? {};
	const shared = [...sharedBy, 'additionalBodyFields'];
	const sharedValues = shared.map((name) => values[name] ?? null);
	return JSON.stringify([
		resource.value,
		operation.value,
		getPayOnceScope(values),
		getOwnKey(values),
		...sharedValues,
	]);
}

/** Whether one more item fits into a combined request. */
function hasSpace({ operation: { combine }, items }: PlannedRequest, values: IDataObject) {
	const getSize = (one: IDataObject) => combine?.getSize?.(one) ?? 1;
	const size = items.reduce((sum, one) => sum + getSize(one.values), getSize(values));
	return size <= (combine?.maxSize ?? 1);
}

/**
 * Groups input items into requests: one request for each item, or one for several items if the
 * operation combines them.
 *
 * @param plans planned operation of each item, keyed by item index
 * @param run items that it has sent together stay together, because the service would treat a
 * different combination as a new request and charge for the items again
 */
export function groupItemsIntoRequests(
	plans: ReadonlyMap<number, ItemOperation>,
	run: Partial<NodeRun> = {},
): PlannedRequest[] {
	const requests = regroupSentItems(plans, run);
	const grouped = new Set(requests.flatMap(getItemIndexes));
	/**
	 * Most recent request for each group key. Items with that key are added to the request until it
	 * is full.
	 */
	const open = new Map<string, PlannedRequest>();
	for (const [item, plan] of plans) {
		if (grouped.has(item)) continue;
		const { operation, values } = plan;
		if (!operation.combine) {
			requests.push(planItemRequest(item, plan));
			continue;
		}
		const group = getGroupKey(plan);
		const current = open.get(group);
		if (current && hasSpace(current, values)) {
			current.items.push({ item, values });
			continue;
		}
		const request = planItemRequest(item, plan);
		open.set(group, request);
		requests.push(request);
	}
	return requests;
}

/**
 * Returns an error message for each item whose user-supplied idempotency key was already used for
 * an earlier item. The service compares only the endpoint, the ID in the path and the key, so both
 * items would get the same result. Combined requests and the rows of a batch are excluded, because
 * their keys also depend on their content.
 */
export function findRepeatedKeyErrors(
	plans: ReadonlyMap<number, ItemOperation>,
): Map<number, string> {
	const firstItems = new Map<string, number>();
	const problems = new Map<number, string>();
	for (const [item, plan] of plans) {
		const { combine, isSingleRow } = plan.operation;
		const ownKey = getOwnKey(plan.values);
		if (combine || isSingleRow || ownKey === undefined) continue;
		const key = `${getRequestTarget(plan)} ${ownKey}`;
		const first = firstItems.get(key);
		if (first === undefined) firstItems.set(key, item);
		else {
			problems.set(
				item,
				`"Own Key" is also "${ownKey}" for item ${first}: the service would return the same result for both items. Use an expression with a different value for every item`,
			);
		}
	}
	return problems;
}
