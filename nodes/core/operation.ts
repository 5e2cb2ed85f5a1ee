/**
 * Types of operations. An operation describes one endpoint of the API as data: its request line,
 * its form fields and the jobs that it starts. `execute.ts` runs operations, and `describe/` builds
 * their forms.
 */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { ErrorExplanations } from './errors/advice';
import type { FileNameParts } from './files/fileNames';
import type { FileType } from './files/fileType';
import type { OperationValues } from './form/commonFields';
import type { Field } from './form/field';
import type { Client } from './http/client';
import type { PerMinuteLimit } from './http/trafficPolicy';
import type { ByteStream } from './http/reply';
import type { Job, JobKind, ResultFile } from './jobs/types';

/** Input item with its checked parameter values, as passed to the functions of an operation. */
export interface OperationItem<V> {
	values: V;
	/**
	 * Values that are sent in the request body under their own names. Path identifiers and local
	 * fields are not included.
	 */
	payload: IDataObject;
	input: INodeExecutionData;
}

/**
 * Describes a create request, or one of its uploads. The idempotency key of the request is derived
 * from this description.
 */
export interface CreateRequestIdentity {
	/** Request line followed by its path identifiers, such as `POST /v3/x/{id} 42`. */
	line: string;
	/**
	 * Distinguishes several requests of one item that have the same request line, for example
	 * uploads of different binary fields.
	 */
	name?: string;
	/**
	 * Content that the request sends. The idempotency key depends on it only if the user sets Pay
	 * Once Per to Same Request.
	 */
	content: unknown;
	/** Rows of a batch, in the order in which they are sent. */
	rows?: readonly RowIdentity[];
}

/** Identifies the content of one row of a batch. */
export interface RowIdentity {
	/** Hash of the content of the row, and of the values that apply to the whole batch. */
	digest: string;
	/** Idempotency key that the user set for the row. */
	ownKey?: string;
}

/** Provides the idempotency keys of a planned request and its uploads. */
export interface IdempotencyKeyProvider {
	/**
	 * Returns the idempotency key of a create request. It stays the same when n8n retries the node,
	 * unless the job failed and must be created again.
	 */
	getKey(create: CreateRequestIdentity): string;
	/**
	 * Whether later executions use the same keys, so that the service returns the earlier result
	 * instead of creating another one.
	 */
	outlivesExecution: boolean;
	/**
	 * Returns an ID for a create request, derived from the node, its run, the items and the request
	 * line. This process stores the outcome of the request under that ID.
	 */
	getPlace(create: Pick<CreateRequestIdentity, 'line' | 'name'>): string;
}

/**
 * Context for uploading a file: the item that has the file, and the idempotency keys of the request
 * that needs it.
 */
export interface UploadContext {
	n8n: IExecuteFunctions;
	client: Client;
	itemIndex: number;
	keys: IdempotencyKeyProvider;
}

export interface UploadedFile {
	/** ID of the uploaded asset in the service. */
	id: string;
	/**
	 * Text that identifies the content of the file. It is equal for equal files, unlike the asset
	 * ID, which is new for each upload.
	 */
	content: string;
}

/** Function that uploads the file in a binary field of an item. */
export type BinaryInputUploader = (context: UploadContext, field: string) => Promise<UploadedFile>;

/** Balance of the account: what is left, and in which unit, such as `USD` or `credits`. */
export interface Balance {
	left: number;
	unit: string;
}

/**
 * Functions that the caller passes to the core, because the core contains no code for specific
 * resources.
 */
export interface OperationDependencies {
	upload: BinaryInputUploader;
	/**
	 * Returns the remaining balance of the account.
	 *
	 * @param isOptional whether the run continues without the balance, so that failed reads are not
	 * retried for long
	 */
	balance: (client: Client, isOptional: boolean) => Promise<Balance>;
}

