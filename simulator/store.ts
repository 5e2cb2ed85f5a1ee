import { randomBytes } from 'node:crypto';
import type { Clock } from './clock';
import type { Deliverer, Delivery, EventRecord } from './deliver';
import type { ArmedFault } from './faults';
import type { Oauth } from './resources/oauth';

export interface SimulatorOptions {
	/** 0, the default, takes a free port. */
	port?: number;
	/** How long a render takes, in simulated seconds. */
	jobSeconds?: number;
	/** Brand in the names of the delivery headers: `<prefix>-Signature` and so on. */
	headerPrefix?: string;
	/** Public origin to the local origin that stands in for it. */
	tunnels?: Record<string, string>;
	/** Caps every page, so that short lists have many pages. */
	pageSize?: number;
	/** Seed of the random generator behind faults that happen with a probability. */
	seed?: number;
	/** Requests that one credential may make per simulated minute; no limit when absent. */
	requestsPerMinute?: number;
	/** Simulated wait before the first retry of a delivery; it doubles from there. */
	retrySeconds?: number;
	/** Real seconds that a receiver has for its answer. */
	receiverTimeoutSeconds?: number;
	/** Simulated seconds that a signed address stays good. */
	linkSeconds?: number;
	/** Simulated seconds that an OAuth access token stays good. */
	tokenSeconds?: number;
	/** Every refresh gives a new refresh token and spends the old one. */
	rotateRefreshTokens?: boolean;
}

export type Settings = Required<Omit<SimulatorOptions, 'pageSize' | 'requestsPerMinute'>> &
	Pick<SimulatorOptions, 'pageSize' | 'requestsPerMinute'>;

/** What every handler gets: the service as a whole. */
export interface Service {
	settings: Settings;
	baseUrl: string;
	clock: Clock;
	/** Replaced as a whole by a reset: never keep a reference to it. */
	state: State;
	keys: Map<string, Key>;
	/** Bearer tokens that the API accepts now. */
	tokens: Set<string>;
	oauth: Oauth;
	random: () => number;
	deliverer: Deliverer;
	linkSecret: string;
	/** Aborted by `close`, so that no wait outlives the service. */
	closing: AbortController;
	media: { bytes: number | null; truncate: boolean };
}

export interface Key {
	id: string;
	name: string;
	scopes: string[];
	expired: boolean;
	created: number;
}

/** `seq` orders rows and is what cursors point at. */
export interface Row {
	id: string;
	seq: number;
}

export interface Failure {
	code: string;
	message: string;
}

export interface Job extends Row {
	kind: string;
	record: object;
	failure: Failure | null;
	ended: boolean;
}

export interface Video extends Row {
	status: 'pending' | 'processing' | 'completed' | 'failed';
	title: string | null;
	created: number;
	completed: number | null;
	duration: number;
	folder: string | null;
	format: 'mp4' | 'webm';
	/** A file of subtitles, also burned into the picture, or neither. */
	captions: 'none' | 'file' | 'burned';
	failure: Failure | null;
	callbackUrl: string | null;
	callbackId: string | null;
	outputLanguage: string | null;
	sessionId: string | null;
	composition: Composition | null;
}

export interface Composition {
	edit_version: string;
	video: Record<string, unknown>;
	scenes: Array<{
		id: string;
		background: object | null;
		elements: object[];
		script: object | null;
	}>;
}

export interface Session extends Row {
	status: 'thinking' | 'waiting_for_input' | 'reviewing' | 'generating' | 'completed' | 'failed';
	mode: 'generate' | 'chat';
	prompt: string;
	title: string | null;
	created: number;
	progress: number;
	videoId: string | null;
	videoIds: string[];
	messages: Array<Record<string, unknown>>;
	resources: Map<string, Record<string, unknown>>;
	error: Failure | null;
	brandGlossaryId: string | null;
	brandKitId: string | null;
	avatarId: string;
	voiceId: string;
	orientation: 'landscape' | 'portrait';
	callbackUrl: string | null;
	callbackId: string | null;
}

export interface BatchItem {
	status: 'queued' | 'processing' | 'completed' | 'failed';
	childId: string | null;
	error: Failure | null;
}

export interface Batch extends Row {
	kind: string;
	title: string | null;
	created: number;
	callbackUrl: string | null;
	items: BatchItem[];
	announced: boolean;
}

export interface Endpoint extends Row {
	url: string;
	events: string[] | null;
	entityId: string | null;
	secret: string;
	created: number;
}

export interface Asset extends Row {
	name: string;
	mimeType: string;
	size: number;
	/** As announced with a direct upload. */
	announcedSha256: string | null;
	/** Of the bytes that came. */
	sha256: string | null;
	uploaded: number;
	/** `pending_upload` until the bytes are there, `stored` until completed. */
	status: 'pending_upload' | 'stored' | 'ready';
	/** Kept only for small files; larger ones are served back as synthetic bytes. */
	bytes: Buffer | null;
	folderId: string | null;
	batchId: string | null;
}

