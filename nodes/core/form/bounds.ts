/** The limits in a field's schema, for the form. */
import { z, type ZodTypeAny } from 'zod';

/** The least and the greatest number that a schema takes; both are taken themselves. */
export interface Bounds {
	min?: number;
	max?: number;
}

/** The bounds of a schema of numbers, whatever is wrapped around it; none for any other. */
export function boundsOf(schema: ZodTypeAny | undefined): Bounds {
	if (schema instanceof z.ZodEffects) return boundsOf(schema.innerType() as ZodTypeAny);
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
		return boundsOf(schema.unwrap() as ZodTypeAny);
	}
	if (!(schema instanceof z.ZodNumber)) return {};
	return { min: schema.minValue ?? undefined, max: schema.maxValue ?? undefined };
}
