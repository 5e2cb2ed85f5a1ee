/** Finds the rows that caused the service to reject a batch, and sends the other rows again. */
import { getErrorDetails } from '../errors/errorDetails';
import type { NodeError } from '../errors/nodeErrors';

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

/** Whether an error may concern a single batch row rather than the account or its request rate. */
function mayConcernRow(error: unknown): boolean {
	const { status, uncertain } = getErrorDetails(error);
	if (uncertain === true || typeof status !== 'number') return false;
	return status >= 400 && status < 500 && ![401, 402, 429].includes(status);
}

/**
 * Returns the entries of the item that a service error points to, such as the one at
 * `videos[2].avatar_id`, where `videos[2]` is the third entry in the request (docs/service.md, G33).
 * Returns an empty list if the error does not point to an entry.
 */
function findRejectedEntries<E extends RequestEntry>(
	error: unknown,
	list: string,
	entries: readonly E[],
): E[] {
	const { param = '' } = getErrorDetails(error);
	const match = new RegExp(`(?:^|[./])${list}[[./](\\d+)(?:\\]|$|(?=[./]))`).exec(param);
	const rejected = mayConcernRow(error) ? entries[Number(match?.[1])] : undefined;
	return rejected ? entries.filter(({ item }) => item === rejected.item) : [];
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
	const sendAlone = async (entries: readonly E[]) => {
		try {
			accepted.push({ entries, reply: await send(entries) });
		} catch (thrown) {
			failures.push(createFailure(entries, toError(thrown)));
		}
	};
	let entries = all;
	for (let rejections = 1; entries.length > 0; rejections++) {
		try {
			accepted.push({ entries, reply: await send(entries) });
			break;
		} catch (thrown) {
			const error = toError(thrown);
			const count = getItems(entries).length;
			const leftOut = findRejectedEntries(error, list, entries);
			const isNamed = leftOut.length > 0;
			if (isNamed && !continues) {
				const hint = `Nothing was created: all ${count} items were sent in one request, and the service rejected it because of this item.`;
				failures.push(createFailure(leftOut, error, count === 1 ? [] : [hint]));
				break;
			}
			if (!isNamed && !(continues && splits && count > 1 && mayConcernRow(error))) {
				failures.push(createSharedFailure(entries, error));
				break;
			}
			if (isNamed) failures.push(createFailure(leftOut, error));
			entries = entries.filter((one) => !leftOut.includes(one));
			if (!isNamed || (splits && rejections >= maxRejections)) {
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
