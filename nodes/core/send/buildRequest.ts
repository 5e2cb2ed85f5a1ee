/** Builds an operation's HTTP request from the field values of its items. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { flattenFields } from '../describe/nodeDescription';
import type { Client } from '../http/client';
import type { ServiceRequest } from '../http/sendWithRetries';
import { readObject } from '../json';
import type { Operation, ValidatedItem } from '../operation';
import { getAllFields, getPathParameterNames, hasRequestBody } from '../operationTraits';
import type { PlannedRequest } from '../plan/groupRequests';

export type JsonRequest = Omit<ServiceRequest, 'body'> & { body?: IDataObject };

/** Returns the values for the body or query, without those that only control the node. */
function selectValues(
	operation: Operation,
	values: IDataObject,
	place: 'body' | 'query',
): IDataObject {
	const pathNames = getPathParameterNames(operation);
	const usualPlace = hasRequestBody(operation) ? 'body' : 'query';
	const selected: IDataObject = {};
	for (const { name, in: fieldPlace = usualPlace } of getAllFields(operation)) {
		const value = values[name];
		if (value === undefined || fieldPlace !== place || pathNames.includes(name)) continue;
		selected[name] = Array.isArray(value) && place === 'query' ? value.join(',') : value;
	}
	return selected;
}

export const toValidatedItem = (
	operation: Operation,
	values: IDataObject,
	input: INodeExecutionData,
): ValidatedItem<IDataObject> => ({
	values,
	payload: selectValues(operation, values, 'body'),
	input,
});

/** Returns the display names of fields by API name. Top-level fields override nested ones. */
function getFieldLabels(operation: Operation): Record<string, string> {
	const outer = getAllFields(operation);
	const allFields = [...flattenFields(outer), ...outer];
	return Object.fromEntries(allFields.map(({ name, displayName }) => [name, displayName]));
}

async function buildContent(
	place: 'body' | 'query',
	{ operation, values }: PlannedRequest,
	items: ReadonlyArray<ValidatedItem<IDataObject>>,
	client: Client,
): Promise<IDataObject> {
	const combined = operation.combine?.[place]?.(items);
	if (combined) return combined;
	const [first = toValidatedItem(operation, values, { json: {} })] = items;
	const content = await operation[place]?.(first, client);
	return content ?? selectValues(operation, values, place);
}

/** Builds an HTTP request without an idempotency key, from `body` or else the form values. */
export async function buildRequest(
	request: PlannedRequest,
	client: Client,
	items: ReadonlyArray<ValidatedItem<IDataObject>>,
	body?: IDataObject,
): Promise<JsonRequest> {
	const { operation, values } = request;
	const pathNames = getPathParameterNames(operation);
	const built: JsonRequest = {
		line: operation.request,
		path: Object.fromEntries(pathNames.map((name) => [name, String(values[name] ?? '')])),
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

export function addIdempotencyKey(
	request: JsonRequest,
	{ idempotent }: Operation,
	key: string,
): JsonRequest {
	if (idempotent === undefined) return { ...request };
	if (typeof idempotent !== 'object') return { ...request, idempotencyKey: key };
	// A key in Additional Body Fields takes precedence.
	const body = { [idempotent.bodyField]: key, ...request.body };
	const idempotencyKey = String(body[idempotent.bodyField]);
	return { ...request, body, idempotencyKey, isKeyInBody: true };
}
