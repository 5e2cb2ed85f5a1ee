/** Sends the rows of a batch in one request, and checks to which rows a key from the log belongs. */
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { createOperationError } from '../errors/nodeErrors';
import { omitKeys } from '../json';
import type { NodeRun } from '../ledger/ledger';
import type { BatchRowIdentity, RequestItem } from '../operation';
import {
	createHashedKey,
	isGeneratedKeyForOtherRows,
	openRecord,
} from '../plan/deriveIdempotencyKeys';
import { getOwnKey, type PlannedRequest } from '../plan/groupRequests';
import { sendUntilAccepted } from './rejectedRows';
import type { SendResult, SentRequest } from './sendResult';

/**
 * Throws if the user entered a key from the log that was created for other rows than those of the
 * request. Accepts what an earlier attempt of the run has sent, because expressions may have a
 * different result now.
 */
export function rejectKeyOfOtherRows(
	node: INode,
	nodeRun: NodeRun,
	request: PlannedRequest,
	rows: readonly BatchRowIdentity[],
): void {
	const ownKey = getOwnKey(request.values) ?? '';
	if (!isGeneratedKeyForOtherRows(ownKey, rows)) return;
	const { key, origins } = openRecord(nodeRun, request);
	// The failed rows of a batch are sent again without the others.
	if (key !== undefined || origins.some((origin) => nodeRun.failures[origin])) return;
	throw createOperationError(
		node,
		`"Own Key" is "${ownKey}", which belongs to rows with different content or a different order`,
		'With this key, the service would return the results of those rows. Run the node for exactly the items of that request, or use another key. Nothing was sent to the service.',
		{ code: 'invalid_value' },
	);
}

interface Row extends BatchRowIdentity, RequestItem {
	/** The item's entry in the request body. */
	entry: unknown;
}

/**
 * Sends a batch. If the service rejects some of its rows and Continue On Fail is on, sends the other
 * rows again.
 *
 * @param content body that identifies each uploaded file by its content, because each upload returns
 * a new asset ID
 * @param post sends some rows in one request
 */
export async function sendBatch(
	n8n: IExecuteFunctions,
	nodeRun: NodeRun,
	request: PlannedRequest,
	{ body, content }: { body: IDataObject; content: IDataObject },
	post: (
		part: PlannedRequest,
		body: IDataObject,
		rows: readonly BatchRowIdentity[],
	) => Promise<SentRequest>,
): Promise<SendResult> {
	const { list = '' } = request.operation.combine ?? {};
	const shared = omitKeys(content, list, 'title');
	const [entries, contents] = [body[list] as unknown[], content[list] as unknown[]];
	const rows = request.items.map(({ item, values }, i): Row => {
		const digest = createHashedKey([shared, contents[i]]);
		return { item, values, entry: entries[i], digest };
	});
	rejectKeyOfOtherRows(n8n.getNode(), nodeRun, request, rows);
	const postRows = async (some: readonly Row[]) => {
		const items = some.map(({ item, values }) => ({ item, values })) as PlannedRequest['items'];
		const part = { ...request, items, sentGroup: undefined };
		return await post(part, { ...body, [list]: some.map(({ entry }) => entry) }, some);
	};
	// A batch that may have been carried out is sent as it was: its parts would have other keys.
	const mayExist = openRecord(nodeRun, request).sent.length > 0;
	if (mayExist) return { sent: [await postRows(rows)], failures: [] };
	const { accepted, failures } = await sendUntilAccepted(
		n8n.getNode(),
		{ list, continues: n8n.continueOnFail(), splits: true },
		rows,
		postRows,
	);
	return { sent: accepted.map(({ reply }) => reply), failures };
}
