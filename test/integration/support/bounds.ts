/** What a zod schema says about limits. */
import type { ZodTypeAny } from 'zod';
import { getTextBounds } from './core';

export interface Bounds {
	kind: 'string' | 'number' | 'boolean' | 'enum' | 'array' | 'other';
	min?: number;
	max?: number;
	/** The bound itself is outside. */
	open?: boolean;
	integer?: boolean;
	/** The text must be a web address. */
	address?: boolean;
	/** The text has a form of its own (a pattern, an address): lengths cannot be tried. */
	formed?: boolean;
}

type Check = { kind: string; value: number; inclusive?: boolean };

/** The bounds of a schema, without what is wrapped around it. */
export function boundsOf(schema: ZodTypeAny | undefined): Bounds {
	const def = schema?._def as
		| {
				typeName: string;
				checks?: Check[];
				schema?: ZodTypeAny;
				innerType?: ZodTypeAny;
				in?: ZodTypeAny;
				out?: ZodTypeAny;
				minLength?: { value: number } | null;
				maxLength?: { value: number } | null;
		  }
		| undefined;
	if (!schema || !def) return { kind: 'other' };
	const length = getTextBounds(schema);
	// No field sends an empty text.
	if (length) return { kind: 'string', min: length.min || undefined, max: length.max };
	const limit = (kind: string) => def.checks?.find((check) => check.kind === kind);
	switch (def.typeName) {
		case 'ZodEffects':
			return { ...boundsOf(def.schema), formed: true };
		case 'ZodPipeline': {
			const [first, then] = [boundsOf(def.in), boundsOf(def.out)];
			return { ...then, min: first.min ?? then.min, max: first.max ?? then.max, formed: true };
		}
		case 'ZodOptional':
		case 'ZodNullable':
			return boundsOf(def.innerType);
		case 'ZodString': {
			const formed = def.checks?.some(({ kind }) => !['min', 'max', 'trim'].includes(kind));
			const address = def.checks?.some(({ kind }) => kind === 'url');
			return {
				kind: 'string',
				min: limit('min')?.value,
				max: limit('max')?.value,
				formed,
				address,
			};
		}
		case 'ZodNumber': {
			const min = limit('min');
			return {
				kind: 'number',
				min: min?.value,
				max: limit('max')?.value,
				open: min?.inclusive === false,
				integer: limit('int') !== undefined,
			};
		}
		case 'ZodBoolean':
			return { kind: 'boolean' };
		case 'ZodEnum':
			return { kind: 'enum' };
		case 'ZodArray':
			return { kind: 'array', min: def.minLength?.value, max: def.maxLength?.value };
		default:
			return { kind: 'other' };
	}
}
