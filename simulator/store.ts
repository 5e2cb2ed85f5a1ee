import { randomBytes } from 'node:crypto';
import { createNotFoundError, type ServiceError } from './errors';
import type { ArmedFault } from './faults';
import { createTables, type Failure, type Row, type Table, type WaitingStatus } from './rows';
import { createUnrestrictedWorkspace } from './workspace';

export interface Delivery {
	event_id: string | null;
	url: string;
	event_type: string;
	/** Null if there was no response. */
	status: number | null;
	attempt: number;
	at: number;
	headers: Record<string, string>;
	body: string;
	error?: string;
}

export interface ReceivedRequest {
	at: number;
	method: string;
	path: string;
	query: Record<string, unknown>;
	headers: Record<string, string | string[] | undefined>;
	/** Parsed JSON, `{multipart: [...]}`, or `{bytes, sha256}` for raw uploads. */
	body: unknown;
	/** Null while the request is in flight, and if the connection broke before the response. */
	status: number | null;
}

/** The response to a request with an idempotency key; null while that request is in flight. */
export interface StoredResponse {
	response: { status: number; body: unknown; headers?: Record<string, string> } | null;
	/** Rejection that a repeat gets, too. */
	rejection?: ServiceError;
	at: number;
}

/** Creates a state without rows and without the catalog. */
export const createEmptyState = () => ({
	seq: 0,
	workspace: createUnrestrictedWorkspace(),
	...createTables(),
	/** Ids of the running jobs, by the limit that they count for. */
	running: { jobs: new Set<string>(), streams: new Set<string>() },
	/** Starts the queued items of batches, oldest first. */
	queued: [] as Array<(at: number) => void>,
	/** By kind of job: the failures of the next jobs. */
	failNext: new Map<string, Failure[]>(),
	/** Statuses in which the next chat turns wait for their user. */
	restNext: [] as WaitingStatus[],
	deliveries: [] as Delivery[],
	requests: [] as ReceivedRequest[],
	faults: [] as ArmedFault[],
	/** By request line, path parameters and key. */
	replays: new Map<string, StoredResponse>(),
	/** Number of requests in the current rate limit window, by caller. */
	windows: new Map<string, { from: number; count: number }>(),
});

export type State = ReturnType<typeof createEmptyState>;

export type TableName = {
	[Name in keyof State]: State[Name] extends Table<Row> ? Name : never;
}[keyof State];
export type RowOf<Name extends TableName> = State[Name] extends Table<infer T> ? T : never;

export const createId = (prefix = '') => prefix + randomBytes(16).toString('hex');

/** Stores a row under its id, as the newest of all rows. */
export function addRow<T extends Row>(state: State, table: Table<T>, row: Omit<T, 'seq'>): T {
	const stored = { ...row, seq: (state.seq += 1) } as T;
	table.set(stored.id, stored);
	return stored;
}

/** Returns the row with this id, or throws 404 with `code`. `what` names the resource in the message. */
export function findRow<T extends Row>(
	table: Table<T>,
	id: string | null | undefined,
	what: string,
	code = 'not_found',
	param: string | null = null,
): T {
	const row = table.get(id ?? '');
	if (!row) throw createNotFoundError(code, `${what} ${id}`, param);
	return row;
}
