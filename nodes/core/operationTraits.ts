/**
 * Derives properties of an operation from its definition: method, path names, price, form fields.
 */
import type { Field } from './form/field';
import { getCommonFields, getCommonOptions, type JobTexts } from './form/commonFields';
import type { Operation, Resource, ResourceOperation } from './operation';

export const getMethod = ({ request }: Operation) => request.split(' ')[0] ?? 'GET';

export const hasRequestBody = (operation: Operation) =>
	['POST', 'PUT', 'PATCH'].includes(getMethod(operation));

/** Returns the names of the path identifiers of an operation, such as `video_id`. */
export const getPathNames = ({ request }: Operation) =>
	[...request.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');

/** Whether sending the operation twice creates two things: a POST without an idempotency key. */
export const isUnkeyedCreate = (operation: Operation) =>
	getMethod(operation) === 'POST' && !operation.idempotent && !operation.repeatable;

/**
 * Whether the operation ends or deletes something permanently. Language models may not use such
 * operations.
 */
export const isDestructive = (operation: Operation) =>
	operation.destructive ?? getMethod(operation) === 'DELETE';

/** Whether each run of the operation is charged. */
export const isPaid = ({ paid, starts }: Operation) => paid ?? starts !== undefined;

/**
 * Returns the name of the limit of running jobs that an operation counts for, or undefined if it
 * starts no job.
 */
export function getCapacityLimit({
	starts,
	capacityLimit,
	request,
}: Operation): string | undefined {
	if (starts === undefined) return undefined;
	if (typeof starts === 'function') return capacityLimit ?? request;
	return starts.capacityLimit ?? starts.name;
}

/**
 * Returns the key under which the items of an operation carry their ID, or undefined if they have
 * none.
 */
export function getItemIdKey({ id }: Resource, { itemId, starts }: Operation): string | undefined {
	if (itemId !== undefined) return itemId ?? undefined;
	return typeof starts === 'object' ? starts.id : id;
}

/**
 * Finds an operation by the stored values of its resource and itself. Undefined if it does not
 * exist.
 */
export function findOperation(
	resources: readonly Resource[],
	[resourceValue, operationValue]: readonly unknown[],
): ResourceOperation | undefined {
	const resource = resources.find(({ value }) => value === resourceValue);
	const operation = resource?.operations.find(({ value }) => value === operationValue);
	return resource && operation ? { resource, operation } : undefined;
}

/**
 * Returns what the form says about the job that an operation starts, or undefined if it starts
 * none.
 */
function getJobTexts(operation: Operation): JobTexts | undefined {
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

/** Returns the fields of the form: the operation's own, then the common ones. */
export const getFormFields = (operation: Operation): Field[] => [
	...(operation.fields ?? []),
	...getCommonFields({
		pages: typeof operation.list === 'object',
		simple: operation.simple !== undefined,
		job: getJobTexts(operation),
		files: operation.files,
	}),
];

/** Body field of a create for the URL that the service calls when the job ends. */
export const callbackField = 'callback_url';

/** Returns the options of an operation, its own and the common ones, sorted by name. */
export function getOptionFields(operation: Operation): Field[] {
	const own = operation.options ?? [];
	const waits = operation.starts !== undefined;
	const common = getCommonOptions({
		idempotent: operation.idempotent !== undefined,
		sendsBody: hasRequestBody(operation),
		waits,
		paid: isPaid(operation),
		hasFiles: operation.files !== undefined,
		dated: typeof operation.list === 'object' && operation.list.dated === true,
		callsBack: waits && own.some(({ name }) => name === callbackField),
	});
	return [...own, ...common].sort((a, b) => a.displayName.localeCompare(b.displayName));
}

/** Returns all fields and options of an operation. */
export const getAllFields = (operation: Operation): Field[] => [
	...getFormFields(operation),
	...getOptionFields(operation),
];