/** Context that an operation's own `execute` receives in addition to the item. */
export interface ExecuteContext extends UploadContext {
	/**
	 * Indexes and values of all items in the request: several if the operation combines items,
	 * otherwise one.
	 */
	combinedItems: ReadonlyArray<{ item: number; values: IDataObject }>;
	/**
	 * Sends the operation's request and returns `data` of the reply. Adds the Additional Body
	 * Fields and the idempotency key, and follows the operation's retry rules.
	 *
	 * @param body replaces the body that is built from the values
	 * @param options.survivesStop whether the request may finish after the user presses Stop,
	 * because its reply contains the ID of something paid
	 */
	send: (body?: IDataObject, options?: { survivesStop?: boolean }) => Promise<IDataObject>;
	/**
	 * Sends the operation's request and passes the reply to `read` while it arrives. When n8n
	 * retries the node, returns the earlier result of `read` without a second request.
	 */
	stream: <T>(read: (stream: ByteStream) => Promise<T>, headers?: IDataObject) => Promise<T>;
	/**
	 * Records the jobs that a request has started, so that later results and errors refer to them.
	 */
	recordJobs: (jobs: Job[]) => void;
	/**
	 * Sends entries of the request's list until the service accepts them, without the rows that it
	 * refuses: their items fail. Returns the accepted entries with the reply, which is undefined if
	 * there are none.
	 */
	sendEntries: <E extends { item: number; entry: IDataObject }>(
		entries: readonly E[],
		send: (entries: readonly E[]) => Promise<IDataObject>,
	) => Promise<{ entries: readonly E[]; reply?: IDataObject }>;
}

/**
 * Resource in the n8n sense, such as Video: a type of object in the service, with its operations.
 */
export interface Resource {
	name: string;
	/** Value that workflows store for this resource. Never change it after a release. */
	value: string;
	/** Key of the ID in every item of this resource, such as `video_id`. */
	id?: string;
	/**
	 * Operations in the order of the form. A new node starts with the first operation of its first
	 * resource.
	 */
	operations: readonly Operation[];
}

/** Describes how an operation combines several items into one request. */
interface CombinedRequest<V> {
	/**
	 * Maximum total size of the items in one request. Each item counts as 1 unless `getSize`
	 * returns another size.
	 */
	maxSize: number;
	/** Returns the size of an item, such as its number of IDs. The default is 1. */
	getSize?(values: V): number;
	/**
	 * Names of values that apply to the whole request. Items are combined only if these values are
	 * equal.
	 */
	sharedBy?: readonly string[];
	/**
	 * Name of the list in the request body that has an entry for each item, such as `videos`.
	 * Entries that the service refuses are left out.
	 */
	list?: string;
	/** Kind of job that a batch starts for each of its rows. Each row becomes an output item. */
	rows?: JobKind;
	/**
	 * Builds the request body from all items together. `query` does the same for the query
	 * parameters.
	 */
	body?(all: ReadonlyArray<OperationItem<V>>): IDataObject;
	query?(all: ReadonlyArray<OperationItem<V>>): IDataObject;
}

/** Imaginary reply of the service to a create request. */
export interface SampleReply {
	reply?: IDataObject;
	/** Kind of the job that the reply starts, if `starts` does not show it. */
	starts?: JobKind;
	/** Binary field of the file that the operation outputs, with the name and type of the file. */
	file?: { field: string; name: FileNameParts; type: FileType };
}

