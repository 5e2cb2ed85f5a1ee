/** The limits of zod schemas. */
import type { ZodTypeAny } from 'zod';
import { getTextSchemaLimits } from './core';

export interface Bounds {
	kind: 'string' | 'number' | 'boolean' | 'enum' | 'array' | 'other';
	min?: number;
	max?: number;
	/** The minimum itself is not allowed. */
	isExclusive?: boolean;
	isInteger?: boolean;
	/** The text must be a URL. */
	isUrl?: boolean;
	/** The text must match a pattern or be a URL: lengths cannot be tested. */
	hasPattern?: boolean;
}

type Check = { kind: string; value: number; inclusive?: boolean };

const isEndOfExactNumbers = (value: number) => Math.abs(value) === Number.MAX_SAFE_INTEGER;

/** The bounds of a schema, inside its optional and nullable wrappers. */
export function readBounds(schema: ZodTypeAny | undefined): Bounds {
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
	const length = getTextSchemaLimits(schema);
	// No field sends an empty text.
	if (length) return { kind: 'string', min: length.min || undefined, max: length.max };
	// The bounds of `safe()` say nothing of the field: they are those of exact numbers.
	const limit = (kind: string) =>
		def.checks?.find((check) => check.kind === kind && !isEndOfExactNumbers(check.value));
	switch (def.typeName) {
		case 'ZodEffects':
			return { ...readBounds(def.schema), hasPattern: true };
		case 'ZodPipeline': {
			const [first, then] = [readBounds(def.in), readBounds(def.out)];
			return { ...then, min: first.min ?? then.min, max: first.max ?? then.max, hasPattern: true };
		}
		case 'ZodOptional':
		case 'ZodNullable':
			return readBounds(def.innerType);
		case 'ZodString': {
			const formed = def.checks?.some(({ kind }) => !['min', 'max', 'trim'].includes(kind));
			const address = def.checks?.some(({ kind }) => kind === 'url');
			return {
				kind: 'string',
				min: limit('min')?.value,
				max: limit('max')?.value,
				hasPattern: formed,
				isUrl: address,
			};
		}
		case 'ZodNumber': {
			const min = limit('min');
			return {
				kind: 'number',
				min: min?.value,
				max: limit('max')?.value,
				isExclusive: min?.inclusive === false,
				isInteger: limit('int') !== undefined,
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
