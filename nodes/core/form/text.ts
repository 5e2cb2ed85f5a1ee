/** Texts of limited length, counted in characters: zod counts UTF-16 units, two for an emoji. */
import { z, type ZodTypeAny } from 'zod';
import { countCharacters } from './validation';

/** The fewest and the most characters that a text may have. */
export interface TextBounds {
	readonly min: number;
	readonly max: number;
}

/**
 * Schema of a text with `min` to `max` characters. Further rules follow in a pipe, such as
 * `text(1, 255).pipe(z.string().url())`: they check only texts of the right length.
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

/** The bounds that `text` gave a schema: zod itself does not show those of a custom rule. */
export const getTextBounds = (schema: ZodTypeAny): TextBounds | undefined =>
	'bounds' in schema ? (schema.bounds as TextBounds) : undefined;
