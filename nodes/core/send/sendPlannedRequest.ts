/**
 * Sends a planned request, which can take several HTTP requests. http/sendWithRetries.ts sends each
 * of them, with retries.
 */
import type {
	GenericValue,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { clock } from '../clock';
import { createHashedKey } from '../digest';
import { getErrorDetails } from '../errors/errorDetails';
import { createOperationError, toNodeError } from '../errors/nodeErrors';
import { uploadBinaryInputs, type BinaryInput } from '../files/binaryInputs';
import type { Client } from '../http/client';
import type { JobCapacityLimit } from '../http/jobCapacity';
import type { Job } from '../jobs/types';
import { isObject, readId, readObject, unwrapSingleProperty } from '../json';
import type { CreateRequestRecord, NodeRun, RequestFailure } from '../ledger/ledger';
import type {
	ExecuteContext,
	IdempotencyKeyProvider,
	ValidatedItem,
	InjectedFunctions,
	UploadedFile,
} from '../operation';
import {
	getCapacityLimitName,
	getMethod,
	getPathParameterNames,
	isPaid,
	isRepeatSafe,
	isUnkeyedCreate,
	shouldRememberCreation,
	runsAsAgentTool,
} from '../operationTraits';
import {
	createIdempotencyKeyProvider,
	getIdempotencyKeyInputs,
	findOrCreateRecord,
	getItemOrigins,
} from '../plan/deriveIdempotencyKeys';
import {
	getRequestLineWithIds,
	getRowCounts,
	hasMissingItems,
	type PlannedRequest,
	type CreationSource,
	type SendResult,
	type SentRequest,
} from '../plan/groupRequests';
import type { SuspensionPlanner } from '../suspend/suspension';
import { addIdempotencyKey, buildRequest, toValidatedItem, type JsonRequest } from './buildRequest';
import { fetchListEntries } from './fetchListEntries';
import { sendUntilAccepted, rejectKeyOfOtherRows, sendBatch } from './sendBatch';
import { sendCreateOnce } from './sendCreateOnce';
import type { StartedJobTracker } from './startedJobs';

/** Data and functions shared by all requests in one attempt at running the node. */
export interface RunContext {
	n8n: IExecuteFunctions;
	client: Client;
	ports: InjectedFunctions;
	nodeRun: NodeRun;
	startedJobs: StartedJobTracker;
	suspension: SuspensionPlanner;
	/** Controller whose signal aborts when the account may send no further paid requests. */
	payment: AbortController;
	/** Function called after a successful request, so that other paid requests may be sent. */
	releaseOthers: () => void;
}

interface RequestInProgress {
	context: RunContext;
	request: PlannedRequest;
	items: ReadonlyArray<ValidatedItem<IDataObject>>;
	keys: IdempotencyKeyProvider;
	jobs: Job[];
	failures: RequestFailure[];
	/** Number of HTTP requests so far. An operation's own `execute` may send several. */
	count: number;
	/** Ledger's record of the last HTTP request, if there is one. */
	record?: CreateRequestRecord;
	/** Idempotency key of the last HTTP request. */
	key?: string;
	/** Source of the last HTTP request's outcome. `continued`: it came from the ledger. */
	creation?: CreationSource;
}

function beginRequest(context: RunContext, request: PlannedRequest): RequestInProgress {
	const input = context.n8n.getInputData();
	const items = request.items.map(({ item, values }) =>
		toValidatedItem(request.operation, values, input[item] ?? { json: {} }),
	);
	const keys = createIdempotencyKeyProvider(context.nodeRun, request);
	return { context, request, items, keys, jobs: [], failures: [], count: 0 };
}

const toSentRequest = (
	{ request, jobs, creation }: RequestInProgress,
	replies: INodeExecutionData[],
): SentRequest => ({ ...request, replies, jobs, creation });

/** Sends a planned request. Failures of parts of a batch are returned instead of thrown. */
export async function sendPlannedRequest(
	context: RunContext,
	request: PlannedRequest,
): Promise<SendResult> {
	const { n8n, client } = context;
	const { operation } = request;
	const sending = beginRequest(context, request);
	if (operation.list !== undefined) {
		const listRequest = await buildRequest(request, client, sending.items);
		const rows = await fetchListEntries(n8n, client, listRequest, request);
		return { sent: [{ ...request, replies: toItems(rows), jobs: [] }], failures: [] };
	}
	if (operation.combine?.rows) return await sendRows(sending);
	const replies = operation.execute
		? await operation.execute(createExecuteContext(sending))
		: await sendPlainRequest(sending);
	return { sent: [toSentRequest(sending, replies)], failures: sending.failures };
}

async function sendRows(sending: RequestInProgress): Promise<SendResult> {
	const { context, request } = sending;
	const { n8n, client, nodeRun } = context;
	if (findOrCreateRecord(nodeRun, request).outcome) {
		const replies = toItems(await sendOwnRequest(sending));
		return { sent: [toSentRequest(sending, replies)], failures: [] };
	}
	// A batch can be sent again only as a whole, because all of its rows share a key.
	if (hasMissingItems(request)) {
		throw createOperationError(
			client.node,
			"The response for this row's batch was lost, and other rows of the batch are missing from the input",
			"The batch may exist. Look for it in the service's list of batches before you run this row again.",
			{ code: 'unknown_row', uncertain: true },
		);
	}
	const { built, content } = await buildOwnRequest(sending);
	const batchBody = { body: built.body ?? {}, content: readObject(content) };
	return await sendBatch(n8n, nodeRun, request, batchBody, async (part, body, rows) => {
		const sendingPart = beginRequest(context, part);
		const prepared = { built: { ...built, body }, rows };
		const data = await sendOwnRequest(sendingPart, async () => await Promise.resolve(prepared));
		return toSentRequest(sendingPart, toItems(data));
	});
}

const toItems = (data: unknown): INodeExecutionData[] =>
	(Array.isArray(data) ? data : [data]).map((json: unknown) => ({
		json: isObject(json) ? json : { value: json as GenericValue },
	}));

async function sendPlainRequest(sending: RequestInProgress): Promise<INodeExecutionData[]> {
	const data = await sendOwnRequest(sending);
	const deleted = getMethod(sending.request.operation) === 'DELETE' ? { deleted: true } : {};
	const items = toItems(Array.isArray(data) ? data : { ...data, ...deleted });
	// Each input item gets an output item, even if the service returns an empty list.
	return items.length > 0 ? items : [{ json: { value: [] } }];
}

function createExecuteContext(
	sending: RequestInProgress,
): ExecuteContext & ValidatedItem<IDataObject> {
	const { context, request, keys } = sending;
	const { n8n, client } = context;
	const [own] = sending.items as [ValidatedItem<IDataObject>];
	return {
		...own,
		n8n,
		client,
		keys,
		itemIndex: request.items[0].item,
		combinedItems: request.items,
		send: async (body, { survivesStop } = {}) =>
			await sendOwnRequest(sending, async () => await buildOwnRequest(sending, body, survivesStop)),
		async sendAfter(prepare) {
			const { prepared, reply } = await sendNextRequest(sending, async (built) => ({
				prepared: await prepare(),
				reply: await client.fetchReply(built),
			}));
			return { prepared, reply: receiveReply(sending, reply) };
		},
		stream: async (read, headers) =>
			await sendNextRequest(
				sending,
				async (built) => await read(await client.openStream({ ...built, headers })),
			),
		recordJobs: (jobs) => recordJobs(sending, jobs),
		awaitJobs(jobs) {
			sending.jobs.push(...jobs);
			context.nodeRun.jobs.set(request.items[0].item, [...jobs]);
		},
		async sendEntries(all, sendSome) {
			const { list = '' } = request.operation.combine ?? {};
			// Entries are never sent one by one: a request's uploads are completed in a single batch.
			const options = { list, continues: n8n.continueOnFail(), splits: false };
			const { accepted, failures } = await sendUntilAccepted(client.node, options, all, sendSome);
			sending.failures.push(...failures);
			return accepted[0] ?? { entries: [] };
		},
	};
}

async function sendOwnRequest(
	sending: RequestInProgress,
	prepare?: () => Promise<UnkeyedRequest>,
): Promise<IDataObject> {
	const { client } = sending.context;
	const fetchReply = async (built: JsonRequest) => await client.fetchReply(built);
	return receiveReply(sending, await sendNextRequest(sending, fetchReply, prepare));
}

/** Records the jobs in a response. Returns the response's data, an object or a list. */
function receiveReply(sending: RequestInProgress, reply: IDataObject): IDataObject {
	const { client } = sending.context;
	const { operation } = sending.request;
	const received = (operation.unwrap?.(reply) ?? reply.data ?? reply) as IDataObject;
	const data = operation.starts && isObject(received) ? unwrapSingleProperty(received) : received;
	try {
		recordJobs(sending, findJobs(sending, data));
	} catch (error) {
		// The next attempt asks the service again, with the same key.
		if (isRepeatSafe(operation)) delete sending.record?.outcome;
		throw toNodeError(client.node, error);
	}
	return data;
}

function findJobs({ context, request }: RequestInProgress, data: IDataObject): Job[] {
	const { starts } = request.operation;
	if (starts === undefined) return [];
	const kindOrJobs = typeof starts === 'function' ? starts(data, request.values) : starts;
	if (Array.isArray(kindOrJobs)) return kindOrJobs;
	const reply = readObject(data);
	const id = readId(reply[kindOrJobs.id] ?? reply.id);
	if (id !== undefined) return [{ kind: kindOrJobs, id }];
	throw createOperationError(
		context.client.node,
		`The service accepted the request but returned no ${kindOrJobs.id}`,
		"Something may have been created. Check the service's list before you run the workflow again.",
		{ code: 'no_id', uncertain: true },
	);
}

function recordJobs(sending: RequestInProgress, started: readonly Job[]): void {
	const { context, request, jobs, key } = sending;
	jobs.push(...started);
	const [{ item }] = request.items;
	// If a form value contains the job's ID, the request has continued the job, not started it.
	const values = JSON.stringify(request.items.map((one) => one.values));
	const isOwn = ({ id }: Job) => !values.includes(JSON.stringify(id));
	const source = { item, origin: getJobOrigin(sending), key };
	context.startedJobs.addSource(source, started.filter(isOwn));
	context.startedJobs.add(item, started);
}

function getJobOrigin({ context, request, record, key, count }: RequestInProgress) {
	const { operation } = request;
	// Several messages to one session may change the same draft.
	if (isUnkeyedCreate(operation) && getPathParameterNames(operation).length > 0) {
		return getRequestLineWithIds(request);
	}
	// Without a key, the items identify the request.
	return key ?? record?.key ?? JSON.stringify([getItemOrigins(context.nodeRun, request), count]);
}

interface UnkeyedRequest {
	built: JsonRequest;
	/** Body from which the idempotency key is derived. It contains hashes of uploaded files. */
	content?: unknown;
	rows?: readonly string[];
}

async function buildOwnRequest(
	sending: RequestInProgress,
	body?: IDataObject,
	survivesStop?: boolean,
): Promise<UnkeyedRequest> {
	const { context, request, items } = sending;
	const { client, nodeRun } = context;
	const { combine, isSingleRow } = request.operation;
	const built = await buildRequest(request, client, items, body);
	if (survivesStop) built.survivesStop = true;
	const content = await uploadFiles(sending, built);
	const rows = combine || isSingleRow ? [createHashedKey([content])] : undefined;
	if (rows && isSingleRow) rejectKeyOfOtherRows(client.node, nodeRun, request, rows);
	return { built, content, rows };
}

/**
 * Sends the next HTTP request with its idempotency key. If the service may not recognize a repeated
 * create request, it is repeated only if the earlier one definitely failed.
 */
async function sendNextRequest<T>(
	sending: RequestInProgress,
	exchange: (request: JsonRequest) => Promise<T>,
	prepare = async () => await buildOwnRequest(sending),
): Promise<T> {
	const { context, request, keys } = sending;
	const { client, ports, nodeRun, startedJobs, suspension, payment } = context;
	const { operation } = request;
	const [{ item }] = request.items;
	const identity = getIdempotencyKeyInputs(request, ++sending.count);
	const record = shouldRememberCreation(operation)
		? findOrCreateRecord(nodeRun, request, identity)
		: undefined;
	sending.record = record;
	sending.creation = record?.outcome && !record.isNew ? 'continued' : 'created';
	const send = async () => {
		const { built, content, rows } = await prepare();
		const inputs = { ...identity, content, rows, isSingleRow: operation.isSingleRow };
		// A request that only reads needs no key, and leaves no record.
		const key = record || operation.idempotent !== undefined ? keys.getKey(inputs) : '';
		const ready = addIdempotencyKey(built, operation, key);
		sending.key = ready.idempotencyKey;
		ready.capacity = getCapacityWait(context, request);
		ready.onSend = () => {
			if (isPaid(operation)) startedJobs.logPaidRequest(item, ready);
			if (record) recordSentItems(nodeRun, request, record);
		};
		if (isPaid(operation)) ready.turnSignal = payment.signal;
		const result = await exchange(ready);
		suspension.recordAcceptance();
		return result;
	};
	const traits = {
		hasKey: isRepeatSafe(operation),
		keepsKey: keys.outlivesExecution,
		hasCredit: async () =>
			await ports.balance(client, true).then(
				({ left }) => left > 0,
				() => false,
			),
	};
	// Not in `sendCreateOnce`, because an unsent request was not rejected, and keeps its key.
	if (isPaid(operation) && !record?.outcome) payment.signal.throwIfAborted();
	try {
		const result = await (record ? sendCreateOnce(client.node, record, traits, send) : send());
		context.releaseOthers();
		return result;
	} catch (error) {
		const isUnsent = payment.signal.aborted && getErrorDetails(error).code === 'stopped';
		throw toNodeError(client.node, isUnsent ? payment.signal.reason : error);
	}
}

function recordSentItems(
	nodeRun: NodeRun,
	request: PlannedRequest,
	record: CreateRequestRecord,
): void {
	record.sent = getItemOrigins(nodeRun, request);
	record.isNew = true;
	record.line = request.operation.request;
	if (!request.operation.combine) return;
	record.sizes = getRowCounts(request);
	// If a batch's rows are sent in parts, the service did not accept the whole batch.
	for (const other of Object.values(nodeRun.creates)) {
		const isReplaced = other.sizes && other.sent.some((origin) => record.sent.includes(origin));
		if (other !== record && isReplaced) other.sent = [];
	}
}

/** Default minutes to wait until the account can run another job. */
const defaultCapacityWait = { tool: 5, node: 60 };

function getCapacityWait(
	{ n8n, nodeRun }: RunContext,
	{ operation, values }: PlannedRequest,
): JobCapacityLimit | undefined {
	const name = getCapacityLimitName(operation);
	if (name === undefined) return undefined;
	const { tool, node } = defaultCapacityWait;
	const { waitForCapacity = runsAsAgentTool(n8n) ? tool : node } = values;
	// The time since a job was last started includes all suspensions.
	const { acceptedAt = clock.now() } = nodeRun.wait ?? {};
	const waited = Math.max(clock.now() - acceptedAt, 0) / 1000;
	return { name, maxWait: Math.max(Number(waitForCapacity) * 60 - waited, 0) };
}

/**
 * Uploads the files that a request body refers to, and replaces each reference with the asset's ID.
 * Returns the body from which the idempotency key is derived. It contains each file's content hash,
 * because every upload gets a new asset ID.
 */
async function uploadFiles({ context, request, keys }: RequestInProgress, built: JsonRequest) {
	const { n8n, client, ports, nodeRun } = context;
	const { body } = built;
	const files = new Map<BinaryInput, UploadedFile>();
	const withIds = await uploadBinaryInputs(body, async (input) => {
		const { field, item: itemIndex = request.items[0].item } = input;
		const source = JSON.stringify([itemIndex, field]);
		const upload = async () => await ports.upload({ n8n, client, itemIndex, keys }, field);
		const file = (nodeRun.uploads[source] ??= await upload());
		files.set(input, file);
		return file.id;
	});
	if (files.size === 0) return body;
	built.body = readObject(withIds);
	return await uploadBinaryInputs(body, async (input) => files.get(input)?.content ?? '');
}
