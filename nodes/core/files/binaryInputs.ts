/** Uploads the files that form values refer to, and replaces the values with the assets. */
import type { INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../json';
import { awaitAllTransfers } from './transfer';

/** Reference to a file in a binary field, which must be uploaded before the request is sent. */
export type BinaryInput = {
	type: 'binary';
	field: string;
	/** Index of the input item. Added by the node, because the form does not contain it. */
	item?: number;
	/** Set to `id` if the request must contain the plain asset ID instead of an object. */
	as?: 'id';
	/** Text that the error about a missing file appends to its list of existing binary fields. */
	hint?: string;
};

/** Value of a file field. The API accepts all types except `binary`. */
export type AssetFieldValue =
	| { type: 'url'; url: string }
	| { type: 'asset_id'; asset_id: string }
	| { type: 'base64'; media_type: string; data: string }
	| BinaryInput;

const isBinaryInput = (value: unknown): value is BinaryInput =>
	isObject(value) && value.type === 'binary' && typeof value.field === 'string';

/** Finds references to binary fields in a value, at any depth. */
export function findBinaryInputs(value: unknown): BinaryInput[] {
	if (isBinaryInput(value)) return [value];
	if (value === null || typeof value !== 'object') return [];
	return Object.values(value).flatMap(findBinaryInputs);
}

const maxListedFields = 10;

/** Returns a message for each binary field that a value refers to but the input item lacks. */
export function describeMissingFiles(
	value: unknown,
	binary: INodeExecutionData['binary'] = {},
): string[] {
	const names = Object.keys(binary).filter((name) => binary[name] !== undefined);
	const more = names.length > maxListedFields ? ' and others' : '';
	const listed = names.slice(0, maxListedFields).map((name) => `"${name}"`);
	const list = listed.join(', ') + more;
	return findBinaryInputs(value).flatMap(({ field, hint = '' }) => {
		if (names.includes(field)) return [];
		const existing =
			names.length === 0 ? 'it has no files' : `its binary fields are ${list}${hint}`;
		return [`The item has no file in the binary field "${field}": ${existing}`];
	});
}

/** Uploads the files that a value refers to. Returns a copy of the value with their asset IDs. */
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
