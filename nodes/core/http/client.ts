/** The client of one node run: calls to the service, with what they share. */
import type { GenericValue, IDataObject, INode } from 'n8n-workflow';
import { createServiceError, type NodeError } from '../errors/nodeErrors';
import { isObject, readObject, readText } from '../json';
import type { ServiceRequest } from './serviceRequest';
import { readAccount, type RequestHost } from './credentials';
import { traffics } from '../memory';
import { fixedConcurrency, createTraffic, type Slot } from './concurrency';
import { sendWithRetries, type RequestContext } from './sendWithRetries';
import type { FileStream } from './reply';

/** A reply, or why there is none. */
export type RequestOutcome = { ok: true; reply: IDataObject } | { ok: false; error: NodeError };

/** Calls of one node run, which share a limit of requests at once and one slow-down. */
export interface Client {
	readonly node: INode;
	readonly signal: AbortSignal;
	/** Tells accounts apart; holds no secret. */
	readonly account: string;
	/** A text without the secrets of the credential. */
	removeSecrets(text: string): string;
	/** The whole body of the reply, or the error as a value. */
	tryRequest(call: ServiceRequest): Promise<RequestOutcome>;
	/** The whole body of the reply. */
	fetchReply(call: ServiceRequest): Promise<IDataObject>;
	/** `data` of the reply. */
	fetchData(call: ServiceRequest): Promise<IDataObject>;
	/** The body of the reply as it comes in, for what is too long or too slow to wait for. */
	openStream(call: ServiceRequest): Promise<FileStream>;
	/** The pages of a list, of at most that many rows each, until the service has no more. */
	fetchPages(call: ServiceRequest, pageSize: number, token?: string): AsyncGenerator<Page>;
	/** The rows of a list that comes in one answer. */
	fetchRows(call: ServiceRequest): Promise<IDataObject[]>;
	/** Runs something under the limit of requests at once. */
	slot: Slot;
	/** Requests that the service takes of the account in a second; nothing where no limit is known. */
	perSecond(): number | undefined;
	/** What this run has made under that key, or makes now: many items can share it. */
	shareInRun<T>(key: string, make: () => T): T;
}

/** One page of a list. */
export interface Page {
	rows: IDataObject[];
	next?: string;
}

/** Pages without any entry, one after the other, after which a list is given up. */
const maxEmptyPages = 20;

/** The rows of a list reply; some lists sit one level deeper, as the only list of an object. */
function readRows(node: INode, { data }: IDataObject): IDataObject[] {
	const lists = Array.isArray(data)
		? [data]
		: Object.values(readObject(data)).filter(Array.isArray);
	const [rows, ...others] = lists as unknown[][];
	// No list, or one with entries that say nothing.
	if (!rows || others.length > 0 || rows.some((row) => row === null || row === undefined)) {
		throw createServiceError(node, { code: 'odd_list', status: 200 });
	}
	return rows.map((row) => (isObject(row) ? row : { value: row as GenericValue }));
}

/** The pages of a list, until the service has no more. */
async function* fetchPages(
	client: Pick<Client, 'node' | 'fetchReply'>,
	call: ServiceRequest,
	pageSize: number,
	token?: string,
): AsyncGenerator<Page> {
	let next = token;
	const seen = new Set<string>();
	let empty = 0;
	do {
		const page = await client.fetchReply({
			...call,
			query: { ...call.query, limit: pageSize, ...(next === undefined ? {} : { token: next }) },
		});
		const rows = readRows(client.node, page);
		empty = rows.length === 0 ? empty + 1 : 0;
		if (empty > maxEmptyPages)
			throw createServiceError(client.node, { code: 'endless_list', status: 200 });
		next = page.has_more === false ? undefined : readText(page.next_token);
		// A cursor that comes back would make an endless list.
		if (next !== undefined && seen.has(next)) next = undefined;
		if (next !== undefined) seen.add(next);
		yield { rows, next };
	} while (next !== undefined);
}

/**
 * Makes the client of one run. `requestsAtOnce` fixes how many of its requests are on their way at
 * the same time; without it, all runs of the account share a limit that finds its own width.
 */
export async function createClient(
	host: RequestHost,
	options: { requestsAtOnce?: number; signal?: AbortSignal } = {},
): Promise<Client> {
	const node = host.getNode();
	const signal = options.signal ?? new AbortController().signal;
	const account = await readAccount(host);
	const shared = traffics.getOrCreate(account.name, createTraffic);
	const slot =
		options.requestsAtOnce === undefined ? shared.slot : fixedConcurrency(options.requestsAtOnce);
	const run: RequestContext = { host, node, account, signal, slot, traffic: shared };
	const memos = new Map<string, unknown>();

	const attempt = async (call: ServiceRequest): Promise<RequestOutcome> => {
		const outcome = await sendWithRetries(run, call, false);
		if ('error' in outcome) return { ok: false, error: outcome.error };
		return { ok: true, reply: outcome.reply.kind === 'success' ? outcome.reply.body : {} };
	};
	const reply = async (call: ServiceRequest): Promise<IDataObject> => {
		const outcome = await attempt(call);
		if (!outcome.ok) throw outcome.error;
		return outcome.reply;
	};
	return {
		node,
		signal,
		account: account.name,
		removeSecrets: account.removeSecrets,
		slot,
		perSecond: shared.throttle.perSecond,
		tryRequest: attempt,
		fetchReply: reply,
		async fetchData(call) {
			const whole = await reply(call);
			return isObject(whole.data) ? whole.data : whole;
		},
		async openStream(call) {
			const outcome = await sendWithRetries(run, call, true);
			if ('error' in outcome) throw outcome.error;
			if (outcome.reply.kind === 'stream') return outcome.reply.stream;
			throw createServiceError(node, { code: 'not_json' });
		},
		fetchPages: (call, pageSize, token) =>
			fetchPages({ node, fetchReply: reply }, call, pageSize, token),
		fetchRows: async (call) => readRows(node, await reply(call)),
		shareInRun<T>(key: string, make: () => T): T {
			if (!memos.has(key)) memos.set(key, make());
			return memos.get(key) as T;
		},
	};
}
