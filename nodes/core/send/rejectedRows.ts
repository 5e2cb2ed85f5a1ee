/** Finds the rows that caused the service to reject a batch, and sends the other rows again. */
import { getErrorDetails } from '../errors/errorDetails';
import type { NodeError } from '../errors/nodeErrors';
import { readAtPath } from '../json';

/**
 * Maximum number of times that the service may reject a batch because of a row. After that, the
 * remaining rows are sent one by one.
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

/** Batch entries that the service accepted in one request, and its response to them. */
export interface AcceptedEntries<E, R> {
	entries: readonly E[];
	reply: R;
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
 * them. If the service does not say which rows it rejects, or rejects the batch too often, sends the
 * rows one by one. A rejected batch creates nothing (docs/service.md, G32).
 *
 * @param list name of the list of entries in the request body
 * @param continues whether to send the remaining rows after a rejection. If false, the batch is
 * sent only once
 * @param splits whether rows may be sent one by one
 * @param send sends the given entries. Throws if the service rejects them
 * @returns the accepted requests, and the items that failed
 */
export async function sendUntilAccepted<E extends RequestEntry, R>(
	{ list, continues, splits }: { list: string; continues: boolean; splits: boolean },
	all: readonly E[],
	send: (entries: readonly E[]) => Promise<R>,
	toError: (thrown: unknown) => NodeError,
): Promise<{ accepted: Array<AcceptedEntries<E, R>>; failures: RequestFailure[] }> {
	const accepted: Array<AcceptedEntries<E, R>> = [];
	const failures: RequestFailure[] = [];
	const rejections: RejectedValue[] = [];
	const sendAlone = async (entries: readonly E[]) => {
		try {
			accepted.push({ entries, reply: await send(entries) });
		} catch (thrown) {
			failures.push(createFailure(entries, toError(thrown)));
		}
	};
	let entries = all;
	while (entries.length > 0) {
		try {
			accepted.push({ entries, reply: await send(entries) });
			break;
		} catch (thrown) {
			const error = toError(thrown);
			const count = getItems(entries).length;
			const rejected = findRejectedValue(error, list, entries);
			const maySplit = continues && splits && count > 1 && mayConcernRow(error);
			if (!rejected && !maySplit) {
				failures.push(createSharedFailure(entries, error));
				break;
			}
			const leftOut = rejected ? findRejectedEntries(rejected, rejections, entries) : [];
			if (!continues) {
				const isAlone = count === getItems(leftOut).length;
				const hint = `Nothing was created: all ${count} items were sent in one request, and the service rejected it because of this item.`;
				failures.push(createFailure(leftOut, error, isAlone ? [] : [hint]));
				break;
			}
			if (rejected) {
				rejections.push(rejected);
				failures.push(createFailure(leftOut, error));
				entries = entries.filter((one) => !leftOut.includes(one));
			}
			if (!rejected || (splits && rejections.length >= maxRejections)) {
				await Promise.all(groupByItem(entries).map(sendAlone));
				break;
			}
		}
	}
	return { accepted, failures };
}

/** Returns the entries of each input item. */
const groupByItem = <E extends RequestEntry>(entries: readonly E[]): E[][] =>
	getItems(entries).map((item) => entries.filter((one) => one.item === item));
