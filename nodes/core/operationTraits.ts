/**
 * Derives facts about an operation from its definition, such as its HTTP method, whether it costs
 * money, and the fields of its form.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Field } from './form/field';
import {
	buildDownloadField,
	getCommonFields,
	getCommonOptions,
	type JobHintContent,
} from './form/commonFields';
import type { ResultFileType } from './jobs/types';
import type { Operation, Resource, ResourceOperation } from './operation';

export const getMethod = ({ request }: Operation) => request.split(' ')[0] ?? 'GET';

export const hasRequestBody = (operation: Operation) =>
	['POST', 'PUT', 'PATCH'].includes(getMethod(operation));

/** Returns the names of the placeholders in an operation's URL path, such as `video_id`. */
export const getPathParameterNames = ({ request }: Operation) =>
	[...request.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');

/**
 * Whether the operation creates something without an idempotency key. If so, sending the same
 * request twice creates two results.
 */
export const isUnkeyedCreate = (operation: Operation) =>
	getMethod(operation) === 'POST' && !operation.idempotent && !operation.repeatable;

/**
 * Whether the ledger keeps the outcome of the operation's requests, so that nothing is created
 * again when n8n runs the node again.
 */
export const shouldRememberCreation = (operation: Operation) =>
	operation.starts !== undefined || !isRepeatSafe(operation);

/** Whether a repeated request creates nothing more, according to the specification. */
export const isRepeatSafe = (operation: Operation) =>
	!isUnkeyedCreate(operation) && operation.idempotent !== 'unconfirmed';

/**
 * Whether the operation permanently deletes or ends something. AI agents may not call such
 * operations.
 */
export const isDestructive = (operation: Operation) =>
	operation.destructive ?? getMethod(operation) === 'DELETE';

/** Whether the service charges for each run of the operation. */
export const isPaid = ({ paid, starts }: Operation) => paid ?? starts !== undefined;

/** Whether output items say what has happened to their rows. */
export const reportsRows = (operation: Operation) =>
	operation.starts !== undefined || operation.awaits === true || isPaid(operation);

/** Whether an operation waits for its jobs with these form values. */
export const waitsForJobs = ({ awaits }: Operation, { waitForCompletion }: IDataObject) =>
	awaits === true || waitForCompletion === true;

/**
 * Returns the name of the service's limit on running jobs that applies to an operation, or
 * undefined if the operation starts no job.
 */
export function getCapacityLimitName({
	starts,
	capacityLimit,
	request,
}: Operation): string | undefined {
	if (capacityLimit !== undefined || starts === undefined) return capacityLimit;
	if (typeof starts === 'function') return request;
	return starts.capacityLimit ?? starts.name;
}

/** Returns the key for the ID in an operation's output items, or undefined if they have no ID. */
export function getOutputIdKey(
	{ id }: Resource,
	{ itemId, starts }: Operation,
): string | undefined {
	if (itemId !== undefined) return itemId ?? undefined;
	return typeof starts === 'object' ? starts.id : id;
}

/**
 * Returns the files that users can download when an operation's job is completed, or undefined if
 * there are none. For a batch, these are the files of its rows' jobs.
 */
export function getResultFiles({
	files,
	starts,
}: Operation): readonly ResultFileType[] | undefined {
	return files ?? (typeof starts === 'object' ? (starts.rows ?? starts).files : undefined);
}

/**
 * Finds an operation by the resource value and the operation value that a workflow stores. Returns
 * undefined if there is no such operation.
 */
export function findOperation(
	resources: readonly Resource[],
	[resourceValue, operationValue]: readonly unknown[],
): ResourceOperation | undefined {
	const resource = resources.find(({ value }) => value === resourceValue);
	const operation = resource?.operations.find(({ value }) => value === operationValue);
	return resource && operation ? { resource, operation } : undefined;
}

/** Returns the operation that is selected for an item. Undefined if the node has no such operation. */
export const findSelectedOperation = (
	n8n: Pick<IExecuteFunctions, 'getNodeParameter'>,
	resources: readonly Resource[],
	item = 0,
) =>
	findOperation(
		resources,
		['resource', 'operation'].map((name) => n8n.getNodeParameter(name, item, '')),
	);

/**
 * Returns the content of the form's hint about an operation's job, such as the duration and price.
 * Returns undefined if the operation starts no job.
 */
function getJobHintContent(operation: Operation): JobHintContent | undefined {
	const { starts, durationHint, price } = operation;
	if (starts === undefined) return undefined;
	const kind = typeof starts === 'object' ? starts : undefined;
	return {
		notifiedBy: kind?.notifiedBy ?? 'event',
		durationHint: durationHint ?? kind?.durationHint ?? '',
		isPaid: isPaid(operation),
		price,
	};
}

/** Whether the operation creates something but is not known to cost money. */
export const isUnpaidCreate = (operation: Operation) =>
	getMethod(operation) === 'POST' && !isPaid(operation) && !isDestructive(operation);

/** Whether the operation has the Check Only option, which validates items without sending them. */
export const canCheckOnly = (operation: Operation) =>
	isPaid(operation) || isUnpaidCreate(operation);

/** Returns the form fields that are specific to this operation and come first in its form. */
export const getLeadingOwnFields = ({ fields = [] }: Operation): Field[] =>
	fields.filter(({ afterWait }) => afterWait !== true);

/**
 * Makes a function return the same list of fields each time it gets the same operation. Building a
 * list is slow, because it creates zod schemas and sorts about 34 options. Without this cache, each
 * list would be built several times for each item.
 */
function memoizeByOperation(buildFields: (operation: Operation) => Field[]) {
	const lists = new WeakMap<Operation, readonly Field[]>();
	return (operation: Operation): readonly Field[] => {
		const fields = lists.get(operation) ?? buildFields(operation);
		lists.set(operation, fields);
		return fields;
	};
}

/**
 * Returns an operation's form fields, without its options: first its own fields, then the shared
 * ones. Own fields marked `afterWait` come after the shared ones, but before Download.
 */
export const getNonOptionFields = memoizeByOperation((operation) => {
	const files = getResultFiles(operation);
	return [
		...getLeadingOwnFields(operation),
		...getCommonFields({
			pages: typeof operation.list === 'object',
			simple: operation.simple !== undefined,
			job: getJobHintContent(operation),
		}),
		...(operation.fields ?? []).filter(({ afterWait }) => afterWait === true),
		...(files === undefined ? [] : [buildDownloadField(files, operation.awaits === true)]),
	];
});

/** Name of the request field for the callback URL, which the service calls when a job has ended. */
export const callbackUrlKey = 'callback_url';

/**
 * Returns the fields in an operation's Options collections, sorted by display name. They include
 * the options that many operations share.
 */
export const getOptionFields = memoizeByOperation((operation) => {
	const ownOptions = operation.options ?? [];
	const waits = operation.starts !== undefined || operation.awaits === true;
	const common = getCommonOptions({
		idempotent: operation.idempotent !== undefined && !operation.combine,
		idempotentRows: operation.idempotent !== undefined && operation.combine !== undefined,
		sendsBody: hasRequestBody(operation),
		waits,
		startsJob: getCapacityLimitName(operation) !== undefined,
		paid: isPaid(operation),
		createsForFree: isUnpaidCreate(operation),
		hasFiles: getResultFiles(operation) !== undefined,
		dated: typeof operation.list === 'object' && operation.list.dated === true,
		stoppable: operation.stoppable === true,
	});
	return [...ownOptions, ...common].sort((a, b) => a.displayName.localeCompare(b.displayName));
});

/** Returns all of an operation's form fields, with the options last. */
export const getAllFields = (operation: Operation): Field[] => [
	...getNonOptionFields(operation),
	...getOptionFields(operation),
];
