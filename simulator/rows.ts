/** The rows of each resource, and the tables that hold them. */

/** Cursors refer to `seq`, the order in which rows were added. */
export interface Row {
	id: string;
	seq: number;
}

export interface Failure {
	code: string;
	message: string;
}

/** A running or ended job. It has the id of the row that it updates. */
export interface Job extends Row {
	kind: string;
	record: object;
	failure: Failure | null;
	ended: boolean;
	/** Completes or fails the job, unless it has ended. */
	end: (at: number) => void;
}

/** A row whose status follows a job. */
export interface JobRow extends Row {
	status: string;
	created: number;
	completed: number | null;
	failure: Failure | null;
}

export interface Video extends Row {
	status: 'pending' | 'processing' | 'completed' | 'failed';
	title: string | null;
	created: number;
	completed: number | null;
	duration: number;
	folder: string | null;
	format: 'mp4' | 'webm';
	/** `burned` also creates the subtitle file. */
	captions: 'none' | 'file' | 'burned';
	/** Every video has a GIF, but only a requested one has events. */
	gif: 'usual' | 'asked' | 'failed';
	failure: Failure | null;
	callbackUrl: string | null;
	callbackId: string | null;
	outputLanguage: string | null;
	sessionId: string | null;
	/** What is said or shown, for videos without scenes. */
	text: string | null;
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

/** Statuses in which a chat waits for its user. */
export type WaitingStatus = 'waiting_for_input' | 'reviewing';

export interface AgentSession extends Row {
	status: WaitingStatus | 'thinking' | 'generating' | 'completed' | 'failed';
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
	isAnnounced: boolean;
}

export interface WebhookEndpoint extends Row {
	url: string;
	events: string[] | null;
	entityId: string | null;
	/** No request sets it: what disables an endpoint is undocumented. */
	status: 'enabled' | 'disabled';
	secret: string;
	created: number;
}

/** An event delivered to one endpoint. */
export interface EventRecord extends Row {
	event_type: string;
	event_data: Record<string, unknown>;
	created: number;
}

export interface Asset extends Row {
	name: string;
	mimeType: string;
	size: number;
	/** Declared when the direct upload was created. */
	announcedSha256: string | null;
	/** Of the received bytes. */
	sha256: string | null;
	uploaded: number;
	/** `pending_upload` until the bytes arrive, then `stored` until the upload is completed. */
	status: 'pending_upload' | 'stored' | 'ready';
	/** Kept for small files only; larger ones are served as synthetic bytes. */
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
	/** Null for voices that are not clones. */
	status: 'processing' | 'complete' | 'failed' | null;
	failure: string | null;
	expired: boolean;
}

/** A professional voice that was trained from recordings. */
export interface ModelVoice extends JobRow {
	name: string;
	language: string | null;
	/** Unix seconds of the trainings in the last 30 days. */
	trainings: number[];
}

export type AvatarStatus = 'processing' | 'pending_consent' | 'failed' | 'completed';

export interface AvatarGroup extends Row {
	name: string;
	created: number;
	gender: string;
	ownership: 'public' | 'private';
	voiceId: string | null;
	status: AvatarStatus | null;
	consent: string | null;
	error: Failure | null;
}

export interface AvatarLook extends Row {
	name: string;
	type: 'studio_avatar' | 'digital_twin' | 'photo_avatar';
	groupId: string;
	gender: string;
	tags: string[];
	engines: string[];
	/** Whether the look has a transparent background, as WebM and removed backgrounds need. */
	matted: boolean;
	orientation: 'portrait' | 'landscape' | 'square';
	expired: boolean;
	status: AvatarStatus | null;
	error: Failure | null;
}

export interface AgentStyle extends Row {
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

export interface BrandGlossary extends Row {
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
	/** Whether the folder tree is encrypted with the customer's own key. */
	customerKey: boolean;
	created: number;
	updated: number;
}

export interface TemplateElement {
	element_id: string;
	element_type: string;
	scene_id: string | null;
	bindable_as: string[];
	current: Record<string, unknown>;
	text_variables: string[];
	variable: string | null;
}

export interface Template extends Row {
	name: string;
	ratio: string;
	created: number;
	updated: number;
	editVersion: number;
	/** Whether another update is in progress. */
	updating: boolean;
	sourceVideoId: string | null;
	variables: Record<string, Record<string, unknown>>;
	scenes: Array<{
		scene_id: string;
		script: string | null;
		variables: Array<{ name: string; variable_type: string }>;
	}>;
	elements: TemplateElement[];
}

export interface ModelVideo extends JobRow {
	model: string;
	prompt: string;
	duration: number;
	resolution: string;
	aspectRatio: string;
	seed: number;
}

export interface Translation extends JobRow {
	title: string | null;
	inputLanguage: string;
	outputLanguage: string;
	audioOnly: boolean;
	callbackId: string | null;
}

export interface Proofread extends JobRow {
	title: string;
	outputLanguage: string;
	folder: string | null;
}

export interface Lipsync extends JobRow {
	title: string | null;
	callbackId: string | null;
}

export interface Clipping extends JobRow {
	title: string | null;
	inputLanguage: string;
	callbackId: string | null;
	settings: Record<string, unknown>;
	clips: ReadonlyArray<{ title: string; seconds: number; score: number }>;
}

export interface CompositionRender extends JobRow {
	title: string | null;
	callbackId: string | null;
	settings: { format: string } & Record<string, unknown>;
}

export interface BackgroundRemoval extends JobRow {
	layers: readonly string[];
	requestId: string | null;
}

export interface RealtimeStream extends JobRow {
	text: string;
	/** Whether the last text was received. */
	closed: boolean;
	endReason: 'final_marker' | 'idle_timeout';
}

export interface WorkflowGraph {
	schema_version: string;
	inputs?: Record<string, { type: string; required?: boolean }>;
	nodes?: Array<{
		id: string;
		type: string;
		variant?: string;
		config?: unknown;
		depends_on?: string[];
		bindings?: Record<string, { kind: string } & Record<string, unknown>>;
	}>;
	outputs?: Record<string, { node_id: string; port?: string }>;
}

export interface Workflow extends Row {
	name: string;
	status: 'draft' | 'active' | 'archived';
	revision: number;
	graph: WorkflowGraph;
	meta: unknown;
}

export interface WorkflowVersion extends Row {
	workflowId: string;
	number: number;
	checksum: string;
	graph: WorkflowGraph;
}

export interface WorkflowRun extends JobRow {
	/** The `Idempotency-Key`, which is valid for this body only. */
	key: string;
	body: string;
	version: WorkflowVersion;
}

export type Table<T extends Row> = Map<string, T>;

const createTable = <T extends Row>(): Table<T> => new Map();

/** Creates the tables of all resources, without rows. */
export const createTables = () => ({
	jobs: createTable<Job>(),
	sessions: createTable<AgentSession>(),
	videos: createTable<Video>(),
	batches: createTable<Batch>(),
	endpoints: createTable<WebhookEndpoint>(),
	events: createTable<EventRecord>(),
	assets: createTable<Asset>(),
	voices: createTable<Voice>(),
	modelVoices: createTable<ModelVoice>(),
	groups: createTable<AvatarGroup>(),
	looks: createTable<AvatarLook>(),
	styles: createTable<AgentStyle>(),
	kits: createTable<BrandKit>(),
	glossaries: createTable<BrandGlossary>(),
	folders: createTable<Folder>(),
	templates: createTable<Template>(),
	modelVideos: createTable<ModelVideo>(),
	translations: createTable<Translation>(),
	proofreads: createTable<Proofread>(),
	lipsyncs: createTable<Lipsync>(),
	clippings: createTable<Clipping>(),
	renders: createTable<CompositionRender>(),
	removals: createTable<BackgroundRemoval>(),
	streams: createTable<RealtimeStream>(),
	workflows: createTable<Workflow>(),
	versions: createTable<WorkflowVersion>(),
	runs: createTable<WorkflowRun>(),
});
