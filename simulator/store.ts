import { randomBytes } from 'node:crypto';
import { missing } from './errors';
import type { ArmedFault } from './faults';
import type * as rows from './rows';
import { openWorkspace } from './workspace';

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
export interface Stored {
	answer: { status: number; body: unknown; headers?: Record<string, string> } | null;
	at: number;
}

const table = <T extends rows.Row>(): Table<T> => new Map();

/** A state without anything in it, not even the catalog. Each resource has its table. */
export const emptyState = () => ({
	seq: 0,
	workspace: openWorkspace(),
	jobs: table<rows.Job>(),
	sessions: table<rows.Session>(),
	videos: table<rows.Video>(),
	batches: table<rows.Batch>(),
	endpoints: table<rows.Endpoint>(),
	events: table<rows.EventRecord>(),
	assets: table<rows.Asset>(),
	voices: table<rows.Voice>(),
	modelVoices: table<rows.ModelVoice>(),
	groups: table<rows.Group>(),
	looks: table<rows.Look>(),
	styles: table<rows.Style>(),
	kits: table<rows.BrandKit>(),
	glossaries: table<rows.Glossary>(),
	folders: table<rows.Folder>(),
	templates: table<rows.Template>(),
	modelVideos: table<rows.ModelVideo>(),
	translations: table<rows.Translation>(),
	proofreads: table<rows.Proofread>(),
	lipsyncs: table<rows.Lipsync>(),
	clippings: table<rows.Clipping>(),
	renders: table<rows.Render>(),
	removals: table<rows.BackgroundRemoval>(),
	streams: table<rows.Stream>(),
	workflows: table<rows.Workflow>(),
	versions: table<rows.WorkflowVersion>(),
	runs: table<rows.WorkflowRun>(),
	/** By kind of job: what the next ones fail with. */
	failNext: new Map<string, rows.Failure[]>(),
	/** Where the next turns of chats rest. */
	restNext: [] as rows.Rest[],
	deliveries: [] as Delivery[],
	requests: [] as ReceivedRequest[],
	faults: [] as ArmedFault[],
	/** By place of the request and key. */
	replays: new Map<string, Stored>(),
	/** Requests in the simulated minute that runs, by who is counted. */
	windows: new Map<string, { from: number; count: number }>(),
});

export type State = ReturnType<typeof emptyState>;

/** The names of the tables, and what stands in each. */
export type TableName = {
	[Name in keyof State]: State[Name] extends Table<rows.Row> ? Name : never;
}[keyof State];
export type RowOf<Name extends TableName> = State[Name] extends Table<infer T> ? T : never;

export const newId = (prefix = '') => prefix + randomBytes(16).toString('hex');

/** Stores a row under its id and gives it its place in the order. */
export function add<T extends rows.Row>(state: State, table: Table<T>, row: Omit<T, 'seq'>): T {
	const stored = { ...row, seq: (state.seq += 1) } as T;
	table.set(stored.id, stored);
	return stored;
}

/** The row of that id, or 404 with this code; `what` is its name in the message. */
export function find<T extends rows.Row>(
	table: Table<T>,
	id: string | null | undefined,
	what: string,
	code = 'not_found',
	param: string | null = null,
): T {
	const row = table.get(id ?? '');
	if (!row) throw missing(code, `${what} ${id}`, param);
	return row;
}
