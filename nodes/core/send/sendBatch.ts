/**
 * Sends the rows of a batch so that each item gets the result of its own content, whatever was sent
 * before.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { createOperationError, toNodeError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import { readText } from '../json';
import type { BatchRowIdentity } from '../operation';
import {
	describeRequestLine,
	getPayOncePerScope,
	listBatchRows,
	type PaidBatch,
	type PlannedRequest,
} from '../plan/groupRequests';
import {
	createHashedKey,
	isBatchKey,
	isBatchKeyForRows,
	type RunIdentity,
} from '../plan/idempotencyKeys';
import type { NodeRetryState } from '../plan/retryState';
import { findPaidBatches, rememberPaidRow } from './paidRows';
import { sendUntilAccepted, type RequestFailure } from './refusedRows';
import type { SentRequest } from './sentRequest';

/** Requests that were sent for the items of a planned request, and the items that failed. */
export interface SendResult {
	sent: SentRequest[];
	failures: RequestFailure[];
}

const getRunKey = ({ node, run }: RunIdentity) => createHashedKey([...node, ...run]);

/** Part of the context of a node run that sending a batch needs. */
interface BatchContext {
	n8n: IExecuteFunctions;
	client: Client;
	identity: RunIdentity;
	state: NodeRetryState;
}

/** Item of a batch with its entry in the request, and what identifies its content. */
interface Row extends BatchRowIdentity {
	item: number;
	values: IDataObject;
	entry: unknown;
	/** Key under which the row is remembered as paid. Undefined if no later execution shares it. */
	key?: string;
}

/** Body of a batch request, with and without the IDs of the files that were uploaded for it. */
interface BatchBody {
	body: IDataObject;
	/** The body with the content of each file in place of the ID of its asset. */
	content: IDataObject;
	/** Name of the list of entries. */
	list: string;
}

/** Returns the rows of a batch request. Rows with equal content are counted in their keys. */
function describeRows(
	{ client, identity }: BatchContext,
	request: PlannedRequest,
	{ body, content, list }: BatchBody,
): Row[] {
	const { [list]: entries, title, ...shared } = content;
	const payOncePer = getPayOncePerScope(request.values);
	const counts = new Map<string, number>();
	return request.itemIndexes.map((item, i): Row => {
		const values = request.itemValues[i] ?? {};
		const ownKey = readText(values.idempotencyKey);
		const digest = createHashedKey([shared, (entries as unknown[])[i]]);
		const scope = payOncePer === 'ownKey' ? ownKey : identity.node;
		const place = [client.account, scope, describeRequestLine(request), digest];
		const name = createHashedKey(place);
		const count = counts.get(name) ?? 0;
		counts.set(name, count + 1);
		const key = payOncePer === 'execution' ? undefined : createHashedKey([...place, count]);
		const entry = (body[list] as unknown[])[i];
		return { item, values, entry, digest, ownKey, ...(key === undefined ? {} : { key }) };
	});
}

/** Returns the part of a request that has these rows, in their order. */
const selectRows = (request: PlannedRequest, rows: readonly Row[]): PlannedRequest => ({
	...request,
	itemIndexes: rows.map(({ item }) => item),
	itemValues: rows.map(({ values }) => values),
});

/** Returns the part of a request whose rows have been paid for in an earlier batch. */
function selectPaidRows(request: PlannedRequest, paidBatch: PaidBatch): PlannedRequest {
	const items = new Set(paidBatch.rows.map(({ item }) => item));
	const own = request.itemIndexes.flatMap((item, i) => (items.has(item) ? [i] : []));
	return {
		...request,
		itemIndexes: own.map((i) => request.itemIndexes[i] ?? 0),
		itemValues: own.map((i) => request.itemValues[i] ?? {}),
		paidBatch,
	};
}

/** Returns a request whose batch exists, as if it had just been sent. */
export function toSentRequest(request: PlannedRequest, paidBatch: PaidBatch): SentRequest {
	const { starts } = request.operation;
	const jobs = typeof starts === 'object' ? [{ kind: starts, id: paidBatch.id }] : [];
	return { ...request, replies: [{ json: { batch_id: paidBatch.id } }], jobs };
}

