/**
 * Defines the types that describe an operation of a node, such as Create Video. An operation is
 * plain data: its API endpoint, its form fields and the kind of job that it starts. `execute.ts`
 * executes operations, and `describe/` builds their forms.
 */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { ErrorExplanations } from './errors/advice';
import type { FileNameInputs } from './files/fileNames';
import type { FileType } from './files/fileType';
import type { OperationFormValues } from './form/commonFields';
import type { Field } from './form/field';
import type { Client } from './http/client';
import type { PerMinuteLimit } from './http/trafficPolicy';
import type { ByteStream } from './http/receiveLimits';
import type { Job, JobKind, ResultFileType } from './jobs/types';

/** Input item with its validated parameter values, as passed to the functions of an operation. */
export interface OperationItem<V> {
	values: V;
	/**
	 * Values that go into the request body under their own names. Excludes values for the URL path
	 * and values that only the node itself uses.
	 */
	payload: IDataObject;
	input: INodeExecutionData;
}

/**
 * Identifies a request that creates something in the service. The request's idempotency key is
 * derived from these values.
 */
export interface IdempotencyKeyInputs {
	/**
	 * Method and path of the endpoint, followed by the IDs in the path: for example, `POST /v3/x/{id}
	 * 42`.
	 */
	line: string;
	/**
	 * Name that distinguishes several requests to the same endpoint for one item, such as uploads
	 * of different files. Undefined if there is only one.
	 */
	name?: string;
	/**
	 * Content of the request. The idempotency key depends on it only if the user has set the option
	 * "Pay Once Per" to "Same Request".
	 */
	content: unknown;
	/** Rows of a batch request, in the order sent. */
	rows?: readonly BatchRowIdentity[];
	/** Whether the request creates the single row in `rows` instead of a batch. */
	isSingleRow?: true;
}

/** Identifies one row of a batch by its content. */
export interface BatchRowIdentity {
	/** Hash of the row's content and of the values that apply to the whole batch. */
	digest: string;
}

/** Provides the idempotency keys for a request and for the file uploads that it needs. */
export interface IdempotencyKeyProvider {
	/**
	 * Returns the idempotency key of a create request. The key stays the same when n8n retries the
	 * node, unless the job has failed and must be created again.
	 */
	getKey(create: IdempotencyKeyInputs): string;
	/**
	 * Whether later executions of the workflow use the same keys. If so, the service returns the
	 * earlier result instead of creating a new one.
	 */
	outlivesExecution: boolean;
}

/**
 * Values needed to upload the file of an input item: the item's index, the client, and the
 * idempotency keys of the request that refers to the file.
 */
export interface UploadContext {
	n8n: IExecuteFunctions;
	client: Client;
	itemIndex: number;
	keys: IdempotencyKeyProvider;
}

export interface UploadedFile {
	/** Asset ID that the service has assigned to the uploaded file. */
	id: string;
	/**
	 * String that identifies the file's content. Identical files have the same string, even though
	 * each upload gets a new asset ID.
	 */
	content: string;
}

/** Function that uploads the file in a binary field of an input item to the service. */
export type BinaryInputUploader = (context: UploadContext, field: string) => Promise<UploadedFile>;

/** Amount that the account can still spend, and its unit, such as `USD` or `credits`. */
export interface Balance {
	left: number;
	unit: string;
}

/**
 * Functions that `core` calls but that depend on specific resources of the service. Code in `core`
 * must not import them, so the caller passes them in.
 */
export interface InjectedFunctions {
	upload: BinaryInputUploader;
	/**
	 * Returns the remaining balance of the account.
	 *
	 * @param isOptional whether the run can continue without the balance. If it can, failed requests
	 * are retried only briefly
	 */
	balance: (client: Client, isOptional: boolean) => Promise<Balance>;
	/** Returns the kind of job with this name, such as `video`. */
	findJobKind: (name: string) => JobKind | undefined;
}

/** Index of an input item, and the item's validated parameter values. */
export interface RequestItem {
	item: number;
	values: IDataObject;
}

