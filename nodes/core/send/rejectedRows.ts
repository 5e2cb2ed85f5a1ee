/** Finds the rows that caused the service to reject a batch, and sends the other rows again. */
import type { INode } from 'n8n-workflow';
import { getErrorDetails } from '../errors/errorDetails';
import { toNodeError, type NodeError } from '../errors/nodeErrors';

/**
 * Maximum number of times that the service may reject a batch because of a row. After that, the
 * remaining rows are sent one by one.
 */
const maxRejections = 10;

interface RequestEntry {
	/** Index of the input item that the entry was created from. */
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
function mayConcernRow(error: NodeError): boolean {
	const { status, uncertain } = getErrorDetails(error);
	if (uncertain === true || typeof status !== 'number') return false;
	return status >= 400 && status < 500 && ![401, 402, 429].includes(status);
}

/**
 * Returns the entries of the item that a service error points to, such as the one at
 * `videos[2].avatar_id`, where `videos[2]` is the third entry in the request (docs/service.md, G33).
 */
function findRejectedEntries<E extends RequestEntry>(
	error: NodeError,
	list: string,
	entries: readonly E[],
) {
	const { param = '' } = getErrorDetails(error);
	const match = new RegExp(`(?:^|[./])${list}[[./](\\d+)(?:\\]|$|(?=[./]))`).exec(param);
	const rejected = mayConcernRow(error) ? entries[Number(match?.[1])] : undefined;
	return rejected ? entries.filter(({ item }) => item === rejected.item) : [];
}

const getItems = (entries: readonly RequestEntry[]) => [
	...new Set(entries.map(({ item }) => item)),
];

function createFailure(entries: readonly RequestEntry[], error: NodeError, hints?: string[]) {
	const [item = 0, ...otherItems] = getItems(entries);
	return { item, otherItems, error, hints };
}

/**
 * Sends a batch. If the service rejects the batch because of some rows, sends it again without
 * them. If the service does not say which rows it rejects, or rejects the batch too often, sends the
 * rows one by one. A rejected batch creates nothing (docs/service.md, G32).
 *
 * @param options.list name of the list of entries in the request body
 * @param options.continues whether to send the remaining rows after a rejection. If false, the batch
 * is sent only once
 * @param options.splits whether rows may be sent one by one
 * @param send sends the given entries. Throws if the service rejects them
 * @returns the accepted requests, and the items that failed
 */
export async function sendUntilAccepted<E extends RequestEntry, R>(
	node: INode,
	{ list, continues, splits }: { list: string; continues: boolean; splits: boolean },
	all: readonly E[],
	send: (entries: readonly E[]) => Promise<R>,
) {
	const accepted: Array<{ entries: readonly E[]; reply: R }> = [];
	const failures: RequestFailure[] = [];
	const trySend = async (entries: readonly E[]) => {
		try {
			accepted.push({ entries, reply: await send(entries) });
			return undefined;
		} catch (thrown) {
			return toNodeError(node, thrown);
		}
	};
	let entries = all;
	for (let rejections = 1; entries.length > 0; rejections++) {
		const error = await trySend(entries);
		if (!error) break;
		const count = getItems(entries).length;
		const leftOut = findRejectedEntries(error, list, entries);
		const isNamed = leftOut.length > 0;
		if (isNamed && !continues) {
			const hint = `Nothing was created: all ${count} items were sent in one request, and the service rejected it because of this item.`;
			failures.push(createFailure(leftOut, error, count === 1 ? [] : [hint]));
			break;
		}
		const isUnnamedRow = count > 1 && mayConcernRow(error);
		if (!isNamed && !(continues && splits && isUnnamedRow)) {
			const hint = `All ${count} items were sent in one request, and the service did not say which of them caused the error.`;
			failures.push(createFailure(entries, error, isUnnamedRow ? [hint] : []));
			break;
		}
		if (isNamed) failures.push(createFailure(leftOut, error));
		entries = entries.filter((one) => !leftOut.includes(one));
		if (!isNamed || (splits && rejections >= maxRejections)) {
			const rest = entries;
			const sendAlone = async (item: number) => {
				const rows = rest.filter((one) => one.item === item);
				const rejection = await trySend(rows);
				if (rejection) failures.push(createFailure(rows, rejection));
			};
			await Promise.all(getItems(rest).map(sendAlone));
			break;
		}
	}
	return { accepted, failures };
}
