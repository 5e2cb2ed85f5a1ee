/**
 * Types that describe an operation of a node. An operation is plain data: `execute.ts` executes it,
 * and `describe/` builds its form.
 */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { ErrorExplanations } from './errors/advice';
import type { FileNameInputs } from './files/fileNames';
import type { FileType } from './files/fileType';
import type { OperationFormValues } from './form/commonFields';
import type { Field } from './form/field';
import type { Client } from './http/client';
import type { ByteStream } from './http/receivedDataLimits';
import type { PerMinuteLimit } from './http/trafficPolicy';
import type { Job, JobKind, ResultFileType } from './jobs/types';

/** Input item with its validated parameter values, as passed to the functions of an operation. */
export interface ValidatedItem<V> {
	values: V;
	/** Values for the request body, keyed by the API's names. Excludes those in the URL path. */
	payload: IDataObject;
	input: INodeExecutionData;
}

/** Values that identify a create request. Its idempotency key is derived from them. */
export interface IdempotencyKeyInputs {
	/** Method, path, and the IDs for the path, such as `POST /v3/x/{id} 42`. */
	line: string;
	/** Name that distinguishes several requests to one endpoint for an item, such as file uploads. */
	name?: string;
	/** Content of the request. Affects the key only if `Pay Once Per` is set to `Unique Request`. */
	content: unknown;
	/** Hashes of the rows. Each one covers the row's content and the values for the whole batch. */
	rows?: readonly string[];
	/** Whether the request creates only one row, without a batch. `rows` then has one hash. */
	isSingleRow?: true;
}

export interface IdempotencyKeyProvider {
	/** Returns the same idempotency key if n8n retries the node, and a new one after a failed job. */
	getKey(create: IdempotencyKeyInputs): string;
	/** Whether later executions use the same keys and therefore get the same results. */
	outlivesExecution: boolean;
}

export interface UploadContext {
	n8n: IExecuteFunctions;
	client: Client;
	itemIndex: number;
	keys: IdempotencyKeyProvider;
}

export interface UploadedFile {
	id: string;
	/** Hash of the file's content. Identifies the file, because each upload gets a new asset ID. */
	content: string;
}

export type BinaryInputUploader = (context: UploadContext, field: string) => Promise<UploadedFile>;

/** Amount that the account can still spend, and its unit, such as `USD` or `credits`. */
export interface Balance {
	left: number;
	unit: string;
	/** Which of the account's balances this is, such as `wallet`. */
	source?: string;
}

/** Functions that depend on resources. Passed to `core`, which must not import resources. */
export interface InjectedFunctions {
	upload: BinaryInputUploader;
	/**
	 * Reads the balance.
	 *
	 * @param isOptional whether the run can continue without the balance. If so, retries end sooner
	 */
	balance: (client: Client, isOptional: boolean) => Promise<Balance>;
	findJobKind: (name: string) => JobKind | undefined;
}

export interface RequestItem {
	item: number;
	values: IDataObject;
}

export interface ExecuteContext extends UploadContext {
	combinedItems: readonly RequestItem[];
	/**
	 * Sends the operation's request, with its idempotency key, and returns the `data` of the
	 * response. Retries failed requests if that is safe.
	 *
	 * @param body replaces the body that is built from the form values
	 * @param options.survivesStop whether the request may finish even if the user stops the
	 * execution. Set if the response contains the ID of something that the user pays for
	 */
	send: (body?: IDataObject, options?: { survivesStop?: boolean }) => Promise<IDataObject>;
	/**
	 * Runs `prepare`, then sends the operation's request. A retry of the node returns the earlier
	 * results, because `prepare` would now read a state that the request has changed.
	 */
	sendAfter: <T>(prepare: () => Promise<T>) => Promise<{ prepared: T; reply: IDataObject }>;
	/**
	 * Sends the operation's request and passes the response to `read` as it arrives. A retry of the
	 * node returns the earlier result of `read`.
	 */
	stream: <T>(read: (stream: ByteStream) => Promise<T>, headers?: IDataObject) => Promise<T>;
	recordJobs: (jobs: Job[]) => void;
	/** Sets the existing jobs that the operation must wait for. */
	awaitJobs: (jobs: readonly Job[]) => void;
	/**
	 * Sends the entries of a list with `send`. If the service rejects some entries, their items
	 * fail, and the others are sent again. The response is undefined if no entry was accepted.
	 */
	sendEntries: <E extends { item: number; entry: IDataObject }>(
		entries: readonly E[],
		send: (entries: readonly E[]) => Promise<IDataObject>,
	) => Promise<{ entries: readonly E[]; reply?: IDataObject }>;
}