/**
 * Context for an operation that sends its requests with its own `execute` function. For other
 * operations, `core` sends a single request.
 */
export interface ExecuteContext extends UploadContext {
	/** Input items in the request: several if the operation combines items, otherwise one. */
	combinedItems: readonly RequestItem[];
	/**
	 * Sends the operation's request and returns the `data` of the response. Adds the idempotency
	 * key and the user's Additional Body Fields, and retries failed requests if that is safe.
	 *
	 * @param body replaces the body that is built from the form values
	 * @param options.survivesStop whether the request may finish even if the user stops the
	 * execution. Set if the response contains the ID of something that the user pays for
	 */
	send: (body?: IDataObject, options?: { survivesStop?: boolean }) => Promise<IDataObject>;
	/**
	 * Runs `prepare`, then sends the operation's request. Returns the results of both. If n8n
	 * retries the node after the request has been sent, returns the earlier results: `prepare` would
	 * otherwise read a state that the request has already changed.
	 */
	sendAfter: <T>(prepare: () => Promise<T>) => Promise<{ prepared: T; reply: IDataObject }>;
	/**
	 * Sends the operation's request and passes the response to `read` as it arrives. If n8n retries
	 * the node, returns the earlier result of `read` instead of sending a second request.
	 */
	stream: <T>(read: (stream: ByteStream) => Promise<T>, headers?: IDataObject) => Promise<T>;
	/**
	 * Records the jobs that a request has started, so that output items and errors can contain their
	 * IDs.
	 */
	recordJobs: (jobs: Job[]) => void;
	/** Sets the jobs that exist already and that the operation waits for. */
	awaitJobs: (jobs: readonly Job[]) => void;
	/**
	 * Sends the entries of a list, such as the videos of a batch. If the service rejects some
	 * entries, their items fail, and the remaining entries are sent again. Returns the accepted
	 * entries with the response; the response is undefined if no entry was accepted.
	 */
	sendEntries: <E extends { item: number; entry: IDataObject }>(
		entries: readonly E[],
		send: (entries: readonly E[]) => Promise<IDataObject>,
	) => Promise<{ entries: readonly E[]; reply?: IDataObject }>;
}

/**
 * Group of operations on one type of object in the service, such as videos. n8n calls it a
 * resource, and users select it in the form.
 */
export interface Resource {
	name: string;
	/** Value that workflows store for this resource. Never change it after a release. */
	value: string;
	/** Key for the ID in this resource's output items, such as `video_id`. */
	id?: string;
	/**
	 * Operations in the order shown in the form. A new node starts with the first operation of its
	 * first resource.
	 */
	operations: readonly Operation[];
}

/** Settings of an operation that combines several input items into one request. */
interface CombinedRequest<V> {
	/**
	 * Maximum total size of the items in one request. Each item counts as 1 unless `getSize` returns
	 * another size.
	 */
	maxSize: number;
	/** Returns the size of an item, such as the number of IDs in it. The default is 1. */
	getSize?(values: V): number;
	/**
	 * Names of the form values that apply to the whole request. Items are combined only if these
	 * values are the same.
	 */
	sharedBy?: readonly string[];
	/**
	 * Key of the list in the request body that contains an entry for each item, such as `videos`.
	 * If the service rejects an entry, the request is sent again without that entry.
	 */
	list?: string;
	/**
	 * Kind of job that the service starts for each row of a batch. Each row becomes an output item.
	 */
	rows?: JobKind;
	/**
	 * Builds the body of a combined request from all of its items. The function `query` builds the
	 * query parameters in the same way.
	 */
	body?(all: ReadonlyArray<OperationItem<V>>): IDataObject;
	query?(all: ReadonlyArray<OperationItem<V>>): IDataObject;
}

/**
 * Simulated service response to a create request. The Check Only option builds sample output from
 * it.
 */
export interface SampleReply {
	reply?: IDataObject;
	/**
	 * Kind of job that the request would start. Needed only if the operation's own definition does
	 * not specify it.
	 */
	starts?: JobKind;
	/** Sample file in the output, described by its binary field, name and type. */
	file?: { field: string; name: FileNameInputs; type: FileType };
}

