/**
 * Creates the client that a node run uses to send requests to the service and read the responses.
 */
import type { GenericValue, IDataObject, INode } from 'n8n-workflow';
import { clock } from '../clock';
import { createSemaphore, runWithSemaphore } from '../semaphore';
import {
	createOperationError,
	createServiceError,
	toNodeError,
	type NodeError,
} from '../errors/nodeErrors';
import { isObject, readObject, readText } from '../json';
import type { ServiceRequest } from './serviceRequest';
import { readAccount, type N8nContext } from './credentials';
import { createConcurrencySlots, getAccountTraffic, type AccountTraffic } from './accountTraffic';
import { sendWithRetries, type ClientContext } from './sendWithRetries';
import { findExceededLimit, receiveLimits, type Amounts, type ByteStream } from './receiveLimits';

/** Response body and its size, or the error if the request failed. */
export type RequestOutcome =
	{ ok: true; reply: IDataObject; size?: Amounts } | { ok: false; error: NodeError };

/** Client that sends one node run's requests to the service. It respects the account's limits. */
export interface Client {
	readonly node: INode;
	/** Signal that aborts all requests of the node run. */
	readonly signal: AbortSignal;
	/** Identifier of the account that the credential belongs to. Contains no secrets. */
	readonly account: string;
	/** Hash of the credential and its API key. Changes if another one is chosen or entered. */
	readonly signIn: string;
	/** Time zone of the workflow. */
	readonly zone: string;
	/** Returns the text with the credential's secrets, such as the API key, replaced with `***`. */
	removeSecrets(text: string): string;
	/** Returns received data with the credential's long secrets replaced with `***`. */
	removeEchoedSecrets(text: string): string;
	/** Writes a warning to n8n's log, preceded by the node's name and the workflow's ID. */
	warn(text: string): void;
	/** Sends a request and returns the response body. Returns errors instead of throwing them. */
	tryRequest(request: ServiceRequest): Promise<RequestOutcome>;
	/** Sends a request and returns the response body. */
	fetchReply(request: ServiceRequest): Promise<IDataObject>;
	/**
	 * Sends a request and returns the `data` object of the response body. Returns the whole body if
	 * `data` is missing or is not an object.
	 */
	fetchData(request: ServiceRequest): Promise<IDataObject>;
	/**
	 * Sends a request and returns the response body as a stream. Use it for content that is large
	 * or arrives slowly.
	 */
	openStream(request: ServiceRequest): Promise<ByteStream>;
	/**
	 * Yields the pages of a list endpoint, each with at most `pageSize` rows, until the last page.
	 */
	fetchPages(request: ServiceRequest, pageSize: number, token?: string): AsyncGenerator<ListPage>;
	/** Returns all rows of a list endpoint that has no pagination. */
	fetchRows(request: ServiceRequest): Promise<IDataObject[]>;
	/**
	 * Uploads or downloads a file. Waits first if this node run is already transferring the maximum
	 * number of files. If the client's signal aborts before the transfer starts, throws the reason
	 * for the abort.
	 */
	runTransfer<T>(transfer: () => Promise<T>): Promise<T>;
	/**
	 * Returns the number of requests per second that the service accepts from the account, or
	 * `undefined` if no limit is known.
	 */
	perSecond(): number | undefined;
	/** Reports to the account's request queue that a job has ended, so that another one may start. */
	readonly reportJobEnd: AccountTraffic['reportJobEnd'];
	/** This run's longest wait to start a job. */
	readonly capacityWait: Readonly<{ seconds: number }>;
	/**
	 * Returns the value that this node run has stored under a key. The first call creates the value
	 * with `make`. All items of the run share the value.
	 */
	shareInRun<T>(key: string, make: () => T): T;
}

export interface ListPage {
	rows: IDataObject[];
	next?: string;
}

/**
 * Maximum number of files that one node run uploads or downloads at the same time. Low to save
 * memory: unless n8n stores binary data on disk, it holds each file in memory.
 */
const maxTransfersAtOnce = 3;

/**
 * Returns the rows in the response of a list endpoint. The list is either `data` itself or the only
 * array inside `data`. If `data` is null, the list is empty.
 */
function readRows(node: INode, { data }: IDataObject): IDataObject[] {
	if (data === null) return [];
	const lists = Array.isArray(data)
		? [data]
		: Object.values(readObject(data)).filter(Array.isArray);
	const [rows, ...others] = lists as unknown[][];
	// No list, several lists, or a list with empty entries.
	if (!rows || others.length > 0 || rows.includes(null)) {
		throw createServiceError(node, { code: 'odd_list', status: 200 });
	}
	return rows.map((row) => (isObject(row) ? row : { value: row as GenericValue }));
}

/**
 * Returns the cursor of a list's next page. The cursor may be a number, and may be inside `data`.
 */
function readCursor(page: IDataObject): string | undefined {
	const cursor = page.next_token ?? readObject(page.data).next_token;
	return typeof cursor === 'number' ? String(cursor) : readText(cursor);
}

/**
 * Yields the pages of a list endpoint until the last page. Throws if the service reports that more
 * entries exist but returns no new cursor for them, or if the list exceeds a limit, so that an
 * incomplete list is never mistaken for a complete one.
 */
