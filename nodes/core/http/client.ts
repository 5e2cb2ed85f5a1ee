/**
 * Creates the client that a node run uses to send requests to the service and read the responses.
 */
import type { GenericValue, IDataObject, INode } from 'n8n-workflow';
import { clock } from '../clock';
import {
	createOperationError,
	createServiceError,
	toNodeError,
	type NodeError,
} from '../errors/nodeErrors';
import { isObject, readObject, readText } from '../json';
import { createSemaphore } from '../semaphore';
import { createConcurrencySlots, getAccountTraffic } from './accountTraffic';
import { readAccount, type N8nContext } from './credentials';
import {
	findExceededLimit,
	receivedDataLimits,
	type ReceivedAmounts,
	type ByteStream,
} from './receivedDataLimits';
import { type ServiceRequest, sendWithRetries } from './sendWithRetries';

export type RequestOutcome =
	{ ok: true; reply: IDataObject; size?: ReceivedAmounts } | { ok: false; error: NodeError };

/** Client that sends one node run's requests to the service, within the account's limits. */
export type Client = Awaited<ReturnType<typeof createClient>>;

export interface ListPage {
	rows: IDataObject[];
	next?: string;
}

/**
 * Maximum number of files that one node run transfers at once. Unless n8n stores binary data on
 * disk, it holds each file in memory.
 */
const maxTransfersAtOnce = 3;

/** Returns a list's rows: `data`, or the only array inside it, or none if `data` is null. */
function readRows(node: INode, { data }: IDataObject): IDataObject[] {
	if (data === null) return [];
	const lists = Array.isArray(data)
		? [data]
		: Object.values(readObject(data)).filter(Array.isArray);
	const [rows, ...others] = lists as unknown[][];
	// `data` contains no list, several lists, or a list with null entries.
	if (!rows || others.length > 0 || rows.includes(null)) {
		throw createServiceError(node, { code: 'odd_list', status: 200 });
	}
	return rows.map((row) => (isObject(row) ? row : { value: row as GenericValue }));
}

/** Returns the cursor of the next page, which may be a number, and may be inside `data`. */
function readCursor(page: IDataObject): string | undefined {
	const cursor = page.next_token ?? readObject(page.data).next_token;
	return typeof cursor === 'number' ? String(cursor) : readText(cursor);
}

/**
 * Yields the pages of a list. Throws if more entries exist but cannot be read, so that an
 * incomplete list is never mistaken for a complete one.
 */
async function* fetchPages(
	node: INode,
	tryRequest: (request: ServiceRequest) => Promise<RequestOutcome>,
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
		return createServiceError(node, { code, status: 200 }, { serviceMessage });
	};
	do {
		const outcome = await tryRequest({
			...request,
			query: { ...request.query, limit: pageSize, ...(next === undefined ? {} : { token: next }) },
		});
		if (!outcome.ok) throw outcome.error;
		const { reply: page, size = {} } = outcome;
		const rows = readRows(node, page);
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
		const excess = findExceededLimit(received, receivedDataLimits.list);
		if (next !== undefined && excess !== undefined) throw createError('endless_list', excess);
	} while (next !== undefined);
}

/** Returns a function that logs warnings in n8n with the node's name and the workflow's ID. */
export const createWarningLogger = (host: N8nContext) => (text: string) =>
	host.logger.warn(`${host.getNode().name} (workflow ${host.getWorkflow().id ?? ''}): ${text}`);

/**
 * Creates the client for one node run.
 *
 * @param options.requestsAtOnce fixed limit on concurrent requests. By default, all runs of the
 * account share a limit that adapts to the responses
 * @param options.isReadOnly whether to reject requests that could create or change something
 */
export async function createClient(
	host: N8nContext,
	options: { requestsAtOnce?: number; signal?: AbortSignal; isReadOnly?: boolean } = {},
) {
	const { requestsAtOnce, signal = new AbortController().signal, isReadOnly = false } = options;
	const node = host.getNode();
	const account = await readAccount(host);
	const traffic = getAccountTraffic(account.name);
	const slots =
		requestsAtOnce === undefined ? traffic.sharedSlots : createConcurrencySlots(requestsAtOnce);
	const runTransfer = createSemaphore(Math.min(requestsAtOnce ?? Infinity, maxTransfersAtOnce));
	const capacityWait = { seconds: 0 };
	const run = { host, node, account, signal, traffic, slots, capacityWait };
	const sharedValues = new Map<string, unknown>();

	const send = async (request: ServiceRequest, streamed: boolean) => {
		if (isReadOnly && !request.line.startsWith('GET ')) {
			throw createOperationError(
				node,
				`${request.line} was not sent: "Check Only" creates nothing`,
			);
		}
		return await sendWithRetries(run, request, streamed);
	};
	const tryRequest = async (request: ServiceRequest): Promise<RequestOutcome> => {
		try {
			const reply = await send(request, false);
			return reply.kind === 'success'
				? { ok: true, reply: reply.body, size: reply.size }
				: { ok: true, reply: {} };
		} catch (error) {
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
		/** Signal that aborts all requests of the node run. */
		signal,
		/** Name of the account, which contains no secrets. */
		account: account.name,
		signIn: account.signIn,
		tokenDigest: account.tokenDigest,
		isReadOnly,
		zone: host.getTimezone(),
		removeSecrets: account.removeSecrets,
		removeEchoedSecrets: account.removeEchoedSecrets,
		warn: createWarningLogger(host),
		/** Sends a request. Returns errors instead of throwing them. */
		tryRequest,
		fetchReply,
		/** Returns the response's `data`, or the whole response if `data` is not an object. */
		async fetchData(request: ServiceRequest): Promise<IDataObject> {
			const reply = await fetchReply(request);
			return isObject(reply.data) ? reply.data : reply;
		},
		/** Returns the response body as a stream, for content that is large or arrives slowly. */
		async openStream(request: ServiceRequest): Promise<ByteStream> {
			const reply = await send(request, true);
			if (reply.kind === 'stream') return reply.stream;
			throw createServiceError(node, { code: 'not_json' });
		},
		/** Yields the pages of a list endpoint, each with at most `pageSize` rows. */
		fetchPages: (request: ServiceRequest, pageSize: number, token?: string) =>
			fetchPages(node, tryRequest, request, pageSize, token),
		/** Returns all rows of a list endpoint that has no pagination. */
		fetchRows: async (request: ServiceRequest) => readRows(node, await fetchReply(request)),
		/**
		 * Uploads or downloads a file as soon as the node run may transfer another one. Throws if the
		 * signal aborts before that.
		 */
		runTransfer: async <T>(transfer: () => Promise<T>): Promise<T> =>
			await runTransfer(1, signal, transfer),
		/** Returns the requests per second that the service accepts, or `undefined` if unknown. */
		perSecond: traffic.getRate,
		reportJobEnd: traffic.reportJobEnd,
		/** Longest time that a request of this run has waited for capacity to start its job. */
		capacityWait: run.capacityWait,
		/** Returns the value that all items of the run share under a key. The first call creates it. */
		shareInRun<T>(key: string, make: () => T): T {
			if (!sharedValues.has(key)) sharedValues.set(key, make());
			return sharedValues.get(key) as T;
		},
	};
}

/** Sends a GET request only once for all items of a node run, and returns the response. */
export const fetchResourceOncePerRun = async (
	client: Client,
	line: string,
	path: Readonly<Record<string, string>>,
): Promise<RequestOutcome> =>
	await client.shareInRun(
		JSON.stringify([line, path]),
		async () => await client.tryRequest({ line, path }),
	);
