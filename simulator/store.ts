import { randomBytes } from 'node:crypto';
import { createNotFoundError } from './errors';
import type { ArmedFault } from './faults';
import type * as rows from './rows';
import { createUnrestrictedWorkspace } from './workspace';

export type Table<T extends rows.Row> = Map<string, T>;

/** One delivery attempt. */
export interface Delivery {
	event_id: string | null;
	url: string;
	event_type: string;
	/** Null when no answer came. */
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
	/** JSON as parsed, `{multipart: [...]}`, or `{bytes, sha256}` for raw uploads. */
	body: unknown;
	/** Null while the request runs, and when its connection was cut without an answer. */
	status: number | null;
}

/** The answer to a request with an idempotency key; null while the original still runs. */
export interface StoredResponse {
	response: { status: number; body: unknown; headers?: Record<string, string> } | null;
	at: number;
}

const createTable = <T extends rows.Row>(): Table<T> => new Map();

/** A state without anything in it, not even the catalog. Each resource has its table. */
export const createEmptyState = () => ({
	seq: 0,
	workspace: createUnrestrictedWorkspace(),
	jobs: createTable<rows.Job>(),
	sessions: createTable<rows.AgentSession>(),
	videos: createTable<rows.Video>(),
	batches: createTable<rows.Batch>(),
	endpoints: createTable<rows.WebhookEndpoint>(),
	events: createTable<rows.EventRecord>(),
	assets: createTable<rows.Asset>(),
	voices: createTable<rows.Voice>(),
	modelVoices: createTable<rows.ModelVoice>(),
	groups: createTable<rows.AvatarGroup>(),
	looks: createTable<rows.AvatarLook>(),
	styles: createTable<rows.AgentStyle>(),
	kits: createTable<rows.BrandKit>(),
	glossaries: createTable<rows.BrandGlossary>(),
	folders: createTable<rows.Folder>(),
	templates: createTable<rows.Template>(),
	modelVideos: createTable<rows.ModelVideo>(),
	translations: createTable<rows.Translation>(),
	proofreads: createTable<rows.Proofread>(),
	lipsyncs: createTable<rows.Lipsync>(),
	clippings: createTable<rows.Clipping>(),
	renders: createTable<rows.CompositionRender>(),
	removals: createTable<rows.BackgroundRemoval>(),
	streams: createTable<rows.RealtimeStream>(),
	workflows: createTable<rows.Workflow>(),
	versions: createTable<rows.WorkflowVersion>(),
	runs: createTable<rows.WorkflowRun>(),
	/** By kind of job: what the next ones fail with. */
	failNext: new Map<string, rows.Failure[]>(),
	/** Where the next turns of chats rest. */
	restNext: [] as rows.WaitingStatus[],
	deliveries: [] as Delivery[],
	requests: [] as ReceivedRequest[],
	faults: [] as ArmedFault[],
	/** By place of the request and key. */
	replays: new Map<string, StoredResponse>(),
	/** Requests in the simulated minute that runs, by who is counted. */
	windows: new Map<string, { from: number; count: number }>(),
});

export type State = ReturnType<typeof createEmptyState>;

/** The names of the tables, and what stands in each. */
export type TableName = {
	[Name in keyof State]: State[Name] extends Table<rows.Row> ? Name : never;
}[keyof State];
export type RowOf<Name extends TableName> = State[Name] extends Table<infer T> ? T : never;

export const createId = (prefix = '') => prefix + randomBytes(16).toString('hex');

/** Stores a row under its id and gives it its place in the order. */
export function addRow<T extends rows.Row>(state: State, table: Table<T>, row: Omit<T, 'seq'>): T {
	const stored = { ...row, seq: (state.seq += 1) } as T;
	table.set(stored.id, stored);
	return stored;
}

/** The row of that id, or 404 with this code; `what` is its name in the message. */
export function findRow<T extends rows.Row>(
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