async function* fetchPages(
	client: Pick<Client, 'node' | 'tryRequest'>,
	request: ServiceRequest,
	pageSize: number,
	token?: string,
): AsyncGenerator<ListPage> {
	let next = token;
	const seen = new Set<string | undefined>([token]);
	const received = { bytes: 0, values: 0, rows: 0, pages: 0, emptyPages: 0, seconds: 0 };
	const startedAt = clock.elapsed();
	const createError = (code: string, excess?: string) => {
		const { rows, pages } = received;
		const readSoFar = `entries read so far: ${rows.toLocaleString('en-US')} (pages: ${pages.toLocaleString('en-US')})`;
		const serviceMessage = [excess, readSoFar].filter((part) => part !== undefined).join('; ');
		return createServiceError(client.node, { code, status: 200 }, { serviceMessage });
	};
	do {
		const outcome = await client.tryRequest({
			...request,
			query: { ...request.query, limit: pageSize, ...(next === undefined ? {} : { token: next }) },
		});
		if (!outcome.ok) throw outcome.error;
		const { reply: page, size = {} } = outcome;
		const rows = readRows(client.node, page);
		received.bytes += size.bytes ?? 0;
		received.values += size.values ?? 0;
		received.rows += rows.length;
		received.pages++;
		received.emptyPages = rows.length === 0 ? received.emptyPages + 1 : 0;
		received.seconds = (clock.elapsed() - startedAt) / 1000;
		const hasMore = page.has_more ?? readObject(page.data).has_more;
		const cursor = hasMore === false ? undefined : readCursor(page);
		// A repeated cursor would make the list endless.
		next = seen.has(cursor) ? undefined : cursor;
		seen.add(cursor);
		yield { rows, next };
		if (next === undefined && hasMore === true) throw createError('lost_cursor');
		const excess = findExceededLimit(received, receiveLimits.list);
		if (next !== undefined && excess !== undefined) throw createError('endless_list', excess);
	} while (next !== undefined);
}

/**
 * Creates a function that writes a warning to n8n's log, preceded by the node's name and the
 * workflow's ID.
 */
export const createWarningLogger = (host: N8nContext) => (text: string) =>
	host.logger.warn(`${host.getNode().name} (workflow ${host.getWorkflow().id ?? ''}): ${text}`);

/**
 * Creates the client that one node run uses to send its requests to the service.
 *
 * @param options.requestsAtOnce fixed limit on the run's concurrent requests. By default, all of
 * the account's runs share a limit that adapts to the service's responses
 * @param options.isReadOnly whether to reject every request that could create or change something
 */
export async function createClient(
	host: N8nContext,
	options: { requestsAtOnce?: number; signal?: AbortSignal; isReadOnly?: boolean } = {},
): Promise<Client> {
	const { requestsAtOnce, signal = new AbortController().signal, isReadOnly = false } = options;
	const node = host.getNode();
	const account = await readAccount(host);
	const traffic = getAccountTraffic(account.name);
	const slots =
		requestsAtOnce === undefined ? traffic.sharedSlots : createConcurrencySlots(requestsAtOnce);
	const transfers = createSemaphore(Math.min(requestsAtOnce ?? Infinity, maxTransfersAtOnce));
	const capacityWait = { seconds: 0 };
	const run: ClientContext = { host, node, account, signal, traffic, slots, capacityWait };
	const sharedValues = new Map<string, unknown>();

	const assertAllowed = ({ line }: ServiceRequest) => {
		if (!isReadOnly || line.startsWith('GET ')) return;
		throw createOperationError(node, `${line} was not sent: "Check Only" creates nothing`);
	};
	const tryRequest = async (request: ServiceRequest): Promise<RequestOutcome> => {
		try {
			assertAllowed(request);
			const outcome = await sendWithRetries(run, request, false);
			if ('error' in outcome) return { ok: false, error: outcome.error };
			const { reply } = outcome;
			return reply.kind === 'success'
				? { ok: true, reply: reply.body, size: reply.size }
				: { ok: true, reply: {} };
		} catch (error) {
			// The request could not be built, for example because an ID is invalid.
			return { ok: false, error: toNodeError(node, error) };
		}
	};
	const fetchReply = async (request: ServiceRequest): Promise<IDataObject> => {
		const outcome = await tryRequest(request);
		if (!outcome.ok) throw outcome.error;
		return outcome.reply;
	};
	return {
		node,
		signal,
		account: account.name,
		signIn: account.signIn,
		zone: host.getTimezone(),
		removeSecrets: account.removeSecrets,
		removeEchoedSecrets: account.removeEchoedSecrets,
		warn: createWarningLogger(host),
		tryRequest,
		fetchReply,
		async fetchData(request) {
			const reply = await fetchReply(request);
			return isObject(reply.data) ? reply.data : reply;
		},
		async openStream(request) {
			assertAllowed(request);
			const outcome = await sendWithRetries(run, request, true);
			if ('error' in outcome) throw outcome.error;
			if (outcome.reply.kind === 'stream') return outcome.reply.stream;
			throw createServiceError(node, { code: 'not_json' });
		},
		fetchPages: (request, pageSize, token) =>
			fetchPages({ node, tryRequest }, request, pageSize, token),
		fetchRows: async (request) => readRows(node, await fetchReply(request)),
		runTransfer: async (transfer) => await runWithSemaphore(transfers, 1, signal, transfer),
		perSecond: traffic.getRate,
		reportJobEnd: traffic.reportJobEnd,
		capacityWait,
		shareInRun<T>(key: string, make: () => T): T {
			if (!sharedValues.has(key)) sharedValues.set(key, make());
			return sharedValues.get(key) as T;
		},
	};
}
