/** Derives facts about an operation from its definition, such as whether it costs money. */
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { createOperationError, type NodeError } from './errors/nodeErrors';
import {
	buildDownloadField,
	getCommonFields,
	getCommonOptions,
	buildPriceHint,
	buildWaitField,
	compareOptions,
} from './form/commonFields';
import type { Field } from './form/field';
import type { ResultFileType } from './jobs/types';
import type { Operation, Resource, ResourceOperation } from './operation';

export const getMethod = ({ request }: Operation) => request.split(' ')[0] ?? 'GET';

export const hasRequestBody = (operation: Operation) =>
	['POST', 'PUT', 'PATCH'].includes(getMethod(operation));

export const getPathParameterNames = ({ request }: Operation) =>
	[...request.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');

/** Whether sending an operation's request twice creates two results. */
export const isUnkeyedCreate = (operation: Operation) =>
	getMethod(operation) === 'POST' && !operation.idempotent && !operation.repeatable;

/** Whether the ledger must record what an operation creates, so that retries do not repeat it. */
export const shouldRememberCreation = (operation: Operation) =>
	operation.starts !== undefined || !isRepeatSafe(operation);

/** Whether, according to the API, repeating an operation's request creates nothing new. */
export const isRepeatSafe = (operation: Operation) =>
	!isUnkeyedCreate(operation) && operation.idempotent !== 'unconfirmed';

/** Whether an operation permanently deletes or ends something. AI agents may not call it. */
export const isDestructive = (operation: Operation) =>
	operation.destructive ?? getMethod(operation) === 'DELETE';

export const isPaid = ({ paid, starts }: Operation) => paid ?? starts !== undefined;

/** Whether an operation's output items have the fields `outcome` and `creation`. */
export const hasOutcomeFields = (operation: Operation) =>
	operation.starts !== undefined || operation.awaits === true || isPaid(operation);

export const waitsForJobs = ({ awaits }: Operation, { waitForCompletion }: IDataObject) =>
	awaits === true || waitForCompletion === true;

/** Returns the name of the limit on running jobs. Undefined if the operation starts no job. */
export function getCapacityLimitName({
	starts,
	capacityLimit,
	request,
}: Operation): string | undefined {
	if (capacityLimit !== undefined || starts === undefined) return capacityLimit;
	if (typeof starts === 'function') return request;
	return starts.capacityLimit ?? starts.name;
}

export function getOutputIdKey(
	{ id }: Resource,
	{ itemId, starts }: Operation,
): string | undefined {
	if (itemId !== undefined) return itemId ?? undefined;
	return typeof starts === 'object' ? starts.id : id;
}

/** Returns the files that users can download: those of the job or, for a batch, of each row. */
export function getResultFileTypes({
	files,
	starts,
}: Operation): readonly ResultFileType[] | undefined {
	return files ?? (typeof starts === 'object' ? (starts.rows ?? starts).files : undefined);
}

export function findOperation(
	resources: readonly Resource[],
	[resourceValue, operationValue]: readonly unknown[],
): ResourceOperation | undefined {
	const resource = resources.find(({ value }) => value === resourceValue);
	const operation = resource?.operations.find(({ value }) => value === operationValue);
	return resource && operation ? { resource, operation } : undefined;
}

export const findSelectedOperation = (
	n8n: Pick<IExecuteFunctions, 'getNodeParameter'>,
	resources: readonly Resource[],
	item = 0,
) =>
	findOperation(
		resources,
		['resource', 'operation'].map((name) => n8n.getNodeParameter(name, item, '')),
	);

/** Builds the Wait for Completion field, with a hint about the job's duration and price. */
function buildWaitFields(operation: Operation): Field[] {
	const { starts, durationHint, price } = operation;
	if (starts === undefined) return [];
	const kind = typeof starts === 'object' ? starts : undefined;
	const hints = [durationHint ?? kind?.durationHint, isPaid(operation) && buildPriceHint(price)];
	return [buildWaitField(kind?.notifiedBy ?? 'event', hints.filter(Boolean).join(' '))];
}

/** Whether an operation creates something but is not known to cost money. */
export const isUnpaidCreate = (operation: Operation) =>
	getMethod(operation) === 'POST' && !isPaid(operation) && !isDestructive(operation);

/** Whether the operation has the Check Only option, which validates items without sending them. */
export const hasCheckOnlyOption = (operation: Operation) =>
	isPaid(operation) || isUnpaidCreate(operation);

export const getFieldsBeforeWait = ({ fields = [] }: Operation): Field[] =>
	fields.filter(({ afterWait }) => afterWait !== true);

/** Adds a cache to a function that builds fields, because each field creates a zod schema. */
function memoizeByOperation(buildFields: (operation: Operation) => Field[]) {
	const lists = new WeakMap<Operation, readonly Field[]>();
	return (operation: Operation): readonly Field[] => {
		const fields = lists.get(operation) ?? buildFields(operation);
		lists.set(operation, fields);
		return fields;
	};
}

/** Returns an operation's own and common fields, in the order of the form, without options. */
export const getNonOptionFields = memoizeByOperation((operation) => {
	const files = getResultFileTypes(operation);
	return [
		...getFieldsBeforeWait(operation),
		...getCommonFields({
			pages: typeof operation.list === 'object',
			simple: operation.simple !== undefined,
		}),
		...buildWaitFields(operation),
		...(operation.fields ?? []).filter(({ afterWait }) => afterWait === true),
		...(files === undefined ? [] : [buildDownloadField(files, operation.awaits === true)]),
	];
});

/** Moves an option from Advanced to Options. Used if an operation has few options. */
const moveOutOfAdvanced = (field: Field): Field =>
	field.collection === 'advanced' ? { ...field, collection: undefined } : field;

/** Returns an operation's own and common options, in the order of the form. */
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
		hasFiles: getResultFileTypes(operation) !== undefined,
		dated: typeof operation.list === 'object' && operation.list.dated === true,
		stoppable: operation.stoppable === true,
	});
	const options = [...ownOptions, ...common].sort(compareOptions);
	const isLong = operation.starts !== undefined || isPaid(operation);
	return isLong ? options : options.map(moveOutOfAdvanced);
});

export const getAllFields = (operation: Operation): Field[] => [
	...getNonOptionFields(operation),
	...getOptionFields(operation),
];

export const runsAsAgentTool = (n8n: Pick<IExecuteFunctions, 'getNode'>) =>
	n8n.getNode().type.endsWith('Tool');

/** Returns an error if AI agents may not call an operation. n8n runs even hidden ones. */
export function findToolRejection(node: INode, operation: Operation): NodeError | undefined {
	if (!isDestructive(operation)) return undefined;
	return createOperationError(
		node,
		`"${operation.action}" cannot be done by an AI agent: nothing was changed. Tell the user to do it, or to add it to the workflow as a separate step`,
		'An AI model can make mistakes, and this operation cannot be undone. Use the node outside the agent, for example after an approval step, so that a person decides.',
		{ code: 'refused_in_tool' },
	);
}

/** Whether a repeated, identical tool call runs again. If not, it returns the earlier result. */
export function shouldRepeatIdenticalCalls(
	n8n: Pick<IExecuteFunctions, 'getNodeParameter'>,
	resources: readonly Resource[],
): boolean {
	// An expression may return the text `true`.
	if (String(n8n.getNodeParameter('options.payEachCall', 0, false)) === 'true') return true;
	const chosen = findSelectedOperation(n8n, resources);
	return chosen === undefined || !isPaid(chosen.operation);
}
