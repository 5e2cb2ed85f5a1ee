/**
 * Types of operations. An operation describes one endpoint of the API as data: its request line,
 * its fields and the jobs that its reply starts. `execute.ts` executes operations, and `describe/`
 * builds their forms.
 */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Explanations } from './errors/advice';
import type { DownloadableFile, OperationValues } from './form/commonFields';
import type { Field } from './form/field';
import type { Client } from './http/client';
import type { PerMinuteLimit } from './http/trafficPolicy';
import type { FileStream } from './http/reply';
import type { Job, JobKind } from './jobs/types';

/** Checked values of one item, as the functions of an operation receive them. */
export interface OperationItem<V> {
	values: V;
	/**
	 * Values that are sent in the body under their own names, without local fields and path
	 * identifiers.
	 */
	payload: IDataObject;
	input: INodeExecutionData;
}

/** Request that creates something, or one of the uploads that it needs. */
export interface KeyedCreate {
	/** Request line with its path identifiers. */
	line: string;
	/**
	 * Distinguishes the request from others of the same item with the same request line, for example
	 * by the name of the binary field that it uploads.
	 */
	name?: string;
	/** Content that is created. Only keys that depend on the content use it. */
	content: unknown;
}

/** Returns the `Idempotency-Key` values of one planned request and its uploads. */
export interface IdempotencyKeys {
	/** Returns the key of a create. It stays the same when n8n retries the node. */
	getKey(create: KeyedCreate): string;
	/** Whether other executions send the same keys. */
	outlivesExecution: boolean;
	/**
	 * Returns an ID for the position of a create in the run. This process stores its outcome under it.
	 */
	getPlace(create: Omit<KeyedCreate, 'content'>): string;
}

/** Context of an upload: the item with the file, and the keys of the request that needs it. */
export interface UploadContext {
	n8n: IExecuteFunctions;
	client: Client;
	itemIndex: number;
	keys: IdempotencyKeys;
}

export interface UploadedFile {
	/** ID of the new asset. */
	id: string;
	/** Identifies the bytes of the file. Unlike the asset ID, it is equal for equal files. */
	content: string;
}

/** Uploads a binary field of an item. */
export type BinaryInputUploader = (context: UploadContext, field: string) => Promise<UploadedFile>;

/** Functions that the core receives from its caller, because it knows no resources. */
export interface OperationDependencies {
	upload: BinaryInputUploader;
	/** Reads how much the account has left, and the unit of that amount. */
	balance: (client: Client) => Promise<{ left: number; unit: string }>;
}

/** Context of an operation's own `execute`, in addition to the item. */
export interface ExecuteContext extends UploadContext {
	/** All items of the request if the operation combines several, otherwise the one item. */
	combinedItems: ReadonlyArray<{ item: number; values: IDataObject }>;
	/**
	 * Sends the request of the operation with the Additional Body Fields, the idempotency key and the
	 * operation's retry rules. Returns `data` of the reply.
	 *
	 * @param body replaces the body that is built from the values
	 * @param options.survivesStop whether the request may finish after the Stop button, because its
	 * reply names something paid
	 */
	send: (body?: IDataObject, options?: { survivesStop?: boolean }) => Promise<IDataObject>;
	/**
	 * Sends the operation's own request and reads the reply as it arrives. When n8n retries the node,
	 * the earlier result of `read` is returned without a second request.
	 */
	stream: <T>(read: (stream: FileStream) => Promise<T>, headers?: IDataObject) => Promise<T>;
	/** Records jobs that have been started, so that every later result or error names them. */
	recordJobs: (jobs: Job[]) => void;
}

/** Kind of thing in the service, with its operations. */
export interface Resource {
	name: string;
	/** Stored in workflows: never change it after a release. */
	value: string;
	/** Key under which every item of the resource carries its ID, such as `video_id`. */
	id?: string;
	/**
	 * Operations in the order of the list. New nodes start with the first one of the first resource.
	 */
	operations: readonly Operation[];
}

/** Describes how one request combines several items. */
interface CombinedRequest<V> {
	/** Maximum size of one request: a number of items, or the sum of `getSize`. */
	maxSize: number;
	/** Returns the size of an item. The default is 1. */
	getSize?(values: V): number;
	/**
	 * Names of values that apply to the whole request. Items with different values go into separate
	 * requests.
	 */
	sharedBy?: readonly string[];
	/** Kind of job that the batch starts for each row. Each row becomes an output item. */
	rows?: JobKind;
	/** Builds the body, or the query, of all items together. */
	body?(all: ReadonlyArray<OperationItem<V>>): IDataObject;
	query?(all: ReadonlyArray<OperationItem<V>>): IDataObject;
}