/** Returns the rows in the order of their content, which is the same in every order of a sheet. */
function sortRows(rows: readonly Row[]): Row[] {
	const getRank = ({ digest, ownKey = '' }: Row) => digest + ownKey;
	return [...rows].sort((a, b) => getRank(a).localeCompare(getRank(b)));
}

/**
 * Returns the rows to send, in their order, and the batches in which the others have been paid for.
 *
 * If the key outlives the execution, the rows are in the order of their content: the service returns
 * the first batch for a key, whatever the order in which the rows are sent again.
 */
async function arrangeRows(
	{ client, identity }: BatchContext,
	request: PlannedRequest,
	rows: readonly Row[],
): Promise<{ paid: PaidBatch[]; fresh: readonly Row[] }> {
	const { operation, values, retry } = request;
	if (getPayOncePerScope(values) === 'execution') return { paid: [], fresh: rows };
	const sorted = sortRows(rows);
	const [{ ownKey } = { ownKey: undefined }] = rows;
	if (ownKey !== undefined && isBatchKey(ownKey)) {
		const fresh = [rows, sorted].find((order) => isBatchKeyForRows(ownKey, order));
		if (fresh) return { paid: [], fresh };
		throw createOperationError(
			client.node,
			`"Own Key" is "${ownKey}", which belongs to a batch with other rows, or in another order`,
			'With this key, the service would return the videos of those rows. Run the node for exactly the items of that batch, or use another key. Nothing was sent to the service.',
			{ code: 'invalid_value' },
		);
	}
	if (retry !== undefined || typeof operation.starts !== 'object')
		return { paid: [], fresh: sorted };
	const keyed = rows.flatMap(({ item, key }) => (key === undefined ? [] : [{ item, key }]));
	const paid = await findPaidBatches(client, operation.starts, getRunKey(identity), keyed);
	const items = new Set(paid.flatMap((batch) => batch.rows.map(({ item }) => item)));
	return { paid, fresh: sorted.filter(({ item }) => !items.has(item)) };
}

/** Keeps the division of a request into batches for n8n's retries, which would pay again otherwise. */
function keepDivision(
	state: NodeRetryState,
	{ itemIndexes, retry }: PlannedRequest,
	parts: readonly PlannedRequest[],
): void {
	if (retry !== undefined) return;
	const others = state.combined.filter(({ itemIndexes: own }) =>
		own.every((item) => !itemIndexes.includes(item)),
	);
	state.combined = [...others, ...parts];
}

/**
 * Sends the rows of a batch that have not been paid for, and leaves out those that the service
 * refuses.
 *
 * @param isSent whether an earlier attempt of the node run has sent exactly these rows
 * @param post sends a part of the request
 */
export async function sendBatch(
	context: BatchContext,
	request: PlannedRequest,
	batchBody: BatchBody,
	isSent: boolean,
	post: (
		part: PlannedRequest,
		body: IDataObject,
		rows: readonly BatchRowIdentity[],
	) => Promise<SentRequest & { key: string }>,
): Promise<SendResult> {
	const { n8n, client, state } = context;
	const { body, list } = batchBody;
	const rows = describeRows(context, request, batchBody);
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
	const sent = paid.map((batch, i) => toSentRequest(paidParts[i] ?? request, batch));
	if (!reply) return { sent, failures };
	rememberRows(context, reply, entries);
	return { sent: [...sent, reply], failures };
}

/** Remembers the rows of an accepted batch as paid, unless its key was made for other content. */
function rememberRows(
	{ identity }: BatchContext,
	reply: SentRequest & { key: string },
	rows: readonly Row[],
): void {
	const [batch] = reply.jobs;
	if (!batch || !isBatchKeyForRows(reply.key, rows)) return;
	const { rows: all, size } = listBatchRows(reply);
	for (const { item, key } of rows) {
		if (key === undefined) continue;
		const indexes = all.filter((row) => row.item === item).map(({ index }) => index);
		rememberPaidRow(key, { batchId: batch.id, batchSize: size, indexes, run: getRunKey(identity) });
	}
}