interface Definition<F extends readonly Field[], O extends readonly Field[]> {
	/**
	 * Value that workflows store for this operation. Unique within the resource. Never change it
	 * after a release.
	 */
	value: string;
	/** Label in the form's list of operations. */
	name: string;
	/**
	 * Name of the operation in the node's list of actions, such as `Create folder`. Also used in
	 * the node's subtitle and in its description for AI agents.
	 */
	action: string;
	description: string;
	/**
	 * HTTP method and path of the endpoint. Each `{name}` in the path is replaced with the value of
	 * the form field of that name. Other fields are sent in the body (POST, PUT, PATCH) or in the
	 * query (GET, DELETE). Unset fields are not sent.
	 */
	request: string;
	fields?: F;
	options?: O;
	/**
	 * Checks values that depend on each other. Returns an error message for each problem; `false`
	 * entries are ignored.
	 */
	check?(values: OperationFormValues<F, O>): Array<string | false>;
	/**
	 * Throws an error if data from the service shows that the values are invalid: for example, the
	 * voice does not support pauses. The node checks all items before it sends any item's request.
	 */
	reject?(values: OperationFormValues<F, O>, client: Client): Promise<void>;
	/**
	 * Returns an error message for each value that the service would reject. Runs only with the
	 * Check Only option: in a normal run, the service itself reports these errors.
	 */
	verify?(values: OperationFormValues<F, O>, client: Client): Promise<string[]>;
	/**
	 * Builds the request body for an operation whose form values cannot be sent as they are. May send
	 * other requests first.
	 */
	body?(
		item: OperationItem<OperationFormValues<F, O>>,
		client: Client,
	): IDataObject | Promise<IDataObject>;
	/**
	 * Builds the query parameters for an operation whose form values cannot be sent as they are.
	 * May send other requests first.
	 */
	query?(
		item: OperationItem<OperationFormValues<F, O>>,
		client: Client,
	): IDataObject | Promise<IDataObject>;
	/**
	 * Settings for combining several items into one request. Undefined if each item is sent in its
	 * own request.
	 */
	combine?: CombinedRequest<OperationFormValues<F, O>>;
	/**
	 * Operation that creates one row of a batch in its own request. Used if Pay Once Per is set to
	 * Same Request or Own Key: a request has one idempotency key, so the service can only recognize
	 * each row if each has its own request.
	 */
	rowOperation?: Operation;
	/** Whether this operation is the `rowOperation` of a batch operation. */
	isSingleRow?: true;
	/**
	 * Set if the response is a list whose rows become separate items. `pageSize` is the maximum
	 * number of rows per page; `unpaged` means that one response contains all rows. `dated` adds
	 * filters by creation time, for lists whose rows have a `created_at`.
	 */
	list?: { pageSize: number; dated?: true } | 'unpaged';
	/**
	 * Keys that an output item keeps, in addition to its ID, if the Simplify option is on. A nested
	 * key is written as a path, such as `event_data.video_id`.
	 */
	simple?: readonly string[];
	/**
	 * Key for the ID in output items, if it differs from the resource's key. Null if the items have
	 * no ID.
	 */
	itemId?: string | null;
	/**
	 * Output keys, in addition to the ID, that the node's description for AI agents lists. If the
	 * operation starts a job, these are the keys of the finished job's item. By default, an
	 * operation that starts one kind of job lists the status and the result URLs. Other operations
	 * list keys from `simple`.
	 */
	returns?: readonly string[];
	/** Extracts the data from a response that does not contain it under the usual key `data`. */
	unwrap?(reply: IDataObject): unknown;
	/**
	 * How the service accepts an idempotency key for this operation: `true` for the header
	 * `Idempotency-Key`, or the name of a body field (docs/service.md, Idempotency). `unconfirmed`
	 * sends the header although the specification does not promise that it has an effect. In this
	 * case, the node itself also tracks what earlier attempts created. Undefined if the service
	 * accepts no key.
	 */
	idempotent?: true | 'unconfirmed' | { bodyField: string };
	/** Whether a POST request is safe to repeat. Set if sending it again has no further effect. */
	repeatable?: boolean;
	/**
	 * Number of milliseconds to wait for the response. Set for endpoints that respond only after all
	 * work is done.
	 */
	timeout?: number;
	/**
	 * Maximum number of requests per minute that the service accepts from one member of the account.
	 */
	perMinuteLimit?: PerMinuteLimit;
	/**
	 * Kind of job that the request starts, or a function that returns either the kind or the
	 * started jobs.
	 */
	starts?: JobKind | ((reply: IDataObject, values: IDataObject) => JobKind | Job[]);
	/**
	 * Whether the operation waits for jobs that exist already, which its `execute` function finds. It
	 * starts nothing, and always waits.
	 */
	awaits?: true;
	/**
	 * Name of the service's limit on running jobs that applies to this operation. Set only if the
	 * limit does not follow from the kind of job.
	 */
	capacityLimit?: string;
	/**
	 * Whether the service can stop this operation's jobs. If so, the form has an option to stop
	 * them when the user stops the execution.
	 */
	stoppable?: true;
	/**
	 * Sentence in the form that says how long the job takes. Needed only if `starts` is a function;
	 * otherwise, the kind of job provides the sentence.
	 */
	durationHint?: string;
	/**
	 * Files that the job can produce. The form offers them under Download, and the selected ones are
	 * downloaded when the job is completed. Needed only if `starts` is a function or if each part of
	 * the result has its own files; otherwise, the kind of job provides the files.
	 */
	files?: readonly ResultFileType[];
	/** Whether users can enter `*` to refer to all binary fields of an item. */
	acceptsAllFiles?: true;
	/**
	 * Whether the service charges for the operation. By default, true only if the operation starts
	 * a job.
	 */
	paid?: boolean;
	/** Price that the service publishes for the operation, such as `7.00 USD for each video`. */
	price?: string;
	/**
	 * Whether the operation permanently deletes or ends something. By default, true only for DELETE
	 * requests.
	 */
	destructive?: boolean;
	/** Returns the number of jobs that the operation starts for one input item. The default is 1. */
	countJobs?(values: OperationFormValues<F, O>): number;
	/**
	 * Sample response for the Check Only option, without the job's ID. A function if the response
	 * depends on the form values. The placeholder `{n}` in a string is replaced with the item
	 * number. Tests of paid operations compare its keys with those of a finished run.
	 */
	sample?: SampleReply | ((values: OperationFormValues<F, O>) => SampleReply);
	/**
	 * Advice for the user if the connection breaks before the response arrives: what the service may
	 * have created anyway, and how to find it.
	 */
	uncertainOutcomeHint?: string;
	/**
	 * Explanations of errors that mean something specific to this operation. The keys are error
	 * codes, or `status_` followed by the HTTP status.
	 */
	explanations?: ErrorExplanations;
	/**
	 * Transforms the output items of a request, for example to output each part of a result as its
	 * own item. If the node waits for the job, this happens after the job has ended.
	 */
	reshapeItems?(
		items: INodeExecutionData[],
		values: OperationFormValues<F, O>,
	): INodeExecutionData[];
	/**
	 * Executes an operation that a single plain request cannot handle: a file transfer, a stream,
	 * or several requests in a row. Must send its requests with `send` and `stream`, so that retries,
	 * limits and the other settings apply to them.
	 */
	execute?(
		context: ExecuteContext & OperationItem<OperationFormValues<F, O>>,
	): Promise<INodeExecutionData[]>;
}

/** Type of every node operation, regardless of its form fields. */
export type Operation = Definition<readonly Field[], readonly Field[]>;

/**
 * Defines an operation of a node. Returns its argument; the function exists so that TypeScript
 * infers the types of the form values from the schemas of the fields.
 */
export const defineOperation = <
	const F extends readonly Field[] = readonly [],
	const O extends readonly Field[] = readonly [],
>(
	definition: Definition<F, O>,
): Operation => definition;

/** Operation together with the resource that it belongs to in the form. */
export interface ResourceOperation {
	resource: Resource;
	operation: Operation;
}
