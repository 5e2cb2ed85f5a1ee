/**
 * Sends several input items as the rows of one batch request. Each item gets the result of its own
 * row, even if an earlier run sent that row in another batch.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { createOperationError, toNodeError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import { omitKeys, readText } from '../json';
import type { BatchRowIdentity, RequestItem } from '../operation';
import {
	getItemIndexes,
	getRequestTarget,
	getPayOnceScope,
	listBatchRows,
	type AlreadyPaidBatch,
	type PlannedRequest,
} from '../plan/groupRequests';
import {
	createHashedKey,
	getRunKey,
	isGeneratedBatchKey,
	isGeneratedBatchKeyForRows,
	type RunIdentity,
} from '../plan/deriveIdempotencyKeys';
import type { NodeRetryState } from '../plan/retryState';
import { findBatchesPaidByOtherRuns, markRowAsPaid, sendAfterOverlappingBatches } from './paidRows';
import { sendUntilAccepted } from './rejectedRows';
import type { SendResult, SentRequest } from './sendResult';

/** The parts of a node run's context that are needed to send a batch. */
interface BatchContext {
	n8n: IExecuteFunctions;
	client: Client;
	identity: RunIdentity;
	state: NodeRetryState;
}

/**
 * Row of a batch request: the input item, the item's entry in the request body, and values that
 * identify the row if it is sent again.
 */
