/** Checks whether the IDs that a user entered exist in the service. Used by Check Only. */
import type { IDataObject } from 'n8n-workflow';
import { flattenFields } from '../describe/properties';
import { isNotFoundError } from '../errors/errorDetails';
import type { IdCheck } from '../form/field';
import { fetchResourceOncePerRun, type Client } from '../http/client';
import { readId, readObject, readText, unwrapSingleProperty } from '../json';
import type { Operation } from '../operation';
import { getAllFields } from '../operationTraits';

interface Reference {
	/** Label of the form field. */
	field: string;
	id: string;
	lookUp: IdCheck;
}

export interface IdLookUpResult {
	field: string;
	id: string;
	name?: string;
	problem?: string;
	/** Why it is unknown whether the ID exists, such as a failed request. */
	unknown?: string;
}

type ReferenceFields = ReadonlyMap<string, Pick<Reference, 'field' | 'lookUp'>>;

/** Keyed by the request property that contains the ID. */
function findReferenceFields(operation: Operation): ReferenceFields {
	const fields = flattenFields(getAllFields(operation));
	const allFields = fields.flatMap((field) => [field, ...(field.contains ?? [])]);
	return new Map(
		allFields.flatMap(({ name, displayName, lookUp, asset }) =>
			lookUp === undefined
				? []
				: // A file field contains the ID of its asset under that key.
					[[asset === true ? 'asset_id' : name, { field: displayName, lookUp }] as const],
		),
	);
}

function findReferences(fields: ReferenceFields, content: unknown): Reference[] {
	if (Array.isArray(content)) return content.flatMap((part) => findReferences(fields, part));
	return Object.entries(readObject(content)).flatMap(([key, value]) => {
		const field = fields.get(key);
		if (!field) return findReferences(fields, value);
		const ids = (Array.isArray(value) ? value : [value]).map(readId);
		const references = ids.flatMap((id) => (id === undefined ? [] : [{ ...field, id }]));
		return references.length > 0 ? references : findReferences(fields, value);
	});
}

const readRowsOnce = async (client: Client, line: string): Promise<IDataObject[]> =>
	await client.shareInRun(`rows of ${line}`, async () => {
		const rows: IDataObject[] = [];
		// The style list accepts no larger pages (service.md, Conventions).
		for await (const page of client.fetchPages({ line }, 50)) rows.push(...page.rows);
		return rows;
	});

async function readResource(
	client: Client,
	{ id, lookUp: { line, listKey } }: Reference,
): Promise<IDataObject | undefined> {
	if (listKey !== undefined) {
		return (await readRowsOnce(client, line)).find((row) => readId(row[listKey]) === id);
	}
	const [, name = ''] = /\{(\w+)\}/.exec(line) ?? [];
	const outcome = await fetchResourceOncePerRun(client, line, { [name]: id });
	if (outcome.ok) return unwrapSingleProperty(readObject(outcome.reply.data));
	if (isNotFoundError(outcome.error)) return undefined;
	throw outcome.error;
}

async function lookUpReference(client: Client, reference: Reference): Promise<IdLookUpResult> {
	const { field, id, lookUp } = reference;
	try {
		const resource = await readResource(client, reference);
		if (!resource) return { field, id, problem: `"${field}": ${id} does not exist` };
		const name = readText(resource.name) ?? readText(resource.title);
		const reason = lookUp.explainUnusable?.(resource);
		return {
			field,
			id,
			...(name !== undefined && { name: client.removeSecrets(name) }),
			...(reason !== undefined && { problem: `"${field}": ${id} ${reason}` }),
		};
	} catch (error) {
		return { field, id, unknown: (error as Error).message };
	}
}

/** Looks up the IDs in values or in a request body. Each is looked up only once per node run. */
export async function verifyIds(
	client: Client,
	operation: Operation,
	content: unknown,
): Promise<IdLookUpResult[]> {
	const references = findReferences(findReferenceFields(operation), content);
	const distinct = new Map(references.map((one) => [`${one.lookUp.line} ${one.id}`, one]));
	return await Promise.all(
		[...distinct.values()].map(async (reference) => await lookUpReference(client, reference)),
	);
}
