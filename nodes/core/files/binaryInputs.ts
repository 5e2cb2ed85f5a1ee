/** Finds references to binary fields in form values, and replaces them with uploaded assets. */
import type { INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../json';

/**
 * Reference to a binary field of an input item. The file in that field is uploaded before the
 * request is sent.
 */
export type BinaryInput = {
	type: 'binary';
	field: string;
	/**
	 * Index of the input item that contains the file. Set when the parameters are read, not by the
	 * form.
	 */
	item?: number;
	/**
	 * How the request refers to the uploaded asset: `id` means by the asset ID alone, undefined
	 * means by an object that contains the ID.
	 */
	as?: 'id';
};

/**
 * Value of a file field: a URL, an asset ID or Base64 data, all of which the API accepts, or a
 * binary field to upload.
 */
export type AssetInput =
	| { type: 'url'; url: string }
	| { type: 'asset_id'; asset_id: string }
	| { type: 'base64'; media_type: string; data: string }
	| BinaryInput;

const isBinaryInput = (value: unknown): value is BinaryInput =>
	isObject(value) && value.type === 'binary' && typeof value.field === 'string';

/** Returns all references to binary fields that a value contains, at any depth. */
export function findBinaryInputs(value: unknown): BinaryInput[] {
	if (isBinaryInput(value)) return [value];
	if (value === null || typeof value !== 'object') return [];
	return Object.values(value).flatMap(findBinaryInputs);
}

/** Maximum number of binary fields that a problem lists. */
const maxListedFields = 10;

/**
 * Returns a problem for each binary field that a value refers to and that the item does not have.
 * Each problem lists the binary fields of the item.
 *
 * @param hint how to use all files of the item instead, if the form allows that
 */
export function findMissingFiles(
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
		names.includes(field) ? [] : [`The item has no file in a binary field "${field}": ${existing}`],
	);
}

/**
 * Uploads the file of every binary field that a value refers to. Returns the value with asset IDs
 * instead of the references.
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
		return await Promise.all(value.map(async (one) => await uploadBinaryInputs(one, upload)));
	}
	if (!isObject(value)) return value;
	const entries = Object.entries(value).map(
		async ([key, one]) => [key, await uploadBinaryInputs(one, upload)] as const,
	);
	return Object.fromEntries(await Promise.all(entries));
}
