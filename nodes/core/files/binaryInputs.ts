/** Finds binary fields in form values, and replaces them with uploaded assets. */
import { isObject } from '../json';

/** Reference to a binary field of an item. Its file is uploaded before the request is sent. */
export type BinaryInput = {
	type: 'binary';
	field: string;
	/** Index of the item with the file, set by the core. */
	item?: number;
	/** Form of the uploaded asset in the request. `id`: the bare asset ID instead of an object. */
	as?: 'id';
};

/** Value of a file field: a reference that the API accepts, or a binary field. */
export type AssetInput =
	| { type: 'url'; url: string }
	| { type: 'asset_id'; asset_id: string }
	| { type: 'base64'; media_type: string; data: string }
	| BinaryInput;

const isBinaryInput = (value: unknown): value is BinaryInput =>
	isObject(value) && value.type === 'binary' && typeof value.field === 'string';

/** Returns all binary fields in a value, at any depth. */
export function findBinaryInputs(value: unknown): BinaryInput[] {
	if (isBinaryInput(value)) return [value];
	if (value === null || typeof value !== 'object') return [];
	return Object.values(value).flatMap(findBinaryInputs);
}

/** Uploads every binary field in a value, and returns the value with asset IDs in their place. */
export async function replaceBinaryInputs(
	value: unknown,
	upload: (input: BinaryInput) => Promise<string>,
): Promise<unknown> {
	if (isBinaryInput(value)) {
		const id = await upload(value);
		return value.as === 'id' ? id : { type: 'asset_id', asset_id: id };
	}
	if (Array.isArray(value)) {
		return await Promise.all(value.map(async (one) => await replaceBinaryInputs(one, upload)));
	}
	if (!isObject(value)) return value;
	const entries = Object.entries(value).map(
		async ([key, one]) => [key, await replaceBinaryInputs(one, upload)] as const,
	);
	return Object.fromEntries(await Promise.all(entries));
}