export interface Voice extends Row {
	name: string;
	language: string;
	gender: string;
	type: 'public' | 'private';
	engine: string;
	supportPause: boolean;
	supportLocale: boolean;
	created: number | null;
	/** Of clones only. */
	status: 'processing' | 'complete' | 'failed' | null;
	failure: string | null;
}

export type AvatarStatus = 'processing' | 'pending_consent' | 'failed' | 'completed';

export interface Group extends Row {
	name: string;
	created: number;
	gender: string;
	ownership: 'public' | 'private';
	voiceId: string | null;
	status: AvatarStatus | null;
	consent: string | null;
	error: Failure | null;
}

export interface Look extends Row {
	name: string;
	type: 'studio_avatar' | 'digital_twin' | 'photo_avatar';
	groupId: string;
	gender: string;
	tags: string[];
	engines: string[];
	/** Cut out of its footage, so that a background or alpha can be used. */
	matted: boolean;
	orientation: 'portrait' | 'landscape' | 'square';
	status: AvatarStatus | null;
	error: Failure | null;
}

export interface Style extends Row {
	name: string;
	tags: string[];
	ratio: string;
}

export interface BrandKit extends Row {
	name: string;
	status: 'loading' | 'completed' | 'error';
	colors: string[];
	colorRoles: Record<string, unknown>;
	logos: Array<{ logo_id: string; name: string; url: string }>;
	logoRoles: Record<string, unknown>;
	fonts: Array<{ font_id: string; name: string }>;
	fontRoles: Record<string, unknown>;
}

export interface Glossary extends Row {
	name: string;
	created: number;
	updated: number;
	terms: Array<{ term: string; pronunciation: string }>;
	keep: Array<{ term: string }>;
	forced: Array<{ term: string; translation: string }>;
}

export interface Folder extends Row {
	name: string;
	type: 'mixed' | 'video' | 'video_translate' | 'asset';
	parentId: string | null;
	trashed: boolean;
	created: number;
	updated: number;
}

export interface Template extends Row {
	name: string;
	ratio: string;
	created: number;
	updated: number;
	editVersion: number;
	sourceVideoId: string | null;
	variables: Record<string, Record<string, unknown>>;
	scenes: Array<{
		scene_id: string;
		script: string | null;
		variables: Array<{ name: string; variable_type: string }>;
	}>;
	elements: Array<{
		element_id: string;
		element_type: string;
		scene_id: string | null;
		bindable_as: string[];
		current: Record<string, unknown>;
		text_variables: string[];
		variable: string | null;
	}>;
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

export interface Stored {
	/** Null while the original still runs. */
	answer: { status: number; body: unknown; headers?: Record<string, string> } | null;
	at: number;
}

export type Table<T extends Row> = Map<string, T>;

export interface State {
	seq: number;
	jobs: Table<Job>;
	failNext: Map<string, Failure[]>;
	sessions: Table<Session>;
	videos: Table<Video>;
	batches: Table<Batch>;
	endpoints: Table<Endpoint>;
	assets: Table<Asset>;
	voices: Table<Voice>;
	groups: Table<Group>;
	looks: Table<Look>;
	styles: Table<Style>;
	kits: Table<BrandKit>;
	glossaries: Table<Glossary>;
	folders: Table<Folder>;
	templates: Table<Template>;
	/** Rows of the resources that need no more than their fields. */
	others: Map<string, Table<Row>>;
	events: EventRecord[];
	deliveries: Delivery[];
	requests: ReceivedRequest[];
	faults: ArmedFault[];
	replays: Map<string, Stored>;
	windows: Map<string, { from: number; count: number }>;
}

/** A state without anything in it, not even the catalog. */
export function emptyState(): State {
	const state: State = {
		seq: 0,
		jobs: new Map(),
		failNext: new Map(),
		sessions: new Map(),
		videos: new Map(),
		batches: new Map(),
		endpoints: new Map(),
		assets: new Map(),
		voices: new Map(),
		groups: new Map(),
		looks: new Map(),
		styles: new Map(),
		kits: new Map(),
		glossaries: new Map(),
		folders: new Map(),
		templates: new Map(),
		others: new Map(),
		events: [],
		deliveries: [],
		requests: [],
		faults: [],
		replays: new Map(),
		windows: new Map(),
	};
	return state;
}

export const newId = (prefix = '') => prefix + randomBytes(16).toString('hex');

/** Stores a row under its id and gives it its place in the order. */
export function add<T extends Row>(state: State, table: Table<T>, row: Omit<T, 'seq'>): T {
	const stored = { ...row, seq: (state.seq += 1) } as T;
	table.set(stored.id, stored);
	return stored;
}

export function tableOf(state: State, name: string) {
	const table: Table<Row> = state.others.get(name) ?? new Map<string, Row>();
	state.others.set(name, table);
	return table;
}
