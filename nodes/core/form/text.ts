/**
 * Builds schemas for text with a limited number of characters. Zod itself counts UTF-16 units, and
 * would count an emoji as two.
 */
import { z, type ZodTypeAny } from 'zod';
import { countCharacters } from './validation';

/** Minimum and maximum length of a text value, in characters. */
export interface TextLengthLimits {
	readonly min: number;
	readonly max: number;
}

/**
 * Creates a schema for text with `min` to `max` characters. Rules that are added to it, in a pipe or
 * as a refinement, only see text of a valid length: a pattern may take very long for a huge text.
 */
export const textSchema = (min: number, max: number) =>
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

/**
 * Maximum number of characters of a text for which the service has no limit of its own. It bounds
 * the time that a huge text, from a public form for example, takes from all other executions.
 */
const defaultMaxTextLength = 1_000_000;

/** Returns the maximum number of characters of the text that a schema accepts. */
export function getMaxTextLength(schema: ZodTypeAny | undefined): number {
	const limits = schema && getTextLengthLimits(schema);
	if (limits) return limits.max;
	if (schema instanceof z.ZodEffects) return getMaxTextLength(schema.innerType() as ZodTypeAny);
	if (schema instanceof z.ZodPipeline) return getMaxTextLength(schema._def.in as ZodTypeAny);
	return defaultMaxTextLength;
}

/**
 * Returns the length limits of a schema that the function `text` created. Zod itself does not
 * expose them, because they are part of a custom rule.
 */
export const getTextLengthLimits = (schema: ZodTypeAny): TextLengthLimits | undefined =>
	'bounds' in schema ? (schema.bounds as TextLengthLimits) : undefined;
