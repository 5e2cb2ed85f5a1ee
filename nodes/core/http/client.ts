/** The client of one node run: calls to the service, with what they share. */
import type { GenericValue, IDataObject, INode } from 'n8n-workflow';
import { serviceError, type NodeError } from '../errors/words';
import { isObject, objectOf, textOf } from '../json';
import type { Call } from './call';
import { accountOf, type Host } from './credentials';
import { traffics } from '../memory';
import { atOnce, traffic, type Slot } from './limits';
import { exchange, type Run } from './exchange';
import type { FileStream } from './reply';

/** A reply, or why there is none. */
export type Outcome = { ok: true; reply: IDataObject } | { ok: false; error: NodeError };

/** Calls of one node run, which share a limit of requests at once and one slow-down. */
export interface Client {
	readonly node: INode;
	readonly signal: AbortSignal;
	/** Tells accounts apart; holds no secret. */
	readonly account: string;
	/** A text without the secrets of the credential. */
	clean(text: string): string;
	/** The whole body of the reply, or the error as a value. */
	attempt(call: Call): Promise<Outcome>;
	/** The whole body of the reply. */
	reply(call: Call): Promise<IDataObject>;
	/** `data` of the reply. */
	data(call: Call): Promise<IDataObject>;
	/** The body of the reply as it comes in, for what is too long or too slow to wait for. */
	stream(call: Call): Promise<FileStream>;
	/** The pages of a list, of at most that many rows each, until the service has no more. */
	pages(call: Call, pageSize: number, token?: string): AsyncGenerator<Page>;
	/** The rows of a list that comes in one answer. */
	rows(call: Call): Promise<IDataObject[]>;
	/** Runs something under the limit of requests at once. */
	slot: Slot;
	/** Requests that the service takes of the account in a second; nothing where no limit is known. */
	perSecond(): number | undefined;
	/** What this run has made under that key, or makes now: many items can share it. */
	memo<T>(key: string, make: () => T): T;
}

/** One page of a list. */
export interface Page {
	rows: IDataObject[];
	next?: string;
}

/** Pages without any entry, one after the other, after which a list is given up. */
const mostEmptyPages = 20;

/** The rows of a list reply; some lists sit one level deeper, as the only list of an object. */
function listRows(node: INode, { data }: IDataObject): IDataObject[] {
	const lists = Array.isArray(data) ? [data] : Object.values(objectOf(data)).filter(Array.isArray);
	const [rows, ...others] = lists as unknown[][];
	// No list, or one with entries that say nothing.
	if (!rows || others.length > 0 || rows.some((row) => row === null || row === undefined)) {
		throw serviceError(node, { code: 'odd_list', status: 200 });
	}
	return rows.map((row) => (isObject(row) ? row : { value: row as GenericValue }));
}

/** The pages of a list, until the service has no more. */
async function* pagesOf(
	client: Pick<Client, 'node' | 'reply'>,
	call: Call,
	pageSize: number,
	token?: string,
): AsyncGenerator<Page> {
	let next = token;
	const seen = new Set<string>();
	let empty = 0;
	do {
		const page = await client.reply({
			...call,
			query: { ...call.query, limit: pageSize, ...(next === undefined ? {} : { token: next }) },
		});
		const rows = listRows(client.node, page);
		empty = rows.length === 0 ? empty + 1 : 0;
		if (empty > mostEmptyPages)
			throw serviceError(client.node, { code: 'endless_list', status: 200 });
		next = page.has_more === false ? undefined : textOf(page.next_token);
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
	host: Host,
	options: { requestsAtOnce?: number; signal?: AbortSignal } = {},
): Promise<Client> {
	const node = host.getNode();
	const signal = options.signal ?? new AbortController().signal;
	const account = await accountOf(host);
	const shared = traffics.getOrMake(account.name, traffic);
	const slot = options.requestsAtOnce === undefined ? shared.slot : atOnce(options.requestsAtOnce);
	const run: Run = { host, node, account, signal, slot, traffic: shared };
	const memos = new Map<string, unknown>();

	const attempt = async (call: Call): Promise<Outcome> => {
		const outcome = await exchange(run, call, false);
		if ('error' in outcome) return { ok: false, error: outcome.error };
		return { ok: true, reply: outcome.reply.kind === 'success' ? outcome.reply.body : {} };
	};
	const reply = async (call: Call): Promise<IDataObject> => {
		const outcome = await attempt(call);
		if (!outcome.ok) throw outcome.error;
		return outcome.reply;
	};
	return {
		node,
		signal,
		account: account.name,
		clean: account.clean,
		slot,
		perSecond: shared.throttle.perSecond,
		attempt,
		reply,
		async data(call) {
			const whole = await reply(call);
			return isObject(whole.data) ? whole.data : whole;
		},
		async stream(call) {
			const outcome = await exchange(run, call, true);
			if ('error' in outcome) throw outcome.error;
			if (outcome.reply.kind === 'stream') return outcome.reply.stream;
			throw serviceError(node, { code: 'not_json' });
		},
		pages: (call, pageSize, token) => pagesOf({ node, reply }, call, pageSize, token),
		rows: async (call) => listRows(node, await reply(call)),
		memo<T>(key: string, make: () => T): T {
			if (!memos.has(key)) memos.set(key, make());
			return memos.get(key) as T;
		},
	};
}
