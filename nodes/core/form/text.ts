/**
 * Builds schemas for text with a minimum and maximum length. The schemas count an emoji as one
 * character, whereas zod's own length rules count it as two.
 */
import { z, type ZodTypeAny } from 'zod';
import { countCharacters } from './validation';

/** In characters. */
export interface TextLengthLimits {
	readonly min: number;
	readonly max: number;
}

/**
 * Rules added to the schema run only if the length is valid, because matching a pattern against a
 * huge text could be very slow.
 */
export const createTextSchema = (min: number, max: number) =>
	Object.assign(
		z.string().superRefine((value, context) => {
			const length = countCharacters(value);
			// Zod skips later refinements after fatal problems only.
			const rest = { type: 'string', inclusive: true, fatal: true } as const;
			if (length < min) context.addIssue({ code: 'too_small', minimum: min, ...rest });
			if (length > max) context.addIssue({ code: 'too_big', maximum: max, ...rest });
		}),
		{ bounds: { min, max } as TextLengthLimits },
	);

/** Schema for an ID. Expressions often return IDs with spaces or a line break around them. */
export const idSchema = z.string().regex(/\S/, 'must not consist of spaces').trim();

/** Without a limit, a huge value, such as from a public form, would slow down other executions. */
const defaultMaxTextLength = 1_000_000;

export function getMaxTextLength(schema: ZodTypeAny | undefined): number {
	const limits = schema && getTextSchemaLimits(schema);
	if (limits) return limits.max;
	if (schema instanceof z.ZodEffects) return getMaxTextLength(schema.innerType() as ZodTypeAny);
	if (schema instanceof z.ZodPipeline) return getMaxTextLength(schema._def.in as ZodTypeAny);
	return defaultMaxTextLength;
}

/** Zod does not expose the limits of `createTextSchema`, because they are a custom rule. */
export const getTextSchemaLimits = (schema: ZodTypeAny): TextLengthLimits | undefined =>
	'bounds' in schema ? (schema.bounds as TextLengthLimits) : undefined;
