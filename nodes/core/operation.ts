/**
 * What an operation is: a row of the API as data. It says its request line, its fields, and what
 * its reply starts; the core does the rest (run/run.ts executes, form/properties.ts makes forms).
 */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Explanations } from './errors/advice';
import type { Field } from './form/field';
import { getCommonFields, getCommonOptions, type JobTexts, type Values } from './form/commonFields';
import type { Client } from './http/client';
import type { PerMinuteLimit } from './http/perMinuteLimit';
import type { FileStream } from './http/reply';
import type { Job, JobKind, ResultFile } from './jobs/types';
import type { IdempotencyKeys } from './plan/idempotencyKeys';

/** The checked values of one item. */
export interface OperationItem<V> {
	values: V;
	/** The values that go into the body under their own names: no local and no path fields. */
	payload: IDataObject;
	/** The item as it came in. */
	input: INodeExecutionData;
}

/** Where an upload takes place. */
export interface UploadContext {
	n8n: IExecuteFunctions;
	client: Client;
	itemIndex: number;
	/** Makes the keys of uploads. */
	keys: IdempotencyKeys;
}

/** A file that was uploaded. */
export interface UploadedFile {
	/** Of its asset. */
	id: string;
	/** Tells what was in the file, whichever asset it became. */
	content: string;
}

/** Uploads a binary field of an item. */
export type UploadBinaryInput = (context: UploadContext, field: string) => Promise<UploadedFile>;

/** What the core cannot do without knowing a resource. */
export interface Ports {
	upload: UploadBinaryInput;
	/** What is left on the account, and in which unit. */
	balance: (client: Client) => Promise<{ left: number; unit: string }>;
}

/** What an operation's own `execute` is given, beside the item. */
export interface ExecuteContext extends UploadContext {
	/** All items of the request, where the operation gathers several; else the one item. */
	combinedItems: ReadonlyArray<{ item: number; values: IDataObject }>;
	/**
	 * Sends the operation's own request with this body, as the core would: with the Additional
	 * Body Fields, the idempotency key and the operation's rules for repeats.
	 */
	send: (body?: IDataObject) => Promise<IDataObject>;
	/**
	 * The same for an answer that is read while it comes in. What `read` makes of it is given out
	 * again when n8n repeats the node.
	 */
	stream: <T>(read: (stream: FileStream) => Promise<T>, headers?: IDataObject) => Promise<T>;
	/** Names a job that exists now, so that every later outcome names it. */
	started: (jobs: Job[]) => void;
}

/** A kind of thing at the service, with what can be done with it. */
export interface Resource {
	name: string;
	/** Stored in workflows: never change it once released. */
	value: string;
	/** Key under which every item of the resource carries its id, such as `video_id`. */
	id?: string;
	/** In the order of the list; a new node starts with the first of the first resource. */
	operations: readonly Operation[];
}

/** Limits of one request that carries several items. */
interface CombinedRequest<V> {
	/** Items in one request. */
	maxSize: number;
	/** How much of `most` an item takes, where that is not 1. */
	getSize?(values: V): number;
	/** Values that stand for the whole request: items that differ in them go into different ones. */
	sharedBy?: readonly string[];
	/** What the batch makes of each row: the items come back row by row. */
	rows?: JobKind;
	/** The body, or the query, of all items together. */
	body?(all: ReadonlyArray<OperationItem<V>>): IDataObject;
	query?(all: ReadonlyArray<OperationItem<V>>): IDataObject;
}

/**
 * Finds the jobs that a reply names, or the kind of the one job that it names as usual. (A method,
 * so that its values can be erased.)
 */
type JobsOf<V> = {
	/** @param before what `readFirst` found */
	in(reply: IDataObject, values: V, before: IDataObject): JobKind | Job[];
}['in'];

