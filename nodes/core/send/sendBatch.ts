/** Sends the rows of a batch in one request, and repeats it without rows that are rejected. */
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { createHashedKey } from '../digest';
import { getErrorDetails } from '../errors/errorDetails';
import { createOperationError, toNodeError, type NodeError } from '../errors/nodeErrors';
import { omitKeys } from '../json';
import type { NodeRun, RequestFailure } from '../ledger/ledger';
import type { RequestItem } from '../operation';
import { isGeneratedKeyForOtherRows, findOrCreateRecord } from '../plan/deriveIdempotencyKeys';
import {
	getOwnIdempotencyKey,
	type PlannedRequest,
	type SendResult,
	type SentRequest,
} from '../plan/groupRequests';

/** Maximum rejections of a batch before its rows are sent one by one. */
const maxRejections = 10;

interface RequestEntry {
	item: number;
	entry: unknown;
}

/** Whether an error may concern a single row, not the account or its request rate. */
function mayConcernRow(error: NodeError): boolean {
	const { status, uncertain } = getErrorDetails(error);
	if (uncertain === true || typeof status !== 'number') return false;
	return status >= 400 && status < 500 && ![401, 402, 429].includes(status);
}

/**
 * Finds all entries of the item that an error names: `videos[2].avatar_id` names the third entry in
 * the request (service.md, G33).
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
 * Sends a batch. If the service rejects it because of some rows, sends it again without them. If
 * the service does not name the rows, or rejects the batch too often, sends the rows one by one. A
 * rejected batch creates nothing (service.md, G32).
 *
 * @param options.list name of the list of entries in the request body
 * @param options.continues whether to send the remaining rows after a rejection
 * @param options.splits whether rows may be sent one by one
 * @param send throws if the service rejects the entries
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
		const isOneOfSeveral = count > 1 && mayConcernRow(error);
		if (!continues || !(isNamed || (splits && isOneOfSeveral))) {
			const hint = isNamed
				? `Nothing was created: all ${count} items were sent in one request, and the service rejected it because of this item.`
				: `All ${count} items were sent in one request, and the service did not say which of them caused the error.`;
			const failed = isNamed ? leftOut : entries;
			failures.push(createFailure(failed, error, isOneOfSeveral ? [hint] : []));
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

/**
 * Throws if the user's own key is one from n8n's log that belongs to other rows. Never throws if an
 * earlier attempt has sent the request, because expressions may have different results now.
 */
export function rejectKeyOfOtherRows(
	node: INode,
	nodeRun: NodeRun,
	request: PlannedRequest,
	rows: readonly string[],
): void {
	const ownKey = getOwnIdempotencyKey(request.values) ?? '';
	if (!isGeneratedKeyForOtherRows(ownKey, rows)) return;
	const { key, origins } = findOrCreateRecord(nodeRun, request);
	// The failed rows of a batch are sent again without the others.
	if (key !== undefined || origins.some((origin) => nodeRun.failures[origin])) return;
	throw createOperationError(
		node,
		`"Custom Key" is "${ownKey}", which belongs to rows with different content or a different order`,
		'With this key, the service would return the results of the earlier rows. Run the node with exactly the same items as the earlier request, or use another key. Nothing was sent to the service.',
		{ code: 'invalid_value' },
	);
}

interface Row extends RequestItem {
	entry: unknown;
	hash: string;
}

/**
 * Sends a batch. If rows are rejected and Continue On Fail is on, sends the others again.
 *
 * @param content body with a content hash for each uploaded file: each upload gets a new ID
 */
export async function sendBatch(
	n8n: IExecuteFunctions,
	nodeRun: NodeRun,
	request: PlannedRequest,
	{ body, content }: { body: IDataObject; content: IDataObject },
	post: (part: PlannedRequest, body: IDataObject, rows: readonly string[]) => Promise<SentRequest>,
): Promise<SendResult> {
	const { list = '' } = request.operation.combine ?? {};
	const shared = omitKeys(content, list, 'title');
	const [entries, contents] = [body[list] as unknown[], content[list] as unknown[]];
	const rows = request.items.map(({ item, values }, i): Row => {
		const hash = createHashedKey([shared, contents[i]]);
		return { item, values, entry: entries[i], hash };
	});
	const allHashes = rows.map(({ hash }) => hash);
	rejectKeyOfOtherRows(n8n.getNode(), nodeRun, request, allHashes);
	const postRows = async (some: readonly Row[]) => {
		const items = some.map(({ item, values }) => ({ item, values })) as PlannedRequest['items'];
		const part = { ...request, items, sentGroup: undefined };
		const hashes = some.map(({ hash }) => hash);
		return await post(part, { ...body, [list]: some.map(({ entry }) => entry) }, hashes);
	};
	// A batch that may have been carried out is sent unchanged: parts of it would have other keys.
	const mayExist = findOrCreateRecord(nodeRun, request).sent.length > 0;
	if (mayExist) return { sent: [await postRows(rows)], failures: [] };
	const { accepted, failures } = await sendUntilAccepted(
		n8n.getNode(),
		{ list, continues: n8n.continueOnFail(), splits: true },
		rows,
		postRows,
	);
	return { sent: accepted.map(({ reply }) => reply), failures };
}