interface Row extends BatchRowIdentity, RequestItem {
	entry: unknown;
	/**
	 * Key under which the payment for the row is recorded. Undefined if each execution pays for the
	 * row again.
	 */
	key?: string;
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

/**
 * Returns the rows of a batch request, each with the key under which its payment is recorded. The
 * key includes the row's occurrence number, so that identical rows have different keys.
 */
function describeRows(
	{ client, identity }: BatchContext,
	request: PlannedRequest,
	{ body, content, list }: BatchBody,
): Row[] {
	const { [list]: entries } = content;
	const shared = omitKeys(content, list, 'title');
	const payOncePer = getPayOnceScope(request.values);
	const counts = new Map<string, number>();
	return request.items.map(({ item, values }, i): Row => {
		const ownKey = readText(values.idempotencyKey);
		const digest = createHashedKey([shared, (entries as unknown[])[i]]);
		const scope = payOncePer === 'ownKey' ? ownKey : identity.node;
		const place = [client.account, scope, getRequestTarget(request), digest];
		const name = createHashedKey(place);
		const count = counts.get(name) ?? 0;
		counts.set(name, count + 1);
		const key = payOncePer === 'execution' ? undefined : createHashedKey([...place, count]);
		const entry = (body[list] as unknown[])[i];
		return { item, values, entry, digest, ownKey, ...(key === undefined ? {} : { key }) };
	});
}

/** Returns a copy of a request that contains only the given rows, in the given order. */
const selectRows = (request: PlannedRequest, rows: readonly Row[]): PlannedRequest => ({
	...request,
	items: rows.map(({ item, values }) => ({ item, values })) as PlannedRequest['items'],
});

/** Returns a copy of a request that contains only the rows already paid for in an earlier batch. */
function selectPaidRows(request: PlannedRequest, paidBatch: AlreadyPaidBatch): PlannedRequest {
	const items = new Set(paidBatch.rows.map(({ item }) => item));
	const paid = request.items.filter(({ item }) => items.has(item)) as PlannedRequest['items'];
	return { ...request, items: paid, paidBatch };
}

/**
 * Builds the `SentRequest` for rows that were already paid for in an earlier batch. To avoid a second
 * charge, nothing is sent: the result names the earlier batch and its job.
 */
export function createSentRequestFromPaidBatch(
	request: PlannedRequest,
	paidBatch: AlreadyPaidBatch,
): SentRequest {
	const { starts } = request.operation;
	const jobs = typeof starts === 'object' ? [{ kind: starts, id: paidBatch.id }] : [];
	return { ...request, replies: [{ json: { batch_id: paidBatch.id } }], jobs };
}

/**
 * Sorts a batch's rows by their content, so that a sheet always produces the same batch, whatever
 * the order of its rows.
 */
function sortRows(rows: readonly Row[]): Row[] {
	// Compares bytes, because the order of letters depends on the machine's language.
	const getRank = ({ digest, ownKey = '' }: Row) => Buffer.from(digest + ownKey);
	return [...rows].sort((a, b) => getRank(a).compare(getRank(b)));
}

/**
 * Returns the rows to send, in order, and the earlier batches in which the other rows were already
 * paid for. Throws if the user entered the key of an earlier batch that had different rows, or the
 * same rows in a different order.
 *
 * Because a batch's idempotency key depends on the order of its rows, the rows are sorted by
 * content if later executions need the same key.
 */
async function arrangeRows(
	{ client, identity }: BatchContext,
	request: PlannedRequest,
	rows: readonly Row[],
): Promise<{ paid: AlreadyPaidBatch[]; fresh: readonly Row[] }> {
	const { operation, values, retry } = request;
	if (getPayOnceScope(values) === 'execution') return { paid: [], fresh: rows };
	const sorted = sortRows(rows);
	const ownKey = rows[0]?.ownKey;
	if (ownKey !== undefined && isGeneratedBatchKey(ownKey)) {
		const fresh = [rows, sorted].find((order) => isGeneratedBatchKeyForRows(ownKey, order));
		if (fresh) return { paid: [], fresh };
		throw createOperationError(
			client.node,
			`"Own Key" is "${ownKey}", which belongs to a batch with different rows or a different order`,
			'With this key, the service would return the videos of those rows. Run the node for exactly the items of that batch, or use another key. Nothing was sent to the service.',
			{ code: 'invalid_value' },
		);
	}
	if (retry !== undefined || typeof operation.starts !== 'object')
		return { paid: [], fresh: sorted };
	const keyed = rows.flatMap(({ item, key }) => (key === undefined ? [] : [{ item, key }]));
	const paid = await findBatchesPaidByOtherRuns(
		client,
		operation.starts,
		getRunKey(identity),
		keyed,
	);
	const items = new Set(paid.flatMap((batch) => batch.rows.map(({ item }) => item)));
	return { paid, fresh: sorted.filter(({ item }) => !items.has(item)) };
}

/**
 * Stores how a request was divided into batches. If n8n retries the node, the node must send the
 * same batches; otherwise, the rows would be charged again.
 */
function keepDivision(
	state: NodeRetryState,
	request: PlannedRequest,
	parts: readonly PlannedRequest[],
): void {
	if (request.retry !== undefined) return;
	const divided = getItemIndexes(request);
	const others = state.requests.filter((other) =>
		getItemIndexes(other).every((item) => !divided.includes(item)),
	);
	state.requests = [...others, ...parts];
}

/** Sends some rows of a batch in one request. Returns the request with its idempotency key. */
type PostRows = (
	part: PlannedRequest,
	body: IDataObject,
	rows: readonly BatchRowIdentity[],
) => Promise<SentRequest & { key: string }>;

/**
 * Sends the batch rows that have not been paid for yet. If the service rejects some of them and
 * Continue On Fail is on, sends the batch again without those rows.
 *
 * @param isSent whether an earlier attempt to run the node has sent exactly these rows. If so, they
 * are sent again unchanged, without checking which ones have been paid for
 * @param post sends some of the rows in one request
 */
export async function sendBatch(
	context: BatchContext,
	request: PlannedRequest,
	batchBody: BatchBody,
	isSent: boolean,
	post: PostRows,
): Promise<SendResult> {
	const rows = describeRows(context, request, batchBody);
	const keys = rows.flatMap(({ key }) => key ?? []);
	return await sendAfterOverlappingBatches(
		getRunKey(context.identity),
		keys,
		context.client.signal,
		async () => await sendUnpaidRows(context, request, { ...batchBody, rows, isSent }, post),
	);
}

/** Finds out which rows have been paid for, and sends the others. */
async function sendUnpaidRows(
	context: BatchContext,
	request: PlannedRequest,
	{ body, list, rows, isSent }: BatchBody & { rows: readonly Row[]; isSent: boolean },
	post: PostRows,
): Promise<SendResult> {
	const { n8n, client, state } = context;
	const { paid, fresh } = isSent
		? { paid: [], fresh: rows }
		: await arrangeRows(context, request, rows);
	const paidParts = paid.map((batch) => selectPaidRows(request, batch));
	const continues = n8n.continueOnFail();
	const { entries, reply, failures } = await sendUntilAccepted(
		client.node,
		{ list, continues },
		fresh,
		async (some) => {
			const part = selectRows(request, some);
			keepDivision(state, request, [...paidParts, part]);
			return await post(part, { ...body, [list]: some.map(({ entry }) => entry) }, some);
		},
		(thrown) => toNodeError(client.node, thrown),
	);
	const sent = paid.map((batch, i) =>
		createSentRequestFromPaidBatch(paidParts[i] ?? request, batch),
	);
	if (!reply) return { sent, failures };
	rememberRows(context, reply, entries);
	return { sent: [...sent, reply], failures };
}

/**
 * Records that the rows of an accepted batch have been paid for. Does nothing if the batch's
 * idempotency key was created for different rows. This happens if values have changed since the
 * first attempt: the retry reuses the first attempt's key, so the service may have returned the
 * first attempt's batch.
 */
function rememberRows(
	{ identity }: BatchContext,
	reply: SentRequest & { key: string },
	rows: readonly Row[],
): void {
	const [batch] = reply.jobs;
	if (!batch || !isGeneratedBatchKeyForRows(reply.key, rows)) return;
	const { rows: batchRows, size } = listBatchRows(reply);
	for (const { item, key } of rows) {
		if (key === undefined) continue;
		const indexes = batchRows.filter((row) => row.item === item).map(({ index }) => index);
		markRowAsPaid(key, { batchId: batch.id, batchSize: size, indexes, run: getRunKey(identity) });
	}
}