/** Group of operations on one type of object in the service, which users select in the form. */
export interface Resource {
	name: string;
	/** Value that workflows store for this resource. Never change it after a release. */
	value: string;
	/** Key for the ID in this resource's output items, such as `video_id`. */
	id?: string;
	/** Operations in form order. New nodes start with the first operation of the first resource. */
	operations: readonly Operation[];
}

interface CombinedRequest<V> {
	/** Maximum total size of a request's items. Each counts as 1, unless `getSize` returns its size. */
	maxSize: number;
	getSize?(values: V): number;
	/** Names of form values that must be equal in all items of a request. */
	sharedBy?: readonly string[];
	/**
	 * List in the request body with an entry for each item. If the service rejects an entry, the
	 * request is sent again without it.
	 */
	list?: string;
	/** Kind of job that each row of a batch starts. Each row becomes an output item. */
	rows?: JobKind;
	body?(all: ReadonlyArray<ValidatedItem<V>>): IDataObject;
	query?(all: ReadonlyArray<ValidatedItem<V>>): IDataObject;
}

/** Simulated response to a create request, from which Check Only builds sample output. */
export interface SampleReply {
	reply?: IDataObject;
	/** Kind of job that the response starts. The default is the operation's `starts`. */
	starts?: JobKind;
	file?: { field: string; name: FileNameInputs; type: FileType };
}

