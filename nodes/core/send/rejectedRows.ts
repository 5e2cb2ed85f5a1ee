/** Finds the rows that caused the service to reject a batch, and sends the other rows again. */
import type { INode } from 'n8n-workflow';
import { getErrorDetails } from '../errors/errorDetails';
import { createOperationError, type NodeError } from '../errors/nodeErrors';
import { readAtPath } from '../json';

/**
 * Maximum number of times that the service may reject a batch because of a row. After that, the
 * remaining rows are not sent.
 */
const maxRejections = 10;

/** Entry in a batch request, and the index of the input item that it was created from. */
interface RequestEntry {
	item: number;
	entry: unknown;
}

/** Error that affects some or all of a request's input items. */
export interface RequestFailure {
	item: number;
	/** Indexes of the other input items that failed for the same reason. */
	otherItems?: readonly number[];
	error: NodeError;
	/** Sentences about the request, shown above the error's own description. */
	hints?: readonly string[];
}

/** Value that caused the service to reject a batch, and the path to it within the batch entry. */
interface RejectedValue {
	index: number;
	path: string;
	value: unknown;
	code?: string;
}

/** Whether an error may concern a single batch row rather than the account or its request rate. */
function mayConcernRow(error: unknown): boolean {
	const { status, uncertain } = getErrorDetails(error);
	if (uncertain === true || typeof status !== 'number') return false;
	return status >= 400 && status < 500 && ![401, 402, 429].includes(status);
}

const readValue = (entry: unknown, path: string) =>
	readAtPath(entry, path.split(/[^\w-]+/).filter(Boolean));

/**
 * Returns the value that a service error points to, such as the one at `videos[2].avatar_id`, where
 * `videos[2]` is the third entry in the request (docs/service.md, G33). Undefined if the error does
 * not point to an entry.
 */
function findRejectedValue(
	error: unknown,
	list: string,
	entries: readonly RequestEntry[],
): RejectedValue | undefined {
	if (!mayConcernRow(error)) return undefined;
	const { param = '', code } = getErrorDetails(error);
	const match = new RegExp(`(?:^|[./])${list}[[./](\\d+)(?:\\]|$|(?=[./]))(.*)$`, 's').exec(param);
	const index = Number(match?.[1]);
	const path = match?.[2] ?? '';
	const rejected = entries[index];
	return rejected && { index, path, value: readValue(rejected.entry, path), code };
}

/**
 * Whether two rejections have the same cause: an ID or URL that the service rejects in every row.
 * Only IDs and URLs are compared, because other values may be valid in some rows.
 */
const isSameReference = (a: RejectedValue, b: RejectedValue) =>
	/(^|[^a-z])(id|url)$/.test(a.path) &&
	a.path === b.path &&
	a.code === b.code &&
	typeof a.value === 'string' &&
	a.value === b.value;

/**
 * Returns the entries to leave out of a rejected batch: all entries of the item that the error
 * refers to. If the service has rejected the same ID or URL before, also returns all other entries
 * that contain it.
 */
function findRejectedEntries<E extends RequestEntry>(
	rejected: RejectedValue,
	earlier: readonly RejectedValue[],
	entries: readonly E[],
): E[] {
	const isRepeated = earlier.some((one) => isSameReference(one, rejected));
	const rejectedItem = entries[rejected.index]?.item;
	return entries.filter(
		({ item, entry }) =>
			item === rejectedItem || (isRepeated && readValue(entry, rejected.path) === rejected.value),
	);
}

/** Batch entries that the service accepted, its response to them, and the items that failed. */
interface AcceptedEntries<E, R> {
	entries: readonly E[];
	/** The service's response, or undefined if the service accepted none of the batch's entries. */
	reply?: R;
	failures: RequestFailure[];
}

/** Returns the indexes of the input items that a batch's entries belong to, without duplicates. */
const getItems = (entries: readonly RequestEntry[]) => [
	...new Set(entries.map(({ item }) => item)),
];

/** Creates one failure for all input items that the given batch entries belong to. */
function createFailure(
	entries: readonly RequestEntry[],
	error: NodeError,
	hints?: readonly string[],
): RequestFailure {
	const [item = 0, ...otherItems] = getItems(entries);
	return { item, otherItems, error, hints };
}

/** Creates one failure for all items of a request that the service rejected as a whole. */
function createSharedFailure(entries: readonly RequestEntry[], error: NodeError): RequestFailure {
	const count = getItems(entries).length;
	const isUnnamed = count > 1 && mayConcernRow(error);
	const hint = `All ${count} items were sent in one request, and the service did not say which of them caused the error.`;
	return createFailure(entries, error, isUnnamed ? [hint] : []);
}

/**
 * Sends a batch. If the service rejects the batch because of some rows, sends it again without
 * them. Repeats this until the service accepts the batch or has rejected it too often. A rejected
 * batch creates nothing (docs/service.md, G32).
 *
 * @param list name of the list of entries in the request body
 * @param continues whether to send the remaining rows after a rejection. If false, the batch is
 * sent only once
 * @param send sends the given entries. Throws if the service rejects them
 */
export async function sendUntilAccepted<E extends RequestEntry, R>(
	node: INode,
	{ list, continues }: { list: string; continues: boolean },
	all: readonly E[],
	send: (entries: readonly E[]) => Promise<R>,
	toError: (thrown: unknown) => NodeError,
): Promise<AcceptedEntries<E, R>> {
	const failures: RequestFailure[] = [];
	const rejections: RejectedValue[] = [];
	let entries = all;
	while (entries.length > 0) {
		try {
			return { entries, reply: await send(entries), failures };
		} catch (thrown) {
			const error = toError(thrown);
			const rejected = findRejectedValue(error, list, entries);
			if (!rejected) {
				failures.push(createSharedFailure(entries, error));
				break;
			}
			const leftOut = findRejectedEntries(rejected, rejections, entries);
			rejections.push(rejected);
			const count = getItems(entries).length;
			const isAlone = count === getItems(leftOut).length;
			if (!continues) {
				const hint = `Nothing was created: all ${count} items were sent in one request, and the service rejected it because of this item.`;
				failures.push(createFailure(leftOut, error, isAlone ? [] : [hint]));
				break;
			}
			failures.push(createFailure(leftOut, error));
			entries = entries.filter((one) => !leftOut.includes(one));
			if (rejections.length >= maxRejections && entries.length > 0) {
				failures.push(createFailure(entries, createNotCreatedError(node)));
				break;
			}
		}
	}
	return { entries: [], failures };
}

const createNotCreatedError = (node: INode) =>
	createOperationError(
		node,
		`Not created and not charged: the service rejected ${maxRejections} other rows of the same batch`,
		'Correct the rows that the service rejected, and run the rows in the error output again.',
		{ code: 'not_created' },
	);
