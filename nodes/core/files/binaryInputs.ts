/** Files among the values of a form: where they are, and how they become assets. */
import { isObject } from '../json';

/** A binary field of the item, uploaded before the request is sent. */
export type BinaryInput = {
	type: 'binary';
	field: string;
	/** The item that holds the file; set by the core. */
	item?: number;
	/** `id`: the API wants the bare asset id in this place. */
	as?: 'id';
};

/** A file field of the form as its checked value: what the API takes, or a binary field. */
export type AssetInput =
	| { type: 'url'; url: string }
	| { type: 'asset_id'; asset_id: string }
	| { type: 'base64'; media_type: string; data: string }
	| BinaryInput;

const isBinaryInput = (value: unknown): value is BinaryInput =>
	isObject(value) && value.type === 'binary' && typeof value.field === 'string';

/** The binary fields that a value refers to, wherever they are in it. */
export function findBinaryInputs(value: unknown): BinaryInput[] {
	if (isBinaryInput(value)) return [value];
	if (value === null || typeof value !== 'object') return [];
	return Object.values(value).flatMap(findBinaryInputs);
}

/** The same value with every binary field uploaded and named by its asset id. */
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
