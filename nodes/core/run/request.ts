/** From an operation and the values of its items to the call that goes out. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Field } from '../form/field';
import { everyField } from '../form/properties';
import type { Call } from '../http/call';
import type { Client } from '../http/client';
import { objectOf } from '../json';
import {
	formFields,
	optionFields,
	pathNames,
	sendsBody,
	type Item,
	type Operation,
} from '../operation';
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

/** What the form calls the fields; of two with one name the outer one counts. */
function labelsOf(operation: Operation): Record<string, string> {
	const outer = fieldsOf(operation);
	const all = [...everyField(outer), ...outer];
	return Object.fromEntries(all.map(({ name, displayName }) => [name, displayName]));
}

/** What goes into the body, or into the query: as the operation makes it, or the plain values. */
async function contentOf(
	place: 'body' | 'query',
	{ operation, values }: Task,
	items: ReadonlyArray<Item<IDataObject>>,
	client: Client,
): Promise<IDataObject> {
	const gathered = operation.gather?.[place]?.(items);
	if (gathered) return gathered;
	const [first = itemOf(operation, values, { json: {} })] = items;
	const own = operation[place]?.(first, client);
	return (await own) ?? (place === 'body' ? first.payload : sent(operation, values, place));
}

/** The path identifiers of an operation's requests. */
export const pathOf = ({ operation, values }: Pick<Task, 'operation' | 'values'>) =>
	Object.fromEntries(pathNames(operation).map((name) => [name, String(values[name] ?? '')]));

/** A call whose body, if it has one, is an object. */
export type TaskCall = Omit<Call, 'body'> & { body?: IDataObject };

/**
 * The call of an operation, without its key.
 *
 * @param items its items as operations see them
 * @param body replaces the one made from the values
 */
export async function callOf(
	task: Task,
	client: Client,
	items: ReadonlyArray<Item<IDataObject>>,
	body?: IDataObject,
): Promise<TaskCall> {
	const { operation, values } = task;
	const call: TaskCall = {
		line: operation.request,
		path: pathOf(task),
		query: await contentOf('query', task, items, client),
		mayExist: operation.mayExist,
		explains: operation.explains,
		labels: () => labelsOf(operation),
		survivesStop: operation.starts !== undefined || operation.survivesStop === true,
		repeatable: operation.repeatable,
		timeout: operation.timeout,
		rate: operation.rate,
	};
	if (!sendsBody(operation)) return call;
	const whole = {
		...(body ?? (await contentOf('body', task, items, client))),
		...objectOf(values.additionalBodyFields),
	};
	return { ...call, body: whole };
}

/** The call with its key, where the operation takes one. */
export function keyed(call: TaskCall, { idempotent }: Operation, key: string): TaskCall {
	if (idempotent === undefined) return call;
	if (idempotent === true) return { ...call, idempotencyKey: key };
	// One that was given among the Additional Body Fields stays.
	const body = { [idempotent.bodyField]: key, ...call.body };
	return { ...call, body, keyInBody: String(body[idempotent.bodyField]) };
}
