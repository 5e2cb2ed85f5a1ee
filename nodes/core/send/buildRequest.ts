/** From an operation and the values of its items to the request that is sent. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { flattenFields } from '../describe/properties';
import type { Client } from '../http/client';
import type { ServiceRequest } from '../http/serviceRequest';
import { readObject } from '../json';
import type { Operation, OperationItem } from '../operation';
import { getAllFields, getPathNames, hasRequestBody } from '../operationTraits';
import type { PlannedRequest } from '../plan/groupRequests';

/** A request whose body, if it has one, is JSON. */
export type JsonRequest = Omit<ServiceRequest, 'body'> & { body?: IDataObject };

/** The values that are sent in the body or in the query under their own names. */
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

/** An item as the hooks of its operation see it. */
export const toOperationItem = (
	operation: Operation,
	values: IDataObject,
	input: INodeExecutionData,
): OperationItem<IDataObject> => ({
	values,
	payload: selectValues(operation, values, 'body'),
	input,
});

/** What the form calls the fields of the request. Of two with one name, the outer one counts. */
function getFieldLabels(operation: Operation): Record<string, string> {
	const outer = getAllFields(operation);
	const all = [...flattenFields(outer), ...outer];
	return Object.fromEntries(all.map(({ name, displayName }) => [name, displayName]));
}

/** The body or the query: as the operation makes it, otherwise the plain values. */
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

/** The path identifiers of a request, by name. */
const getPathValues = ({ operation, values }: PlannedRequest) =>
	Object.fromEntries(getPathNames(operation).map((name) => [name, String(values[name] ?? '')]));

/**
 * The request of an operation, without its idempotency key.
 *
 * @param body replaces the body made from the values
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

/** The request with its idempotency key, if the operation takes one. */
export function addIdempotencyKey(
	request: JsonRequest,
	{ idempotent }: Operation,
	key: string,
): JsonRequest {
	if (idempotent === undefined) return { ...request };
	if (idempotent === true) return { ...request, idempotencyKey: key };
	// A key among the Additional Body Fields stays.
	const body = { [idempotent.bodyField]: key, ...request.body };
	return { ...request, body, keyInBody: String(body[idempotent.bodyField]) };
}
