/** Sends the rows of a batch in one request. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { toNodeError } from '../errors/nodeErrors';
import { omitKeys } from '../json';
import type { BatchRowIdentity, RequestItem } from '../operation';
import { createHashedKey, openRecord } from '../plan/deriveIdempotencyKeys';
import type { PlannedRequest } from '../plan/groupRequests';
import { sendUntilAccepted } from './rejectedRows';
import { rejectKeyOfOtherRows, type KeyCheckContext } from './rejectKeyOfOtherRows';
import type { SendResult, SentRequest } from './sendResult';

/** Row of a batch request: the input item, and the item's entry in the request body. */
interface Row extends BatchRowIdentity, RequestItem {
	entry: unknown;
}

/**
 * Body of a batch request in two forms: one identifies uploaded files by their asset IDs, the other
 * by their content.
 */
interface BatchBody {
	body: IDataObject;
	/**
	 * Body that identifies each uploaded file by its content, because each upload returns a new
	 * asset ID.
	 */
	content: IDataObject;
	/** Name of the list of entries in the request body, such as `videos`. */
	list: string;
}

function describeRows({ items }: PlannedRequest, { body, content, list }: BatchBody): Row[] {
	const shared = omitKeys(content, list, 'title');
	const entries = body[list] as unknown[];
	const contents = content[list] as unknown[];
	return items.map(({ item, values }, i) => ({
		item,
		values,
		entry: entries[i],
		digest: createHashedKey([shared, contents[i]]),
	}));
}

/** Returns a copy of a request that contains only the given rows. */
const selectRows = (request: PlannedRequest, rows: readonly Row[]): PlannedRequest => ({
	...request,
	items: rows.map(({ item, values }) => ({ item, values })) as PlannedRequest['items'],
	sentGroup: undefined,
});

/** Sends some rows of a batch in one request. */
type PostRows = (
	part: PlannedRequest,
	body: IDataObject,
	rows: readonly BatchRowIdentity[],
) => Promise<SentRequest>;

/**
 * Sends a batch. If the service rejects some of its rows and Continue On Fail is on, sends the other
 * rows again.
 */
export async function sendBatch(
	context: KeyCheckContext & { n8n: IExecuteFunctions },
	request: PlannedRequest,
	batchBody: BatchBody,
	post: PostRows,
): Promise<SendResult> {
	const { n8n, client, nodeRun } = context;
	const { body, list } = batchBody;
	const rows = describeRows(request, batchBody);
	rejectKeyOfOtherRows(context, request, rows);
	const postRows = async (some: readonly Row[]) =>
		await post(
			selectRows(request, some),
			{ ...body, [list]: some.map(({ entry }) => entry) },
			some,
		);
	// A batch that may have been carried out is sent as it was: its parts would have other keys.
	const mayExist = openRecord(nodeRun, request).sent.length > 0;
	if (mayExist) return { sent: [await postRows(rows)], failures: [] };
	const { accepted, failures } = await sendUntilAccepted(
		{ list, continues: n8n.continueOnFail(), splits: true },
		rows,
		postRows,
		(thrown) => toNodeError(client.node, thrown),
	);
	return { sent: accepted.map(({ reply }) => reply), failures };
}
