/** What an update does with a part of a thing: what is not sent stays, what is sent empty is cleared. */
import type { GenericValue } from 'n8n-workflow';
import { z } from 'zod';

/** What becomes of a part. */
export type UpdateMode = 'keep' | 'replace' | 'clear' | undefined;

/** The choice between them, each with what it means for the part. */
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

/** The part as it is sent. */
export const applyUpdateMode = (
	name: string,
	change: UpdateMode,
	value: GenericValue,
	empty: object,
) => (change === 'replace' ? { [name]: value } : change === 'clear' ? { [name]: empty } : {});

/** Whether an update has neither a new name nor a part that changes. */
export const isEmptyUpdate = (
	values: { name?: string; additionalBodyFields?: object },
	changes: readonly UpdateMode[],
) =>
	values.name === undefined &&
	changes.every((change) => change === undefined || change === 'keep') &&
	Object.keys(values.additionalBodyFields ?? {}).length === 0;
