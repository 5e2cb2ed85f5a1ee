/**
 * The request that a case of an operation expects. The rules are written again here, because the node
 * may be wrong.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { isObject, type Operation } from './core';
import { byId } from './engine';

export interface RequestCase {
	/** Method and path. `{name}` is an ID that the case has created. */
	line: string;
	/** The parameters that differ from `completeParameters`. */
	parameters?: INodeParameters | ((ids: IDataObject) => INodeParameters);
	/** What the body or the query has instead of the parameters; `undefined` for what is not sent. */
	differences?: Values | ((ids: IDataObject) => Values);
}

type Values = Record<string, unknown>;

/** For tests of the create only. */
export const noWait = { waitForCompletion: false };
/** The first three rows of a list, with all of their keys. */
export const few = { returnAll: false, limit: 3, simple: false };

const resolve = <T extends object>(
	value: T | ((ids: IDataObject) => T) = {} as T,
	ids: IDataObject,
) => (typeof value === 'function' ? value(ids) : value);

const fillIn = (text: string, ids: IDataObject) =>
	text.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));

/** The parameters of a case, with the IDs of the path. A create does not wait, and a list has a few rows. */
export function completeParameters(
	{ request, fields = [], starts, list }: Operation,
	{ line, parameters }: RequestCase,
	ids: IDataObject,
): INodeParameters {
	const segments = line.split('/');
	const inPath = request.split('/').flatMap((segment, i) => {
		const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
		if (name === undefined) return [];
		const id = fillIn(segments[i] ?? '', ids);
		const isLocator = fields.some(
			(field) => field.name === name && field.type === 'resourceLocator',
		);
		return [[name, isLocator ? byId(id) : id]];
	});
	return {
		...(Object.fromEntries(inPath) as INodeParameters),
		...(starts === undefined ? {} : noWait),
		...(list === undefined || list === 'unpaged' ? {} : few),
		...resolve(parameters, ids),
	};
}

/** Converts a value of the form to that of the API. */
function toSent(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(toSent);
	if (!isObject(value)) return value;
	if (value.__rl === true)
		return value.mode === 'url' ? { type: 'url', url: value.value } : value.value;
	const [group, ...others] = Object.values(value);
	if (others.length > 0 || !(Array.isArray(group) || isObject(group))) {
		return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toSent(one)]));
	}
	// A list of entries. Those with one field are sent as its values.
	if (!Array.isArray(group)) return toSent(group);
	return group.map((entry: object) => {
		const [only, ...more] = Object.values(entry) as unknown[];
		return more.length === 0 ? toSent(only) : toSent(entry);
	});
}

/** Names in camel case are of the form alone. */
const isFormOnly = (name: string) => /[A-Z]/.test(name) || name === 'simple';

/** The request of a case: the exact body of a write, or the exact query of any other request. */
export function buildExpectedRequest(
	operation: Operation,
	one: RequestCase,
	ids: IDataObject,
): { line: string; body?: unknown; query?: IDataObject } {
	const { options, ...form } = completeParameters(operation, one, ids);
	const { additionalBodyFields = '{}', ...all } = { ...form, ...(options as INodeParameters) };
	const sent = Object.entries(all)
		.filter(([name]) => !isFormOnly(name) && !operation.request.includes(`{${name}}`))
		.map(([name, value]) => [name, toSent(value)]);
	const values: Values = {
		...Object.fromEntries(sent),
		...(JSON.parse(String(additionalBodyFields)) as Values),
		...resolve(one.differences, ids),
	};
	const entries = Object.entries(values).filter(([, value]) => value !== undefined);
	const line = fillIn(one.line, ids);
	if (/^(GET|DELETE)/.test(line)) {
		return {
			line,
			query: Object.fromEntries(entries.map(([name, value]) => [name, String(value)])),
		};
	}
	return { line, body: entries.length > 0 ? Object.fromEntries(entries) : null };
}