interface Definition<F extends readonly Field[], O extends readonly Field[]> {
	/**
	 * Value that workflows store for this operation. Unique within the resource. Never change it
	 * after a release.
	 */
	value: string;
	name: string;
	action: string;
	description: string;
	/**
	 * HTTP method and path. Each `{name}` in the path is replaced with the value of that field, as
	 * one path segment.
	 */
	request: string;
	fields?: F;
	options?: O;
	/**
	 * Checks values that depend on each other. Returns a sentence for each problem; `false` entries
	 * are ignored.
	 */
	check?(values: OperationValues<F, O>): Array<string | false>;
	/**
	 * Throws if the values are invalid in a way that only the service can detect. Runs before the
	 * request of any item is sent.
	 */
	refuse?(values: OperationValues<F, O>, client: Client): Promise<void>;
	/**
	 * Returns a sentence for each problem that the service would refuse the request for. Only Check
	 * Only calls it, because it sends requests that a normal run does not need.
	 */
	verify?(values: OperationValues<F, O>, client: Client): Promise<string[]>;
	/**
	 * Builds the request body if it differs from the plain values. May send other requests first.
	 */
	body?(
		item: OperationItem<OperationValues<F, O>>,
		client: Client,
	): IDataObject | Promise<IDataObject>;
	query?(
		item: OperationItem<OperationValues<F, O>>,
		client: Client,
	): IDataObject | Promise<IDataObject>;
	/** Set if the operation can combine several items into one request. */
	combine?: CombinedRequest<OperationValues<F, O>>;
	/**
	 * Set if the reply is a list, each row of which becomes an item. `pageSize` is the maximum
	 * number of rows per page, and `unpaged` means that one reply contains all rows. `dated` means
	 * that each row has a `created_at`, which the filters Created After and Created Before need.
	 */
	list?: { pageSize: number; dated?: true } | 'unpaged';
	/**
	 * Keys that an item keeps when it is simplified, in addition to the ID. A nested key is written
	 * as a path, such as `event_data.video_id`.
	 */
	simple?: readonly string[];
	/**
	 * Key of the ID in the output items, if it differs from that of the resource. Null if the items
	 * have no ID.
	 */
	itemId?: string | null;
	/**
	 * Keys of the finished output items, besides the ID, that the descriptions for language models
	 * name. The default is the status with the URLs of the results, or the keys of `simple`.
	 */
	returns?: readonly string[];
	/** Returns the data from a reply that does not contain it under `data`. */
	unwrap?(reply: IDataObject): unknown;
	/**
	 * How the service accepts an idempotency key: `true` for the header `Idempotency-Key`, or the
	 * name of a body field (docs/service.md, Idempotency). `unconfirmed` stands for the header
	 * where the specification does not promise it: this process then also remembers what earlier
	 * attempts of the node have created. Undefined if the service accepts no key.
	 */
	idempotent?: true | 'unconfirmed' | { bodyField: string };
	/**
	 * Whether it is safe to send the POST request twice, because the second request changes nothing
	 * more.
	 */
	repeatable?: boolean;
	/**
	 * Milliseconds to wait for the reply. Set if the service replies only after it has finished the
	 * work.
	 */
	timeout?: number;
	/** Maximum number of requests per minute that the service accepts from one account member. */
	perMinuteLimit?: PerMinuteLimit;
	/**
	 * Kind of job that the request starts, or a function that returns the kind or the started jobs.
	 */
	starts?: JobKind | ((reply: IDataObject, values: IDataObject) => JobKind | Job[]);
	/** Limit on running jobs that the job counts toward, if `starts` is not the kind of the job. */
	capacityLimit?: string;
	/**
	 * Whether the service can stop every job that the operation starts. Users can then choose that
	 * stopping the execution stops the jobs too.
	 */
	stoppable?: true;
	/**
	 * Sentence for the form about how long the job takes. Needed if `starts` is a function, because
	 * the form then cannot take the sentence from the kind of job.
	 */
	durationHint?: string;
	/**
	 * Types of file that the job can produce. Users select them under Download, and the node adds
	 * them to the item after the wait.
	 */
	files?: readonly ResultFile[];
	/** Whether users can enter `*` for all binary fields of an item. */
	acceptsAllFiles?: true;
	/**
	 * Whether the service charges for the operation. The default is true for operations that start
	 * a job.
	 */
	paid?: boolean;
	/** Price that the service publishes for the operation, such as `7.00 USD for each video`. */
	price?: string;
	/**
	 * Whether the operation permanently deletes or ends something. The default is true only for
	 * DELETE requests.
	 */
	destructive?: boolean;
	/** Returns the number of jobs that one item starts. The default is 1. */
	countJobs?(values: OperationValues<F, O>): number;
	/**
	 * What the service would reply, for samples: the keys besides the ID of the job. A function, if
	 * they depend on the values. `{n}` stands for the number of the item.
	 */
	sample?: SampleReply | ((values: OperationValues<F, O>) => SampleReply);
	/**
	 * Hint for the user if the connection breaks before the reply arrives: what may have been
	 * created, and how to find it.
	 */
	uncertainOutcomeHint?: string;
	/**
	 * Explanations of errors that have a special meaning for this operation. The keys are error
	 * codes, or `status_` followed by the HTTP status.
	 */
	explanations?: ErrorExplanations;
	/**
	 * Transforms the output items of a request, after its jobs have ended if the node waits for
	 * them. For example, outputs each part of a result as a separate item.
	 */
	reshapeItems?(items: INodeExecutionData[], values: OperationValues<F, O>): INodeExecutionData[];
	/**
	 * Executes the operation in place of the default single request, for files, streams or several
	 * requests.
	 */
	execute?(
		context: ExecuteContext & OperationItem<OperationValues<F, O>>,
	): Promise<INodeExecutionData[]>;
}

/** Operation as the core uses it, without the specific types of its parameter values. */
export type Operation = Definition<readonly Field[], readonly Field[]>;

/**
 * Declares an operation. TypeScript infers the types of `values` from the schemas of the fields.
 */
export const operation = <
	const F extends readonly Field[] = readonly [],
	const O extends readonly Field[] = readonly [],
>(
	definition: Definition<F, O>,
): Operation => definition;

/** Operation together with the resource that it belongs to. */
export interface ResourceOperation {
	resource: Resource;
	operation: Operation;
}
