/**
 * Defines the choice to keep, replace or clear a part of a resource in an update. The API keeps
 * every part that the update request does not contain.
 */
import type { GenericValue, IDataObject } from 'n8n-workflow';
import { z } from 'zod';

/** What an update does to one part of a resource. `undefined` means that the part is kept. */
export type UpdateMode = 'keep' | 'replace' | 'clear' | undefined;

/**
 * Returns the properties of a form field in which the user chooses an update mode. Spread them into
 * a field that has a name.
 *
 * @param clear description of the option Clear
 * @param keep description of the option Keep
 * @param replace description of the option Replace
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
 * Builds the property of an update request that changes one part of a resource. The API keeps the
 * part if the property is missing, and clears it if the property is empty.
 *
 * @param name name of the part in the API
 * @param empty value that clears the part
 */
export const applyUpdateMode = (
	name: string,
	mode: UpdateMode,
	value: GenericValue,
	empty: object,
): IDataObject => {
	if (mode === 'replace') return { [name]: value };
	return mode === 'clear' ? { [name]: empty } : {};
};

/**
 * Whether an update would change nothing: no new name, no replaced or cleared part, and no
 * additional body fields.
 */
export const isEmptyUpdate = (
	values: { name?: string; additionalBodyFields?: object },
	modes: readonly UpdateMode[],
) =>
	values.name === undefined &&
	modes.every((mode) => mode === undefined || mode === 'keep') &&
	Object.keys(values.additionalBodyFields ?? {}).length === 0;