interface Definition<F extends readonly Field[], O extends readonly Field[]> {
	/** Value that workflows store for the operation. Unique in its resource. Must never change. */
	value: string;
	name: string;
	/** Name shown in the node's list of actions and to AI agents, such as `Create folder`. */
	action: string;
	description: string;
	/**
	 * HTTP method and path. Each `{name}` is replaced with the form field of that name. Other
	 * fields are sent in the body (POST, PUT, PATCH) or in the query, if they are set.
	 */
	request: string;
	fields?: F;
	options?: O;
	/** Checks values that depend on each other. Returns an error message or `false` per check. */
	check?(values: OperationFormValues<F, O>): Array<string | false>;
	/**
	 * Returns a hint or `false` for each combination of values that is valid but may not do what the
	 * user expects. The hints appear above the output, also with Check Only.
	 */
	listHints?(values: OperationFormValues<F, O>): Array<string | false>;
	/**
	 * Throws if data from the service shows that the values are invalid, for example because the
	 * voice does not support pauses. All items are checked before any request is sent.
	 */
	reject?(values: OperationFormValues<F, O>, client: Client): Promise<void>;
	/** Builds the request body if it differs from the form values. May send other requests. */
	body?(
		item: ValidatedItem<OperationFormValues<F, O>>,
		client: Client,
	): IDataObject | Promise<IDataObject>;
	query?(
		item: ValidatedItem<OperationFormValues<F, O>>,
		client: Client,
	): IDataObject | Promise<IDataObject>;
	combine?: CombinedRequest<OperationFormValues<F, O>>;
	/**
	 * Operation that creates one row of a batch in its own request. Used if Pay Once Per is Same
	 * Request or Custom Key: each row then needs its own idempotency key.
	 */
	rowOperation?: Operation;
	/** Whether this operation is the `rowOperation` of a batch operation. */
	isSingleRow?: true;
	/**
	 * Set if the response is a list whose rows become separate items. `pageSize` is the maximum
	 * number of rows per page. `dated` adds filters by creation time, for rows with a `created_at`.
	 */
	list?: { pageSize: number; dated?: true } | 'unpaged';
	/** Keys that Simplify keeps, with the ID. May be paths, such as `event_data.video_id`. */
	simple?: readonly string[];
	/** Key of the ID in output items, if it differs from the resource's `itemId`. Null if none. */
	itemId?: string | null;
	/**
	 * Output keys that the description for AI agents lists after the ID. If a job is started, these
	 * are keys of the finished job. Defaults to its status and result URLs, or keys from `simple`.
	 */
	returns?: readonly string[];
	unwrap?(reply: IDataObject): unknown;
	/**
	 * How the service accepts an idempotency key: `true` for the header `Idempotency-Key`, or a body
	 * field (service.md, Idempotency). `unconfirmed` also sends the header, but its effect is not
	 * documented, so the node itself tracks what was created. Undefined if no key is accepted.
	 */
	idempotent?: true | 'unconfirmed' | { bodyField: string };
	/** Whether repeating a POST request has no further effect. */
	repeatable?: boolean;
	/** Maximum milliseconds to wait for a response that arrives only after all work is done. */
	timeout?: number;
	/** Requests per minute that the service accepts from a member of the account. */
	perMinuteLimit?: PerMinuteLimit;
	/** Kind of job that the request starts, or a function that returns the kind or the jobs. */
	starts?: JobKind | ((reply: IDataObject, values: IDataObject) => JobKind | Job[]);
	/** Whether the operation only waits for existing jobs, which its `execute` finds. */
	awaits?: true;
	/** Name of the service's limit on running jobs, if it does not follow from the kind of job. */
	capacityLimit?: string;
	/** Whether the form has an option to stop the jobs if the user stops the execution. */
	stoppable?: true;
	/** Sentence, shown in the form, about how long the job takes. Needed if `starts` is a function. */
	durationHint?: string;
	/**
	 * Files that the form offers under Download. Needed only if `starts` is a function, or if the
	 * operation awaits existing jobs.
	 */
	files?: readonly ResultFileType[];
	/** Whether the service charges for the operation. By default, only if it starts a job. */
	paid?: boolean;
	/** Price as the service publishes it, such as `7.00 USD for each video`. */
	price?: string;
	/**
	 * Returns the published price of one item, if the price depends on the item's values. Undefined
	 * if the price is not published.
	 */
	getPrice?(values: OperationFormValues<F, O>): string | undefined;
	/** Whether the operation permanently deletes or ends something. Defaults to true for DELETE. */
	destructive?: boolean;
	/** Returns the number of jobs that an input item starts. The default is 1. */
	countJobs?(values: OperationFormValues<F, O>): number;
	/**
	 * Sample response for Check Only, without the job's ID. `{n}` in a string becomes the item
	 * number. Tests compare the keys of paid operations' samples with those of a finished run.
	 */
	sample?: SampleReply | ((values: OperationFormValues<F, O>) => SampleReply);
	/** Advice for a lost connection: what may have been created, and how to find it. */
	uncertainOutcomeHint?: string;
	/** Explanations of errors, by error code or by HTTP status, such as `status_404`. */
	explanations?: ErrorExplanations;
	/** Transforms output items, for example to output each part of a result as its own item. */
	reshapeItems?(
		items: INodeExecutionData[],
		values: OperationFormValues<F, O>,
	): INodeExecutionData[];
	/**
	 * Executes an operation that a single plain request cannot handle. Must send its requests with
	 * `send` and `stream`, so that retries, limits and the other settings apply to them.
	 */
	execute?(
		context: ExecuteContext & ValidatedItem<OperationFormValues<F, O>>,
	): Promise<INodeExecutionData[]>;
}

export type Operation = Definition<readonly Field[], readonly Field[]>;

/** Returns the operation unchanged, so that TypeScript infers its form values from its schemas. */
export const defineOperation = <
	const F extends readonly Field[] = readonly [],
	const O extends readonly Field[] = readonly [],
>(
	definition: Definition<F, O>,
): Operation => definition;

export interface ResourceOperation {
	resource: Resource;
	operation: Operation;
}
