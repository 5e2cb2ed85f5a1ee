/** The choice to keep, replace or clear a part in an update. The API keeps the parts that are not sent. */
import type { GenericValue, IDataObject } from 'n8n-workflow';
import { z } from 'zod';

/** What an update does with a part; undefined means keep. */
export type UpdateMode = 'keep' | 'replace' | 'clear' | undefined;

/**
 * The properties of the choice between the update modes, to spread into a field that has a name.
 *
 * @param clear description of the choice Clear, and so on
 */
export const createUpdateMode = (clear: string, keep: string, replace: string) =>
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
 * The part as the request sends it: empty if it is cleared, missing if it is kept.
 *
 * @param name the field of the API for the part
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
