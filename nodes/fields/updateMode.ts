/**
 * The choice to keep, replace or clear a part in an update. The API keeps the parts that are not
 * sent.
 */
import type { GenericValue, IDataObject } from 'n8n-workflow';
import { z } from 'zod';

/** What an update does with a part; undefined means keep. */
export type UpdateMode = 'keep' | 'replace' | 'clear' | undefined;

/**
 * Creates the properties of a field that chooses an update mode, to spread into a field that has a
 * name.
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
 * Builds the request field for one part of an update: empty to clear the part, missing to keep it.
 *
 * @param name name of the part in the API
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

/** Whether an update has neither a new name, nor a changed part, nor additional body fields. */
export const isEmptyUpdate = (
	values: { name?: string; additionalBodyFields?: object },
	modes: readonly UpdateMode[],
) =>
	values.name === undefined &&
	modes.every((mode) => mode === undefined || mode === 'keep') &&
	Object.keys(values.additionalBodyFields ?? {}).length === 0;
