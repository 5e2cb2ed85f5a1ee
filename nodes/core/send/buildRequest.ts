/** Builds the request of an operation from the values of its items. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { flattenFields } from '../describe/properties';
import type { Client } from '../http/client';
import type { ServiceRequest } from '../http/serviceRequest';
import { readObject } from '../json';
import type { Operation, OperationItem } from '../operation';
import { getAllFields, getPathNames, hasRequestBody } from '../operationTraits';
import type { PlannedRequest } from '../plan/groupRequests';

/** Request whose body, if it has one, is JSON. */
export type JsonRequest = Omit<ServiceRequest, 'body'> & { body?: IDataObject };

/** Selects the values that are sent under their own names, in the body or in the query. */
function selectValues(
	operation: Operation,
	values: IDataObject,
	place: 'body' | 'query',
): IDataObject {
	const pathNames = getPathNames(operation);
	const usualPlace = hasRequestBody(operation) ? 'body' : 'query';
	const selected: IDataObject = {};
	for (const { name, in: fieldPlace = usualPlace } of getAllFields(operation)) {
		const value = values[name];
		if (value === undefined || fieldPlace !== place || pathNames.includes(name)) continue;
		selected[name] = Array.isArray(value) && place === 'query' ? value.join(',') : value;
	}
	return selected;
}

/** Returns an item in the form that the functions of its operation receive. */
export const toOperationItem = (
	operation: Operation,
	values: IDataObject,
	input: INodeExecutionData,
): OperationItem<IDataObject> => ({
	values,
	payload: selectValues(operation, values, 'body'),
	input,
});

/**
 * Returns the displayed names of the fields of a request. If several fields share an API name, the
 * outer one counts.
 */
function getFieldLabels(operation: Operation): Record<string, string> {
	const outer = getAllFields(operation);
	const all = [...flattenFields(outer), ...outer];
	return Object.fromEntries(all.map(({ name, displayName }) => [name, displayName]));
}

/**
 * Builds the body or the query: with the operation's own function if it has one, otherwise from the
 * plain values.
 */
async function buildContent(
	place: 'body' | 'query',
	{ operation, values }: PlannedRequest,
	items: ReadonlyArray<OperationItem<IDataObject>>,
	client: Client,
): Promise<IDataObject> {
	const combined = operation.combine?.[place]?.(items);
	if (combined) return combined;
	const [first = toOperationItem(operation, values, { json: {} })] = items;
	const own = await operation[place]?.(first, client);
	return own ?? (place === 'body' ? first.payload : selectValues(operation, values, place));
}

/** Returns the path identifiers of a request, by name. */
const getPathValues = ({ operation, values }: PlannedRequest) =>
	Object.fromEntries(getPathNames(operation).map((name) => [name, String(values[name] ?? '')]));

/**
 * Builds the request of an operation, without its idempotency key.
 *
 * @param body replaces the body that is built from the values
 */
export async function buildRequest(
	request: PlannedRequest,
	client: Client,
	items: ReadonlyArray<OperationItem<IDataObject>>,
	body?: IDataObject,
): Promise<JsonRequest> {
	const { operation, values } = request;
	const built: JsonRequest = {
		line: operation.request,
		path: getPathValues(request),
		query: await buildContent('query', request, items, client),
		uncertainOutcomeHint: operation.uncertainOutcomeHint,
		explanations: operation.explanations,
		labels: () => getFieldLabels(operation),
		survivesStop: operation.starts !== undefined,
		repeatable: operation.repeatable,
		timeout: operation.timeout,
		perMinuteLimit: operation.perMinuteLimit,
	};
	if (hasRequestBody(operation)) {
		built.body = {
			...(body ?? (await buildContent('body', request, items, client))),
			...readObject(values.additionalBodyFields),
		};
	}
	return built;
}

/** Adds the idempotency key to a request, if the operation accepts one. */
export function addIdempotencyKey(
	request: JsonRequest,
	{ idempotent }: Operation,
	key: string,
): JsonRequest {
	if (idempotent === undefined) return { ...request };
	if (idempotent === true) return { ...request, idempotencyKey: key };
	// A key in the Additional Body Fields takes precedence.
	const body = { [idempotent.bodyField]: key, ...request.body };
	return { ...request, body, keyInBody: String(body[idempotent.bodyField]) };
}
