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
 * Creates a schema for text with `min` to `max` characters. Add further rules in a pipe, such as
 * `text(1, 255).pipe(z.string().url())`, so that they only check text of a valid length.
 */
export const textSchema = (min: number, max: number) =>
	Object.assign(
		z.string().superRefine((value, context) => {
			const length = countCharacters(value);
			const rest = { type: 'string', inclusive: true } as const;
			if (length < min) context.addIssue({ code: 'too_small', minimum: min, ...rest });
			if (length > max) context.addIssue({ code: 'too_big', maximum: max, ...rest });
		}),
		{ bounds: { min, max } as TextLengthLimits },
	);

/**
 * Returns the length limits of a schema that the function `text` created. Zod itself does not
 * expose them, because they are part of a custom rule.
 */
export const getTextLengthLimits = (schema: ZodTypeAny): TextLengthLimits | undefined =>
	'bounds' in schema ? (schema.bounds as TextLengthLimits) : undefined;
