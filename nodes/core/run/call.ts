/** From an operation and the values of its items to the call that goes out. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Explanations } from '../errors/advice';
import type { Field } from '../form/field';
import { everyField } from '../form/properties';
import type { Call } from '../http/call';
import type { Client } from '../http/client';
import { objectOf, textOf } from '../json';
import {
	formFields,
	optionFields,
	pathNames,
	sendsBody,
	type Item,
	type Operation,
} from '../operation';
import { partKey } from './keys';
import type { Task } from './plan';

/** All fields of an operation: form and options. */
export const fieldsOf = (operation: Operation): Field[] => [
	...formFields(operation),
	...optionFields(operation),
];

/** The values that go into the body or the query by themselves, without those of the path. */
function sent(operation: Operation, values: IDataObject, place: 'body' | 'query'): IDataObject {
	const path = pathNames(operation);
	const usual = sendsBody(operation) ? 'body' : 'query';
	const result: IDataObject = {};
	for (const field of fieldsOf(operation)) {
		const value = values[field.name];
		if (value === undefined || (field.in ?? usual) !== place || path.includes(field.name)) continue;
		result[field.name] = Array.isArray(value) && place === 'query' ? value.join(',') : value;
	}
	return result;
}

/** An item as operations see it. */
export const itemOf = (
	operation: Operation,
	values: IDataObject,
	input: INodeExecutionData,
): Item<IDataObject> => ({ values, payload: sent(operation, values, 'body'), input });

/** Words for refusals: those of the operation, and those of its fields. */
function explanationsOf(operation: Operation): Explanations | undefined {
	const own = [...everyField(operation.fields), ...everyField(operation.options ?? [])]
		.map(({ explains }) => explains)
		.concat(operation.explains)
		.filter((explains) => explains !== undefined);
	return own.length === 0 ? undefined : Object.assign({}, ...own);
}

async function bodyOf(
	{ operation, gathered }: Task,
	items: ReadonlyArray<Item<IDataObject>>,
	client: Client,
): Promise<IDataObject> {
	const [first = itemOf(operation, gathered[0] ?? {}, { json: {} })] = items;
	if (operation.gather?.body) return operation.gather.body(items);
	return operation.body ? await operation.body(first, client) : first.payload;
}

/** The path identifiers of an operation's requests. */
export const pathOf = ({ operation, values }: Pick<Task, 'operation' | 'values'>) =>
	Object.fromEntries(pathNames(operation).map((name) => [name, String(values[name] ?? '')]));

/** What the call of a task needs beside it. */
export interface CallContext {
	client: Client;
	/** Its items as operations see them. */
	items: ReadonlyArray<Item<IDataObject>>;
	/** The derived key of the request, by its body. */
	keyOf: (body: IDataObject) => string;
}

/** The call of an operation. `body` replaces the one made from the values. */
export async function callOf(
	task: Task,
	{ client, items, keyOf }: CallContext,
	body?: IDataObject,
): Promise<Call> {
	const { operation, values, part } = task;
	const [first = itemOf(operation, values, { json: {} })] = items;
	const call: Call = {
		line: operation.request,
		path: pathOf(task),
		query: operation.query
			? await operation.query(first, client)
			: sent(operation, values, 'query'),
		mayExist: operation.mayExist,
		explains: explanationsOf(operation),
		survivesStop: operation.starts !== undefined || operation.survivesStop === true,
		repeatable: operation.repeatable,
		timeout: operation.timeout,
		rate: operation.rate,
	};
	if (!sendsBody(operation)) return call;
	const whole = {
		...(body ?? (await bodyOf(task, items, client))),
		...objectOf(values.additionalBodyFields),
	};
	const { idempotent } = operation;
	if (idempotent === undefined) return { ...call, body: whole };
	const own = textOf(values.idempotencyKey);
	const key = own === undefined ? keyOf(whole) : partKey(own, part);
	if (idempotent === true) return { ...call, body: whole, idempotencyKey: key };
	// One that was given among the Additional Body Fields stays.
	return { ...call, body: { [idempotent.bodyField]: key, ...whole }, repeatable: true };
}
