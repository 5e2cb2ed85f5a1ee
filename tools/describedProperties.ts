/** The properties of requests that simulator/openapi.yaml describes, with their limits and values. */
import { listOperations, readApi, resolve, type JsonSchema } from '../simulator/api';

const api = readApi();

/** Limit of a number, of the characters of a text, or of the entries of a list. */
export interface Limit {
	min?: number;
	/** Like `min`, but not allowed itself. */
	above?: number;
	max?: number;
	multipleOf?: number;
}

/** A property of a request's query or body, at any depth. */
export interface DescribedProperty {
	/** Request line. */
	line: string;
	/** Its path in the request. `[]` is an entry of a list, `*` a key that users choose. */
	field: string;
	/** Name of the schema that has the property, or the request line if that schema has no name. */
	owner: string;
	/** Its path in the owner. */
	path: string;
	/** Whether it belongs to an entry of a batch, which has the properties of the single request. */
	isInEntry: boolean;
	schema: JsonSchema;
	limit?: Limit;
	/** Its known values. Closed lists have an `enum`, open ones only `examples`. */
	values: unknown[];
}

type Place = Pick<DescribedProperty, 'line' | 'field' | 'owner' | 'path' | 'isInEntry'>;

export const listParts = (value: unknown) => [value ?? []].flat() as JsonSchema[];

const readProperties = (schema: JsonSchema) =>
	Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);

const bodies = new Set(
	listOperations(api).flatMap(({ operation }) => {
		const schema = operation.requestBody?.content['application/json']?.schema ?? {};
		return [schema, ...listParts(schema.oneOf)].flatMap(({ $ref }) =>
			typeof $ref === 'string' ? [$ref] : [],
		);
	}),
);

function readLimit(schema: JsonSchema): Limit | undefined {
	const [min, max] =
		schema.maxLength !== undefined
			? [schema.minLength, schema.maxLength]
			: (schema.maxItems ?? schema.minItems) !== undefined
				? [schema.minItems, schema.maxItems]
				: [schema.minimum, schema.maximum];
	const { exclusiveMinimum: above, multipleOf } = schema;
	const limit = Object.entries({ min, above, max, multipleOf }).filter(
		([, bound]) => bound !== undefined,
	);
	return limit.length > 0 ? Object.fromEntries(limit) : undefined;
}

/** Returns the place of what a schema refers to: a named schema owns its properties. */
function followReference(place: Place, { $ref }: JsonSchema): Place {
	if (typeof $ref !== 'string') return place;
	return {
		...place,
		owner: $ref.replace('#/components/schemas/', ''),
		path: '',
		isInEntry: place.isInEntry || (place.field !== '' && bodies.has($ref)),
	};
}

function enterProperty(place: Place, name: string): Place {
	const join = (path: string) => (path === '' ? name : `${path}.${name}`);
	return { ...place, field: join(place.field), path: join(place.path) };
}

/** The constants that tell the variants of a union apart are the values of a property, too. */
function listVariantNames(place: Place, schema: JsonSchema): DescribedProperty[] {
	return ['type', 'mode'].flatMap((name) => {
		const known = listParts(schema.oneOf).flatMap((variant) =>
			readProperties(resolve(variant)).flatMap(([key, property]) =>
				key === name && property.const !== undefined ? [property] : [],
			),
		);
		if (known.length === 0) return [];
		const values = known.map((property) => property.const);
		const union = { enum: values, 'x-source': known[0]?.['x-source'] };
		return [{ ...enterProperty(place, name), schema: union, values }];
	});
}

function listInSchema(outer: Place, schema: JsonSchema, parents: unknown[]): DescribedProperty[] {
	const target = resolve(schema);
	if (target.deprecated || schema.deprecated || parents.includes(target)) return [];
	// A limit next to a reference is one of the property, not of all that refer to the schema.
	const place = readLimit(schema) ? outer : followReference(outer, schema);
	const whole: JsonSchema = { ...target, ...schema };
	const inner = [...parents, target];
	const values = [whole.enum, whole.examples].flatMap(listParts).filter((value) => value !== null);
	const append = (suffix: string) => ({
		...place,
		field: place.field + suffix,
		path: place.path + suffix,
	});
	return [
		{ ...place, schema: whole, limit: readLimit(whole), values },
		...readProperties(whole).flatMap(([name, property]) =>
			listInSchema(enterProperty(place, name), property, inner),
		),
		...listParts(whole.items).flatMap((items) => listInSchema(append('[]'), items, inner)),
		...(typeof whole.additionalProperties === 'object'
			? listInSchema(append('.*'), whole.additionalProperties as JsonSchema, inner)
			: []),
		...listVariantNames(place, whole),
		...[whole.oneOf, whole.anyOf]
			.flatMap(listParts)
			.flatMap((variant) =>
				listInSchema(place, { 'x-source': whole['x-source'], ...variant }, inner),
			),
	];
}

/** Lists the properties of all requests, except deprecated ones. */
export const listDescribedProperties = (): DescribedProperty[] =>
	listOperations(api).flatMap(({ line, operation }) => {
		const body = operation.requestBody?.content['application/json']?.schema;
		const place = { line, field: '', owner: line, path: '', isInEntry: false };
		return [
			...(operation.parameters ?? [])
				.map((parameter) => resolve(parameter))
				.filter((parameter) => parameter.in === 'query')
				.flatMap(({ name, schema }) => listInSchema(enterProperty(place, name), schema, [])),
			...(body ? listInSchema(place, body, []) : []),
		];
	});
