/**
 * Schemas of texts with limited length, counted in characters. zod counts UTF-16 units, two for an
 * emoji.
 */
import { z, type ZodTypeAny } from 'zod';
import { countCharacters } from './validation';

/** Minimum and maximum number of characters of a text. */
export interface TextBounds {
	readonly min: number;
	readonly max: number;
}

/**
 * Creates the schema of a text with `min` to `max` characters. Further rules follow in a pipe, such
 * as `text(1, 255).pipe(z.string().url())`: they check only texts of a valid length.
 */
export const text = (min: number, max: number) =>
	Object.assign(
		z.string().superRefine((value, context) => {
			const length = countCharacters(value);
			const rest = { type: 'string', inclusive: true } as const;
			if (length < min) context.addIssue({ code: 'too_small', minimum: min, ...rest });
			if (length > max) context.addIssue({ code: 'too_big', maximum: max, ...rest });
		}),
		{ bounds: { min, max } as TextBounds },
	);

/**
 * Returns the length limits of a schema that `text` created. zod does not expose those of a custom
 * rule.
 */
export const getTextBounds = (schema: ZodTypeAny): TextBounds | undefined =>
	'bounds' in schema ? (schema.bounds as TextBounds) : undefined;
