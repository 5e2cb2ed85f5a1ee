/** From an operation and the values of its items to the call that goes out. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Field } from '../form/field';
import { flattenFields } from '../describe/properties';
import type { ServiceRequest } from '../http/serviceRequest';
import type { Client } from '../http/client';
import { readObject } from '../json';
import {
	getFormFields,
	getOptionFields,
	getPathNames,
	hasRequestBody,
	type OperationItem,
	type Operation,
} from '../operation';
import type { PlannedRequest } from '../plan/groupRequests';

/** All fields of an operation: form and options. */
export const getAllFields = (operation: Operation): Field[] => [
	...getFormFields(operation),
	...getOptionFields(operation),
];

/** The values that go into the body or the query by themselves, without those of the path. */
function selectValues(
	operation: Operation,
	values: IDataObject,
	place: 'body' | 'query',
): IDataObject {
	const path = getPathNames(operation);
	const usual = hasRequestBody(operation) ? 'body' : 'query';
	const result: IDataObject = {};
	for (const field of getAllFields(operation)) {
		const value = values[field.name];
		if (value === undefined || (field.in ?? usual) !== place || path.includes(field.name)) continue;
		result[field.name] = Array.isArray(value) && place === 'query' ? value.join(',') : value;
	}
	return result;
}

/** An item as operations see it. */
export const toOperationItem = (
	operation: Operation,
	values: IDataObject,
	input: INodeExecutionData,
): OperationItem<IDataObject> => ({
	values,
	payload: selectValues(operation, values, 'body'),
	input,
});

/** What the form calls the fields; of two with one name the outer one counts. */
function getFieldLabels(operation: Operation): Record<string, string> {
	const outer = getAllFields(operation);
	const all = [...flattenFields(outer), ...outer];
	return Object.fromEntries(all.map(({ name, displayName }) => [name, displayName]));
}

/** What goes into the body, or into the query: as the operation makes it, or the plain values. */
async function buildContent(
	place: 'body' | 'query',
	{ operation, values }: PlannedRequest,
	items: ReadonlyArray<OperationItem<IDataObject>>,
	client: Client,
): Promise<IDataObject> {
	const gathered = operation.combine?.[place]?.(items);
	if (gathered) return gathered;
	const [first = toOperationItem(operation, values, { json: {} })] = items;
	const own = operation[place]?.(first, client);
	return (await own) ?? (place === 'body' ? first.payload : selectValues(operation, values, place));
}

/** The path identifiers of an operation's requests. */
export const getPathValues = ({
	operation,
	values,
}: Pick<PlannedRequest, 'operation' | 'values'>) =>
	Object.fromEntries(getPathNames(operation).map((name) => [name, String(values[name] ?? '')]));

/** A call whose body, if it has one, is an object. */
export type JsonRequest = Omit<ServiceRequest, 'body'> & { body?: IDataObject };

/**
 * The call of an operation, without its key.
 *
 * @param items its items as operations see them
 * @param body replaces the one made from the values
 */
export async function buildRequest(
	task: PlannedRequest,
	client: Client,
	items: ReadonlyArray<OperationItem<IDataObject>>,
	body?: IDataObject,
): Promise<JsonRequest> {
	const { operation, values } = task;
	const call: JsonRequest = {
		line: operation.request,
		path: getPathValues(task),
		query: await buildContent('query', task, items, client),
		uncertainOutcomeHint: operation.uncertainOutcomeHint,
		explanations: operation.explanations,
		labels: () => getFieldLabels(operation),
		survivesStop: operation.starts !== undefined || operation.survivesStop === true,
		repeatable: operation.repeatable,
		timeout: operation.timeout,
		perMinuteLimit: operation.perMinuteLimit,
	};
	if (!hasRequestBody(operation)) return call;
	const whole = {
		...(body ?? (await buildContent('body', task, items, client))),
		...readObject(values.additionalBodyFields),
	};
	return { ...call, body: whole };
}

/** The call with its key, where the operation takes one. */
export function addIdempotencyKey(
	call: JsonRequest,
	{ idempotent }: Operation,
	key: string,
): JsonRequest {
	if (idempotent === undefined) return call;
	if (idempotent === true) return { ...call, idempotencyKey: key };
	// One that was given among the Additional Body Fields stays.
	const body = { [idempotent.bodyField]: key, ...call.body };
	return { ...call, body, keyInBody: String(body[idempotent.bodyField]) };
}
