/** What follows from the definition of an operation: method, path, price, common fields. */
import type { Field } from './form/field';
import { getCommonFields, getCommonOptions, type JobTexts } from './form/commonFields';
import type { Operation, Resource, ResourceOperation } from './operation';

/** The HTTP method of an operation. */
export const getMethod = ({ request }: Operation) => request.split(' ')[0] ?? 'GET';

/** Whether the operation sends a body. */
export const hasRequestBody = (operation: Operation) =>
	['POST', 'PUT', 'PATCH'].includes(getMethod(operation));

/** The names in the path of an operation, such as `video_id`. */
export const getPathNames = ({ request }: Operation) =>
	[...request.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');

/** Whether sending it twice creates two things: a POST without idempotency key. */
export const isUnkeyedCreate = (operation: Operation) =>
	getMethod(operation) === 'POST' && !operation.idempotent && !operation.repeatable;

/** Whether it ends or deletes something for good. AI models may not use such operations. */
export const isDestructive = (operation: Operation) =>
	operation.destructive ?? getMethod(operation) === 'DELETE';

/** Whether each run of the operation costs something. */
export const isPaid = ({ paid, starts }: Operation) => paid ?? starts !== undefined;

/** The key under which the items of an operation carry their ID; undefined if they have none. */
export function getItemIdKey({ id }: Resource, { itemId, starts }: Operation): string | undefined {
	if (itemId !== undefined) return itemId ?? undefined;
	return typeof starts === 'object' ? starts.id : id;
}

/** The resource and operation with these stored values; undefined if there is no such operation. */
export function findOperation(
	resources: readonly Resource[],
	[resourceValue, operationValue]: readonly unknown[],
): ResourceOperation | undefined {
	const resource = resources.find(({ value }) => value === resourceValue);
	const operation = resource?.operations.find(({ value }) => value === operationValue);
	return resource && operation ? { resource, operation } : undefined;
}

/** What the form says about the job that an operation starts; undefined if it starts none. */
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

/** The fields of the form: the operation's own, then the common ones. */
export const getFormFields = (operation: Operation): Field[] => [
	...(operation.fields ?? []),
	...getCommonFields({
		pages: typeof operation.list === 'object',
		simple: operation.simple !== undefined,
		job: getJobTexts(operation),
		files: operation.files,
	}),
];

/** The body field of a create that holds the URL to call when its job ends. */
export const callbackField = 'callback_url';

/** The options of an operation: its own and the common ones, sorted by name. */
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

/** All fields of an operation: form and options. */
export const getAllFields = (operation: Operation): Field[] => [
	...getFormFields(operation),
	...getOptionFields(operation),
];
