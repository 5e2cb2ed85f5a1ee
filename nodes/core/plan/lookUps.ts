/** Looks up the IDs that an item refers to, for the option Check Only. */
import type { IDataObject } from 'n8n-workflow';
import { flattenFields } from '../describe/properties';
import { isNotFoundError } from '../errors/errorDetails';
import type { LookUp } from '../form/field';
import type { Client } from '../http/client';
import { readOncePerRun } from '../http/readOncePerRun';
import { isObject, readId, readObject, readText, unwrapObject } from '../json';
import type { Operation } from '../operation';
import { getAllFields, getPathParameterNames } from '../operationTraits';

/** ID that an item refers to. */
interface Reference {
	/** Label of the form field. */
	field: string;
	id: string;
	lookUp: LookUp;
}

/** Result of looking up an ID: the name of the resource, or why the ID cannot be used. */
export interface LookUpResult {
	field: string;
	id: string;
	name?: string;
	problem?: string;
	/** Why the service could not tell whether the ID exists. */
	unknown?: string;
}

type ReferenceFields = ReadonlyMap<string, Pick<Reference, 'field' | 'lookUp'>>;

/** Returns the fields whose IDs can be looked up, by the key of the ID in the request. */
function findReferenceFields(operation: Operation): ReferenceFields {
	const fields = flattenFields(getAllFields(operation));
	const all = fields.flatMap((field) => [field, ...(field.contains ?? [])]);
	return new Map(
		all.flatMap(({ name, displayName, lookUp, asset }) =>
			lookUp === undefined
				? []
				: // A file field contains the ID of its asset under that key.
					[[asset === true ? 'asset_id' : name, { field: displayName, lookUp }] as const],
		),
	);
}

/** Finds the IDs under these keys in the content of a request, at any depth. */
function findReferences(fields: ReferenceFields, content: unknown): Reference[] {
	if (Array.isArray(content)) return content.flatMap((part) => findReferences(fields, part));
	return Object.entries(readObject(content)).flatMap(([key, value]) => {
		const field = fields.get(key);
		const ids = field ? (Array.isArray(value) ? value : [value]).map(readId) : [];
		const own = ids.flatMap((id) => (field && id !== undefined ? [{ ...field, id }] : []));
		return own.length > 0 ? own : findReferences(fields, value);
	});
}

/** Reads all rows of a list at most once per run, by the key of their IDs. */
async function readRowsOnce(client: Client, line: string): Promise<IDataObject[]> {
	return await client.shareInRun(`rows of ${line}`, async () => {
		const rows: IDataObject[] = [];
		// The style list accepts no larger pages (docs/service.md, Conventions).
		for await (const page of client.fetchPages({ line }, 50)) rows.push(...page.rows);
		return rows;
	});
}

/** Reads the resource with an ID. Returns undefined if it does not exist. */
async function readResource(
	client: Client,
	{ id, lookUp: { line, listKey } }: Reference,
): Promise<IDataObject | undefined> {
	if (listKey !== undefined) {
		return (await readRowsOnce(client, line)).find((row) => readId(row[listKey]) === id);
	}
	const [, name = ''] = /\{(\w+)\}/.exec(line) ?? [];
	const outcome = await readOncePerRun(client, line, { [name]: id });
	if (outcome.ok) return unwrapObject(readObject(outcome.reply.data));
	if (isNotFoundError(outcome.error)) return undefined;
	throw outcome.error;
}

async function lookUpReference(client: Client, reference: Reference): Promise<LookUpResult> {
	const { field, id, lookUp } = reference;
	try {
		const resource = await readResource(client, reference);
		if (!resource) return { field, id, problem: `"${field}": ${id} does not exist` };
		const name = readText(resource.name) ?? readText(resource.title);
		const reason = lookUp.explainUnusable?.(resource);
		return {
			field,
			id,
			...(name === undefined ? {} : { name: client.removeSecrets(name) }),
			...(reason === undefined ? {} : { problem: `"${field}": ${id} ${reason}` }),
		};
	} catch (error) {
		return { field, id, unknown: (error as Error).message };
	}
}

/**
 * Looks up the IDs in a part of a request: the values of its path, or its body. Each distinct ID
 * is looked up once per run.
 */
async function lookUpAll(
	client: Client,
	fields: ReferenceFields,
	content: unknown,
): Promise<LookUpResult[]> {
	const found = findReferences(fields, content);
	const distinct = new Map(found.map((one) => [`${one.lookUp.line} ${one.id}`, one]));
	return await Promise.all(
		[...distinct.values()].map(async (reference) => await lookUpReference(client, reference)),
	);
}

/** Looks up the IDs in the path of a request. */
export async function lookUpPath(
	client: Client,
	operation: Operation,
	values: IDataObject,
): Promise<LookUpResult[]> {
	const names = getPathParameterNames(operation);
	const path = Object.fromEntries(names.map((name) => [name, values[name]]));
	return await lookUpAll(client, findReferenceFields(operation), path);
}

/** Looks up the IDs in the body of a request. */
export const lookUpBody = async (client: Client, operation: Operation, body: unknown) =>
	isObject(body) ? await lookUpAll(client, findReferenceFields(operation), body) : [];
