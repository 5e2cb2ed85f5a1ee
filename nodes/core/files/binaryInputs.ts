/**
 * Finds form values that refer to binary fields, uploads the files in those fields, and replaces
 * the values with the uploaded assets.
 */
import type { INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../json';
import { awaitAllTransfers } from './transfer';

/**
 * Form value that refers to a file in an input item's binary field. The file is uploaded before the
 * request is sent.
 */
export type BinaryInput = {
	type: 'binary';
	field: string;
	/**
	 * Index of the input item that contains the file. The form does not contain this index: the
	 * node adds it after reading the parameters.
	 */
	item?: number;
	/**
	 * Set to `id` if the request must contain the plain ID of the uploaded asset. Otherwise, the
	 * request contains an object with the asset ID.
	 */
	as?: 'id';
};

/**
 * Value of a form field for a file: a URL, an asset ID, Base64 data or a binary field. The API
 * accepts all of these except a binary field, whose file must be uploaded beforehand.
 */
export type AssetFieldValue =
	| { type: 'url'; url: string }
	| { type: 'asset_id'; asset_id: string }
	| { type: 'base64'; media_type: string; data: string }
	| BinaryInput;

const isBinaryInput = (value: unknown): value is BinaryInput =>
	isObject(value) && value.type === 'binary' && typeof value.field === 'string';

/** Returns all references to binary fields in a form value, at any depth. */
export function findBinaryInputs(value: unknown): BinaryInput[] {
	if (isBinaryInput(value)) return [value];
	if (value === null || typeof value !== 'object') return [];
	return Object.values(value).flatMap(findBinaryInputs);
}

/** Maximum number of existing binary fields to list in a message about a missing file. */
const maxListedFields = 10;

/**
 * Returns one error message for each binary field that a form value refers to but the input item
 * lacks. Each message lists the fields that the item has.
 *
 * @param hint text to append to the list, such as how to use all of the item's files
 */
export function describeMissingFiles(
	value: unknown,
	binary: INodeExecutionData['binary'] = {},
	hint = '',
): string[] {
	const names = Object.keys(binary).filter((name) => binary[name] !== undefined);
	const more = names.length > maxListedFields ? ' and others' : '';
	const listed = names.slice(0, maxListedFields).map((name) => `"${name}"`);
	const list = listed.join(', ') + more;
	const existing = names.length === 0 ? 'it has no files' : `its binary fields are ${list}${hint}`;
	return findBinaryInputs(value).flatMap(({ field }) =>
		names.includes(field)
			? []
			: [`The item has no file in the binary field "${field}": ${existing}`],
	);
}

/**
 * Uploads the file from each binary field that a form value refers to. Returns a copy of the value
 * with asset IDs in place of the references.
 */
export async function uploadBinaryInputs(
	value: unknown,
	upload: (input: BinaryInput) => Promise<string>,
): Promise<unknown> {
	if (isBinaryInput(value)) {
		const id = await upload(value);
		return value.as === 'id' ? id : { type: 'asset_id', asset_id: id };
	}
	if (Array.isArray(value)) {
		return await awaitAllTransfers(value.map(async (one) => await uploadBinaryInputs(one, upload)));
	}
	if (!isObject(value)) return value;
	const entries = Object.entries(value).map(
		async ([key, one]) => [key, await uploadBinaryInputs(one, upload)] as const,
	);
	return Object.fromEntries(await awaitAllTransfers(entries));
}