interface Definition<F extends readonly Field[], O extends readonly Field[]> {
	/** Stored in workflows: never change it after a release. Unique within the resource. */
	value: string;
	name: string;
	action: string;
	description: string;
	/** Method and path. `{name}` stands for the field of that name, as one path segment. */
	request: string;
	fields?: F;
	options?: O;
	/** Returns problems with a combination of values, as sentences. `false` entries are skipped. */
	check?(values: OperationValues<F, O>): Array<string | false>;
	/**
	 * Throws if the service must be asked to validate the values and they are invalid. Runs before
	 * anything is sent.
	 */
	refuse?(values: OperationValues<F, O>, client: Client): Promise<void>;
	/** Builds the body if the plain values are not sufficient. May send other requests first. */
	body?(
		item: OperationItem<OperationValues<F, O>>,
		client: Client,
	): IDataObject | Promise<IDataObject>;
	query?(
		item: OperationItem<OperationValues<F, O>>,
		client: Client,
	): IDataObject | Promise<IDataObject>;
	/** Sends several items as one request. */
	combine?: CombinedRequest<OperationValues<F, O>>;
	/**
	 * If set, each row of the reply becomes an item. `pageSize` is the maximum number of rows per page;
	 * `unpaged` means that one reply has all rows. `dated` means that rows have a `created_at`, which
	 * Created After and Created Before need.
	 */
	list?: { pageSize: number; dated?: true } | 'unpaged';
	/** Keys that Simplify keeps in addition to the ID. Nested keys are written as a path. */
	simple?: readonly string[];
	/**
	 * Key under which the items carry their ID, if it differs from the resource's. Null for no ID.
	 */
	itemId?: string | null;
	/** Returns the data of a reply that does not have it under `data`. */
	unwrap?(reply: IDataObject): unknown;
	/**
	 * Whether the create accepts an `Idempotency-Key` (docs/service.md, Idempotency), in the header
	 * or in a field of the body.
	 */
	idempotent?: true | { bodyField: string };
	/** Whether a second POST is harmless, because it sets or ends the same thing. */
	repeatable?: boolean;
	/** Milliseconds to wait for the reply, if the service replies only after the work is done. */
	timeout?: number;
	/** Maximum number of requests per minute that the service accepts from one member. */
	perMinuteLimit?: PerMinuteLimit;
	/** Kind of job that the reply starts, or a function that finds the jobs in the reply. */
	starts?: JobKind | ((reply: IDataObject, values: IDataObject) => JobKind | Job[]);
	/** Limit of running jobs that the job counts for, if `starts` is a function. */
	capacityLimit?: string;
	/** Sentence for the form about how long the job takes, if `starts` is a function. */
	durationHint?: string;
	/**
	 * Files that the result of the job may contain. Download adds them to the item after the wait.
	 */
	files?: readonly DownloadableFile[];
	/** Whether the operation is charged. By default, operations that start a job are. */
	paid?: boolean;
	/** Price if the service publishes one, such as `7.00 USD for each video`. */
	price?: string;
	/**
	 * Whether the operation ends or deletes something permanently. By default, only a DELETE does.
	 */
	destructive?: boolean;
	/** Returns the number of jobs that an item starts. The default is 1. */
	countJobs?(values: OperationValues<F, O>): number;
	/** Hint for the user about what may exist after the connection broke, and how to find it. */
	uncertainOutcomeHint?: string;
	/**
	 * Explanations of refusals that have a special meaning here, by code or by `status_` and the HTTP
	 * status.
	 */
	explanations?: Explanations;
	/**
	 * Reshapes the items of one request after any wait, for example into one item per part of a
	 * result.
	 */
	reshapeItems?(items: INodeExecutionData[], values: OperationValues<F, O>): INodeExecutionData[];
	/** Replaces the plain request, for files, streams and sequences of requests. */
	execute?(
		context: ExecuteContext & OperationItem<OperationValues<F, O>>,
	): Promise<INodeExecutionData[]>;
}

/** Operation as the core uses it, with the types of its values erased. */
export type Operation = Definition<readonly Field[], readonly Field[]>;

/** Declares an operation. The types of `values` follow from the schemas of the fields. */
export const operation = <
	const F extends readonly Field[] = readonly [],
	const O extends readonly Field[] = readonly [],
>(
	definition: Definition<F, O>,
): Operation => definition;

/** Operation with the resource that it belongs to. */
export interface ResourceOperation {
	resource: Resource;
	operation: Operation;
}