interface Definition<F extends readonly Field[], O extends readonly Field[]> {
	/** Stored in workflows: never change it once released. Unique within the resource. */
	value: string;
	name: string;
	action: string;
	description: string;
	/** Method and path. `{name}` takes the field of that name, as one path segment. */
	request: string;
	fields?: F;
	options?: O;
	/** What is wrong with a combination of values: sentences, or false where nothing is. */
	check?(values: Values<F, O>): Array<string | false>;
	/** Refuses, by an error, what only the service can tell to be wrong; asked before anything is sent. */
	refuse?(values: Values<F, O>, client: Client): Promise<void>;
	/** Reshapes the values where a plain copy is not enough; may ask the service first. */
	body?(item: OperationItem<Values<F, O>>, client: Client): IDataObject | Promise<IDataObject>;
	query?(item: OperationItem<Values<F, O>>, client: Client): IDataObject | Promise<IDataObject>;
	/** Sends several items as one request. */
	combine?: CombinedRequest<Values<F, O>>;
	/**
	 * Each row of the reply becomes an item. Pages of at most that many rows, or all in one answer.
	 * Those of `dated` lists tell in `created_at` when they were made, so that a time can be asked for.
	 */
	list?: { pageSize: number; dated?: true } | 'unpaged';
	/** Keys that an item keeps beside its id when Simplify is on; those of an inner object by path. */
	simple?: readonly string[];
	/** Key under which the items carry their id, where it is not the resource's; null for none. */
	itemId?: string | null;
	/** `data` of the reply, where it is not found under that key. */
	unwrap?(reply: IDataObject): unknown;
	/**
	 * The create accepts an `Idempotency-Key` (docs/service.md, Idempotency), in the header or in
	 * a field of the body.
	 */
	idempotent?: true | { bodyField: string };
	/** A second POST does no harm: it sets or ends the same. */
	repeatable?: boolean;
	/** Milliseconds for the answer, where it is given only when the work is done. */
	timeout?: number;
	/** The most requests that the service takes from one member; more are held back. */
	perMinuteLimit?: PerMinuteLimit;
	/** The job that the reply starts. */
	starts?: JobKind | JobsOf<Values<F, O>>;
	/** How long it takes, as a sentence for the form, where `starts` finds the kind of the job. */
	durationHint?: string;
	/** Files that the job's result may hold; with Download they come along when it is awaited. */
	files?: readonly ResultFile[];
	/** The first of them is chosen from the beginning. */
	downloadsByDefault?: boolean;
	/** Request line of what is read before sending, for `starts`. */
	readFirst?: string;
	/** It costs something although it starts no job; or it starts one that costs nothing. */
	paid?: boolean;
	/** What it costs, where the service tells, such as `7.00 USD for each video`: for the form and AI models. */
	price?: string;
	/** It ends or deletes something for good. A DELETE does anyway: only tell what is not one. */
	destructive?: boolean;
	/** How many jobs an item makes, where that is not one. */
	countJobs?(values: Values<F, O>): number;
	/** The answer names a job although `starts` does not say so: the stop button lets it come. */
	survivesStop?: boolean;
	/** What may exist when the connection broke after sending, and how the user looks for it. */
	uncertainOutcomeHint?: string;
	/** Words for refusals that mean something special here, by code or `status_` and number. */
	explanations?: Explanations;
	/** Reshapes what came of an item, after a wait too: one item for each part of a result, say. */
	reshapeItems?(items: INodeExecutionData[], values: Values<F, O>): INodeExecutionData[];
	/** The one escape, for files, streams and chains. */
	execute?(context: ExecuteContext & OperationItem<Values<F, O>>): Promise<INodeExecutionData[]>;
}

/** An operation whose value types are erased, as the runner and the form see it. */
export type Operation = Definition<readonly Field[], readonly Field[]>;

/** Declares an operation. The types of `values` follow from the fields' schemas. */
export const operation = <
	const F extends readonly Field[] = readonly [],
	const O extends readonly Field[] = readonly [],
>(
	definition: Definition<F, O>,
): Operation => definition;

/** Method of a request line. */
export const getMethod = ({ request }: Operation) => request.split(' ')[0] ?? 'GET';

/** Whether the operation sends a body. */
export const hasRequestBody = (operation: Operation) =>
	['POST', 'PUT', 'PATCH'].includes(getMethod(operation));

/** Names of the path identifiers of a request line. */
export const getPathNames = ({ request }: Operation) =>
	[...request.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');

/** Whether it is a create that the service may make twice: it takes no key, and is not repeatable. */
export const isUnkeyedCreate = (operation: Operation) =>
	getMethod(operation) === 'POST' && !operation.idempotent && !operation.repeatable;

/** Whether it ends or deletes something for good: no AI model may do that by itself. */
export const isDestructive = (operation: Operation) =>
	operation.destructive ?? getMethod(operation) === 'DELETE';

/** Whether it makes something that costs. */
export const isPaid = ({ paid, starts }: Operation) => paid ?? starts !== undefined;

/** An operation of a resource. */
export interface ResourceOperation {
	resource: Resource;
	operation: Operation;
}

/** The key under which the items of an operation carry their id; nothing where they have none. */
export function getItemIdKey({ id }: Resource, { itemId, starts }: Operation): string | undefined {
	if (itemId !== undefined) return itemId ?? undefined;
	return typeof starts === 'object' ? starts.id : id;
}

/** What the form says of the job that it starts, if it starts one. */
function getJobTexts(operation: Operation): JobTexts | undefined {
	const { starts, durationHint: takes, price } = operation;
	if (starts === undefined) return undefined;
	const job = typeof starts === 'object' ? starts : undefined;
	return {
		toldBy: job?.notifiedBy ?? 'event',
		takes: takes ?? job?.durationHint ?? '',
		paid: isPaid(operation),
		price,
	};
}

/** Fields that stand in the form itself: the operation's own, then those it inherits. */
export const getFormFields = (operation: Operation): Field[] => [
	...(operation.fields ?? []),
	...getCommonFields({
		pages: typeof operation.list === 'object',
		simple: operation.simple !== undefined,
		job: getJobTexts(operation),
		files: operation.files,
		downloadsByDefault: operation.downloadsByDefault,
	}),
];

/** The field of a create's body in which the service is told whom to call when the job ends. */
export const callbackField = 'callback_url';

/** Fields of the operation's Options collection: its own, then those it inherits, by name. */
export const getOptionFields = (operation: Operation): Field[] =>
	[
		...(operation.options ?? []),
		...getCommonOptions({
			idempotent: operation.idempotent !== undefined,
			sendsBody: hasRequestBody(operation),
			waits: operation.starts !== undefined,
			paid: isPaid(operation),
			hasFiles: operation.files !== undefined,
			dated: typeof operation.list === 'object' && operation.list.dated === true,
			callsBack:
				operation.starts !== undefined &&
				(operation.options ?? []).some(({ name }) => name === callbackField),
		}),
	].sort((a, b) => a.displayName.localeCompare(b.displayName));

/** The operation that these stored names choose, with its resource; nothing where they name none. */
export function findOperation(resources: readonly Resource[], [name, chosen]: readonly unknown[]) {
	const resource = resources.find(({ value }) => value === name);
	const operation = resource?.operations.find(({ value }) => value === chosen);
	return resource && operation ? { resource, operation } : undefined;
}
