/**
 * Groups the planned items into requests, because some operations send several items in one
 * request. Pure functions.
 */
import type { IDataObject } from 'n8n-workflow';
import type { ResourceOperation } from '../operation';
import { getPathParameterNames } from '../operationTraits';

/** Operation that an item selects, with the checked parameter values of the item. */
export interface ItemOperation extends ResourceOperation {
	values: IDataObject;
}

/** Row of a batch: the index of its input item, and its index in the batch. */
export interface BatchRow {
	item: number;
	index: number;
}

/** Batch that the service has accepted, with those of its rows that belong to some items. */
export interface PaidBatch {
	id: string;
	/** Number of all rows of the batch. */
	size: number;
	rows: BatchRow[];
}

/** Plan of one request, for a single item or for several items that the operation combines. */
export interface PlannedRequest extends ItemOperation {
	/** Indexes of the input items in the request, from 0. */
	itemIndexes: number[];
	/**
	 * Parameter values of each input item in the request. `values` contains those of the first item.
	 */
	itemValues: IDataObject[];
	/** Batch in which the items have been paid for, so that nothing must be sent. */
	paidBatch?: PaidBatch;
	/**
	 * Number of the retry, from 1, if this request sends failed batch rows again. Undefined for a
	 * first request.
	 */
	retry?: number;
}

/** Returns the request line followed by its path identifiers, such as `POST /v3/x/{id} 42`. */
export const describeRequestLine = ({ operation, values }: ItemOperation) =>
	[operation.request, ...getPathParameterNames(operation).map((name) => String(values[name]))].join(
		' ',
	);

/** Returns the rows of a batch in the order in which they were sent, and the size of the batch. */
export function listBatchRows({
	itemIndexes,
	itemValues,
	operation,
	paidBatch,
}: Pick<PlannedRequest, 'itemIndexes' | 'itemValues' | 'operation' | 'paidBatch'>): Pick<
	PaidBatch,
	'rows' | 'size'
> {
	if (paidBatch) return paidBatch;
	const items = itemIndexes.flatMap((item, i) =>
		Array<number>(operation.combine?.getSize?.(itemValues[i] ?? {}) ?? 1).fill(item),
	);
	return { rows: items.map((item, index) => ({ item, index })), size: items.length };
}

/** Returns the scope in which the same result is created only once, as the user has set it. */
export const getPayOncePer = ({ payOncePer, idempotencyKey }: IDataObject) =>
	payOncePer ?? (idempotencyKey === undefined ? 'execution' : 'ownKey');

type EarlierRequest = Pick<PlannedRequest, 'itemIndexes' | 'paidBatch'>;

/**
 * Plans the combined requests of earlier attempts again, with the same items. Skips a request if
 * one of its items is now invalid or selects another operation.
 */
function regroupEarlierRequests(
	plans: ReadonlyMap<number, ItemOperation>,
	earlier: readonly EarlierRequest[],
): PlannedRequest[] {
	return earlier.flatMap(({ itemIndexes, paidBatch }): PlannedRequest[] => {
		const own = itemIndexes.flatMap((item) => plans.get(item) ?? []);
		const [first] = own;
		if (!first || own.length < itemIndexes.length) return [];
		if (own.some(({ operation }) => operation !== first.operation)) return [];
		return [{ ...first, itemIndexes, itemValues: own.map(({ values }) => values), paidBatch }];
	});
}

/** Returns a string that is equal for items that may go into the same request. */
function getGroupKey({ resource, operation, values }: ItemOperation): string {
	const { sharedBy = [], rows } = operation.combine ?? {};
	// Each row of a batch has its own key.
	const ownKey = rows ? [] : ['idempotencyKey'];
	const shared = [...sharedBy, ...ownKey, 'additionalBodyFields', 'callBackHere'];
	const sharedValues = shared.map((name) => values[name] ?? null);
	return JSON.stringify([resource.value, operation.value, getPayOncePer(values), ...sharedValues]);
}

/** Whether one more item fits into a combined request. */
function hasSpace({ operation: { combine }, itemValues }: PlannedRequest, values: IDataObject) {
	const getSize = (one: IDataObject) => combine?.getSize?.(one) ?? 1;
	const size = itemValues.reduce((sum, one) => sum + getSize(one), getSize(values));
	return size <= (combine?.maxSize ?? 1);
}

/**
 * Plans the requests to send: one for each item, or one for each group of items if the operation
 * combines items.
 *
 * @param plans plan of each item, by item index
 * @param earlier combined requests of earlier attempts; their items stay together, because the
 * service would create them again in a different combination
 */
export function groupRequests(
	plans: ReadonlyMap<number, ItemOperation>,
	earlier: readonly EarlierRequest[] = [],
): PlannedRequest[] {
	const requests = regroupEarlierRequests(plans, earlier);
	const grouped = new Set(requests.flatMap(({ itemIndexes }) => itemIndexes));
	/** Last request of each group, by group key. Further items are added to it until it is full. */
	const open = new Map<string, PlannedRequest>();
	for (const [item, plan] of plans) {
		if (grouped.has(item)) continue;
		const { operation, values } = plan;
		if (!operation.combine) {
			requests.push({ ...plan, itemIndexes: [item], itemValues: [values] });
			continue;
		}
		const group = getGroupKey(plan);
		const current = open.get(group);
		if (current && hasSpace(current, values)) {
			current.itemIndexes.push(item);
			current.itemValues.push(values);
			continue;
		}
		const request = { ...plan, itemIndexes: [item], itemValues: [values] };
		open.set(group, request);
		requests.push(request);
	}
	return requests;
}

/**
 * Returns an error message for each item that has the same user-supplied idempotency key as an
 * earlier item. The service compares only the endpoint, the path identifier and the key, so both
 * items would get the same result. Combined requests are excluded, because their keys depend on their content.
 */
export function findRepeatedIdempotencyKeys(
	plans: ReadonlyMap<number, ItemOperation>,
): Map<number, string> {
	const firstItems = new Map<string, number>();
	const problems = new Map<number, string>();
	for (const [item, plan] of plans) {
		const { idempotencyKey } = plan.values;
		if (plan.operation.combine || idempotencyKey === undefined) continue;
		const key = `${describeRequestLine(plan)} ${String(idempotencyKey)}`;
		const first = firstItems.get(key);
		if (first === undefined) firstItems.set(key, item);
		else {
			problems.set(
				item,
				`"Own Key" is "${String(idempotencyKey)}" for item ${first} too: the service would give both items the same result. Use an expression that differs for every item`,
			);
		}
	}
	return problems;
}
