/**
 * Creates form fields for choosing whether an update keeps, replaces or clears part of a resource.
 * The service keeps every part that the update request omits.
 */
import type { GenericValue, IDataObject } from 'n8n-workflow';
import { z } from 'zod';

/**
 * Whether an update keeps, replaces or clears one part of a resource. `undefined` means that the
 * part is kept.
 */
export type UpdateMode = 'keep' | 'replace' | 'clear' | undefined;

/**
 * Returns the properties of a form field for choosing whether an update keeps, replaces or clears
 * something. The caller adds the field's name.
 *
 * @param clear description of the Clear option
 * @param keep description of the Keep option
 * @param replace description of the Replace option
 */
export const createUpdateModeField = (clear: string, keep: string, replace: string) =>
	({
		type: 'options',
		options: [
			{ name: 'Clear', value: 'clear', description: clear },
			{ name: 'Keep', value: 'keep', description: keep },
			{ name: 'Replace', value: 'replace', description: replace },
		],
		default: 'keep',
		schema: z.enum(['keep', 'replace', 'clear']),
		in: 'local',
	}) as const;

/**
 * Returns the property of an update request that replaces or clears one part of a resource, or an
 * empty object if the part is kept.
 *
 * @param name name of the part in the API
 * @param empty value that clears the part
 */
export const buildUpdateProperty = (
	name: string,
	mode: UpdateMode,
	value: GenericValue,
	empty: object,
): IDataObject => {
	if (mode === 'replace') return { [name]: value };
	return mode === 'clear' ? { [name]: empty } : {};
};

/**
 * Whether an update request would change nothing, because the user keeps every part of the resource
 * and has entered neither a new name nor additional body fields.
 */
export const isEmptyUpdate = (
	values: { name?: string; additionalBodyFields?: object },
	modes: readonly UpdateMode[],
) =>
	values.name === undefined &&
	modes.every((mode) => mode === undefined || mode === 'keep') &&
	Object.keys(values.additionalBodyFields ?? {}).length === 0;
