/**
 * What an operation is: a row of the API as data. It states its request line, its fields and what
 * its reply starts. `execute.ts` carries it out, `describe/` makes its form. Types only.
 */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Explanations } from './errors/advice';
import type { OfferedFile, OperationValues } from './form/commonFields';
import type { Field } from './form/field';
import type { Client } from './http/client';
import type { PerMinuteLimit } from './http/trafficPolicy';
import type { FileStream } from './http/reply';
import type { Job, JobKind } from './jobs/types';

/** The checked values of one item, as the hooks of an operation get them. */
export interface OperationItem<V> {
	values: V;
	/** The values sent in the body under their own names: no local fields, no path identifiers. */
	payload: IDataObject;
	/** The input item. */
	input: INodeExecutionData;
}

/** One request that creates something, or one of the uploads that it needs. */
export interface KeyedCreate {
	/** Request line with its path identifiers. */
	line: string;
	/** Tells it from other creates of the same item and line, such as the name of a binary field. */
	name?: string;
	/** What is created. Used only by keys that depend on the content. */
	content: unknown;
}

/** The `Idempotency-Key` values of one planned request and of its uploads. */
export interface IdempotencyKeys {
	/** The key to send: the same again when n8n retries the node. */
	key(create: KeyedCreate): string;
	/** Whether another execution sends the same keys. */
	lasting: boolean;
	/** Where in the run the create belongs. This process remembers its outcome under that name. */
	place(create: Omit<KeyedCreate, 'content'>): string;
}

/** What an upload needs to know about the request that it belongs to. */
export interface UploadContext {
	n8n: IExecuteFunctions;
	client: Client;
	itemIndex: number;
	keys: IdempotencyKeys;
}

/** An uploaded file. */
export interface UploadedFile {
	/** ID of the new asset. */
	id: string;
	/** Identifies the bytes of the file, whichever asset they became. */
	content: string;
}

/** Uploads a binary field of an item. */
export type UploadBinaryInput = (context: UploadContext, field: string) => Promise<UploadedFile>;

/** Functions that the core needs from outside, because it knows no resource. */
export interface OperationDependencies {
	upload: UploadBinaryInput;
	/** What the account has left, and in which unit. */
	balance: (client: Client) => Promise<{ left: number; unit: string }>;
}

/** What an operation's own `execute` gets in addition to the item. */
export interface ExecuteContext extends UploadContext {
	/** All items of the request, if the operation combines several; otherwise the one item. */
	combinedItems: ReadonlyArray<{ item: number; values: IDataObject }>;
	/**
	 * Sends the operation's own request as the core would: with the Additional Body Fields, the
	 * idempotency key and the operation's retry rules. Returns `data` of the reply.
	 *
	 * @param body replaces the body made from the values
	 * @param options.survivesStop the reply names something paid: the Stop button does not cut it at once
	 */
	send: (body?: IDataObject, options?: { survivesStop?: boolean }) => Promise<IDataObject>;
	/**
	 * Sends the operation's own request and reads the reply while it arrives. When n8n retries the
	 * node, the result of `read` is returned again instead of a second request.
	 */
	stream: <T>(read: (stream: FileStream) => Promise<T>, headers?: IDataObject) => Promise<T>;
	/** Records jobs that exist from now on, so that every later outcome names them. */
	started: (jobs: Job[]) => void;
}

/** A kind of thing in the service, with its operations. */
export interface Resource {
	name: string;
	/** Stored in workflows: never change it after a release. */
	value: string;
	/** Key under which every item of the resource carries its ID, such as `video_id`. */
	id?: string;
	/** In the order of the list. A new node starts with the first one of the first resource. */
	operations: readonly Operation[];
}

/** How one request carries several items. */
interface CombinedRequest<V> {
	/** The most that fits into one request, in items or in what `getSize` counts. */
	maxSize: number;
	/** How much of `maxSize` an item takes, if that is not 1. */
	getSize?(values: V): number;
	/** Values that apply to the whole request: items that differ in them go into separate requests. */
	sharedBy?: readonly string[];
	/** The kind of job that the batch makes of each row: the items are returned row by row. */
	rows?: JobKind;
	/** The body, or the query, of all items together. */
	body?(all: ReadonlyArray<OperationItem<V>>): IDataObject;
	query?(all: ReadonlyArray<OperationItem<V>>): IDataObject;
}

