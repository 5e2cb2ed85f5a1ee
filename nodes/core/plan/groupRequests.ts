/** Groups input items into the requests to send. Contains only pure functions. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Job } from '../jobs/types';
import { readText } from '../json';
import type { NodeRun, RequestFailure } from '../ledger/ledger';
import type { RequestItem, ResourceOperation } from '../operation';
import { getPathParameterNames } from '../operationTraits';

export interface ItemPlan extends ResourceOperation {
	values: IDataObject;
}

/** Row of a batch: its index in the batch, and its input item's index. */
export interface BatchRow {
	item: number;
	index: number;
}

export interface PlannedRequest extends ItemPlan {
	/** Items of the request with their own form values. `values` are those of the first item. */
	items: [RequestItem, ...RequestItem[]];
	/**
	 * Set if the request was sent earlier. `items`: indexes of its items in the order sent. Items
	 * that have not come back to the node are undefined here, and missing from the outer `items`.
	 */
	sentGroup?: { origins: string[]; sizes: number[]; items: ReadonlyArray<number | undefined> };
}

/**
 * Who created a job: this attempt (`created`), an earlier attempt at the run (`continued`), or an
 * earlier execution (`replayed`), whose response the service repeats for the same key.
 */
export type CreationSource = 'created' | 'continued' | 'replayed';

/** Request that has been sent, with its jobs, and output items built from its responses. */
export interface SentRequest extends PlannedRequest {
	replies: INodeExecutionData[];
	jobs: Job[];
	/** Source of the response. `continued`: it came from the ledger, and nothing was sent. */
	creation?: CreationSource;
}

export interface SendResult {
	sent: SentRequest[];
	failures: RequestFailure[];
}

export const getItemIndexes = ({
	items: [first, ...others],
}: Pick<PlannedRequest, 'items'>): [number, ...number[]] => [
	first.item,
	...others.map(({ item }) => item),
];

/** Whether a request was sent earlier with additional items that have not come back to the node. */
export const hasMissingItems = ({
	items,
	sentGroup,
}: Pick<PlannedRequest, 'items' | 'sentGroup'>) =>
	sentGroup !== undefined && sentGroup.origins.length > items.length;

/** Returns the items whose jobs the node must stop when the user stops the execution. */
export const selectItemsToStop = (plans: ReadonlyMap<number, ItemPlan>): Set<number> =>
	new Set(
		[...plans].flatMap(([item, { operation, values }]) =>
			operation.stoppable === true && values.stopJob === true ? [item] : [],
		),
	);

export const planItemRequest = (item: number, plan: ItemPlan): PlannedRequest => ({
	...plan,
	items: [{ item, values: plan.values }],
});

/** Returns the method, path and IDs of an item's request, such as `POST /v3/x/{id} 42`. */
export const getRequestLineWithIds = ({ operation, values }: ItemPlan) =>
	[operation.request, ...getPathParameterNames(operation).map((name) => String(values[name]))].join(
		' ',
	);

export const getRowCounts = ({ items, operation }: Pick<PlannedRequest, 'items' | 'operation'>) =>
	items.map(({ values }) => operation.combine?.getSize?.(values) ?? 1);

/**
 * Returns a batch's rows in the order sent, and their total number. If some items of a batch that
 * was sent earlier are missing now, their rows are omitted but counted.
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

/** Lists the rows of the batch that a request has created, or undefined if it created none. */
export const listCreatedRows = (
	request: PlannedRequest,
	jobs: readonly Job[],
): BatchRow[] | undefined =>
	request.operation.combine?.rows && jobs.length > 0 ? listBatchRows(request).rows : undefined;

/** Returns the scope within which a repeated request is executed and charged only once. */
export const getPayOnceScope = ({ payOncePer, idempotencyKey }: IDataObject) =>
	payOncePer ?? (idempotencyKey === undefined ? 'execution' : 'ownKey');

export const getOwnIdempotencyKey = (values: IDataObject): string | undefined =>
	getPayOnceScope(values) === 'ownKey' ? readText(values.idempotencyKey) : undefined;

/**
 * Restores combined requests that were sent earlier. If the input lacks some items of such a
 * request, only a batch is restored, because its rows can be handled separately.
 */
function regroupSentItems(
	plans: ReadonlyMap<number, ItemPlan>,
	{ origins = [], creates = {} }: Partial<NodeRun>,
): PlannedRequest[] {
	// If an item has several copies, the first one counts.
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

function getGroupKey({ resource, operation, values }: ItemPlan): string {
	const { sharedBy = [] } = operation.combine ?? {};
	const shared = [...sharedBy, 'additionalBodyFields'];
	const sharedValues = shared.map((name) => values[name] ?? null);
	return JSON.stringify([
		resource.value,
		operation.value,
		getPayOnceScope(values),
		getOwnIdempotencyKey(values),
		...sharedValues,
	]);
}

function hasSpace({ operation, items }: PlannedRequest, next: RequestItem): boolean {
	const sizes = getRowCounts({ operation, items: [...items, next] as PlannedRequest['items'] });
	return sizes.reduce((sum, size) => sum + size) <= (operation.combine?.maxSize ?? 1);
}

/**
 * Groups items into requests. Items that were sent together stay together: the service would treat
 * another combination as a new request and charge for the items again.
 */
export function groupItemsIntoRequests(
	plans: ReadonlyMap<number, ItemPlan>,
	run: Partial<NodeRun> = {},
): PlannedRequest[] {
	const requests = regroupSentItems(plans, run);
	const grouped = new Set(requests.flatMap(getItemIndexes));
	/** Requests that have space for more items, by the key of their group. */
	const open = new Map<string, PlannedRequest>();
	for (const [item, plan] of plans) {
		if (grouped.has(item)) continue;
		const request = planItemRequest(item, plan);
		const group = getGroupKey(plan);
		const current = open.get(group);
		if (current && hasSpace(current, request.items[0])) {
			current.items.push(request.items[0]);
			continue;
		}
		open.set(group, request);
		requests.push(request);
	}
	return requests;
}

/**
 * Returns an error for each item whose own idempotency key was already used for an earlier item:
 * the service would return the same result for both. Combined requests and rows of a batch are
 * excluded, because their keys also depend on their content.
 */
export function findIdempotencyKeyConflicts(
	plans: ReadonlyMap<number, ItemPlan>,
): Map<number, string> {
	const firstItems = new Map<string, number>();
	const problems = new Map<number, string>();
	for (const [item, plan] of plans) {
		const { combine, isSingleRow } = plan.operation;
		const ownKey = getOwnIdempotencyKey(plan.values);
		if (combine || isSingleRow || ownKey === undefined) continue;
		const key = `${getRequestLineWithIds(plan)} ${ownKey}`;
		const first = firstItems.get(key);
		if (first === undefined) firstItems.set(key, item);
		else {
			problems.set(
				item,
				`"Custom Key" is also "${ownKey}" for row ${first + 1}: the service would return the same result for both rows. Use an expression with a different value for every item`,
			);
		}
	}
	return problems;
}
