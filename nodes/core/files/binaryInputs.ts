/** Finds references to binary fields in form values, and replaces them with uploaded assets. */
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