interface Definition<F extends readonly Field[], O extends readonly Field[]> {
	/** Stored in workflows: never change it after a release. Unique within the resource. */
	value: string;
	name: string;
	action: string;
	description: string;
	/** Method and path. `{name}` takes the field of that name as one path segment. */
	request: string;
	fields?: F;
	options?: O;
	/** Problems with a combination of values, as sentences; `false` entries are skipped. */
	check?(values: OperationValues<F, O>): Array<string | false>;
	/** Throws if the service must be asked whether the values are right. Runs before anything is sent. */
	refuse?(values: OperationValues<F, O>, client: Client): Promise<void>;
	/** Makes the body if the plain values are not enough. May send requests of its own first. */
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
	 * Each row of the reply becomes an item: pages of at most `pageSize` rows, or all in one reply.
	 * Rows of `dated` lists have a `created_at`, so that Created After and Created Before work.
	 */
	list?: { pageSize: number; dated?: true } | 'unpaged';
	/** Keys that an item keeps in addition to its ID when Simplify is on; nested ones as a path. */
	simple?: readonly string[];
	/** Key under which the items carry their ID, if it is not the resource's; null for no ID. */
	itemId?: string | null;
	/** Finds the data of a reply that does not have it under `data`. */
	unwrap?(reply: IDataObject): unknown;
	/**
	 * The create accepts an `Idempotency-Key` (docs/service.md, Idempotency), in the header or in
	 * a field of the body.
	 */
	idempotent?: true | { bodyField: string };
	/** A second POST does no harm, because it sets or ends the same thing. */
	repeatable?: boolean;
	/** Milliseconds to wait for the reply, if the service replies only when the work is done. */
	timeout?: number;
	/** The most requests per minute that the service takes from one member. */
	perMinuteLimit?: PerMinuteLimit;
	/** The kind of job that the reply starts, or a function that finds the jobs in the reply. */
	starts?: JobKind | ((reply: IDataObject, values: IDataObject) => JobKind | Job[]);
	/** How long the job takes, as a sentence for the form, if `starts` is a function. */
	durationHint?: string;
	/** Files that the job's result may hold. Download adds them to the item after the wait. */
	files?: readonly OfferedFile[];
	/** Whether it costs something, if that differs from whether it starts a job. */
	paid?: boolean;
	/** The price if the service publishes one, such as `7.00 USD for each video`. */
	price?: string;
	/** It ends or deletes something for good, although it is not a DELETE. */
	destructive?: boolean;
	/** How many jobs an item makes, if that is not one. */
	countJobs?(values: OperationValues<F, O>): number;
	/** What may exist after a broken connection, and how the user can find it. */
	uncertainOutcomeHint?: string;
	/** Texts for refusals that mean something special here, by code, or by `status_` and number. */
	explanations?: Explanations;
	/** Reshapes the items of one request after any wait: one item per part of a result, for example. */
	reshapeItems?(items: INodeExecutionData[], values: OperationValues<F, O>): INodeExecutionData[];
	/** Replaces plain sending, for files, streams and chains of requests. */
	execute?(
		context: ExecuteContext & OperationItem<OperationValues<F, O>>,
	): Promise<INodeExecutionData[]>;
}

/** An operation whose value types are erased, as the core sees it. */
export type Operation = Definition<readonly Field[], readonly Field[]>;

/** Declares an operation. The types of `values` follow from the schemas of the fields. */
export const operation = <
	const F extends readonly Field[] = readonly [],
	const O extends readonly Field[] = readonly [],
>(
	definition: Definition<F, O>,
): Operation => definition;

/** An operation and the resource that it belongs to. */
export interface ResourceOperation {
	resource: Resource;
	operation: Operation;
}
