/** The fields of operations: properties of n8n with schemas, and the types of their values. */
import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeProperties,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';
import { z, type ZodTypeAny } from 'zod';

type DeepReadonly<T> = T extends (...args: never[]) => unknown
	? T
	: T extends object
		? { readonly [K in keyof T]: DeepReadonly<T[K]> }
		: T;

/** Loads one page of the list that a resource locator shows under From List. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Loads the choices of a dropdown. */
export type OptionsLoad = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** Loads the fields that a resource mapper offers. */
export type MappingLoad = (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>;

/**
 * One field of a form: a property of n8n, plus what the core needs to know about it. Its name is the
 * field name of the API, so that the output of one operation fits the input of the next.
 */
export interface Field extends Omit<DeepReadonly<INodeProperties>, 'options'> {
	readonly options?: ReadonlyArray<Field | FieldGroup | DeepReadonly<INodePropertyOptions>>;
	/**
	 * The check before anything is sent, with the limits of the specification (docs/service.md,
	 * Limits). Texts and booleans without a schema may have any value of their type.
	 */
	readonly schema?: ZodTypeAny;
	/** List searches by the method names in `modes`. */
	readonly search?: Readonly<Record<string, ListSearch>>;
	/** Loaders of choices by the method names in `typeOptions`. */
	readonly load?: Readonly<Record<string, OptionsLoad>>;
	/** Loaders of mapper fields by the method names in `typeOptions`. */
	readonly mapping?: Readonly<Record<string, MappingLoad>>;
	/** Whether it is a file: a resource locator with the modes `url`, `id` and `binary`. */
	readonly asset?: boolean;
	/** The number that means "not set": n8n has no empty number fields. */
	readonly unset?: number;
	/** The collection that shows an option; Options by default. */
	readonly collection?: 'lookAndSound';
	/** Description and default for nodes that are tools of an AI agent. */
	readonly inTools?: Readonly<Pick<INodeProperties, 'default' | 'description'>>;
	/** Part of the request that the value goes into. `local` values are only for `body` and `execute`. */
	readonly in?: 'body' | 'query' | 'local';
}

/** A group of fields in a fixed collection. */
export interface FieldGroup {
	readonly displayName: string;
	readonly name: string;
	readonly values: readonly Field[];
}

/** Condition of `displayOptions` that is true if the node is a tool of an AI agent. */
export const toolCondition = { '@tool': [true] };

/** Schemas of fields that need no schema of their own. */
const schemaByType = { string: z.string().min(1), boolean: z.boolean() };

type SchemaOf<F> = F extends { readonly schema: infer S extends ZodTypeAny }
	? S
	: F extends { readonly type: infer T extends keyof typeof schemaByType }
		? (typeof schemaByType)[T]
		: z.ZodUnknown;

/** The schema of a field or of its type; undefined for notices, which hold no value. */
export const getSchema = ({ schema, type }: Field): ZodTypeAny | undefined =>
	schema ?? (schemaByType as Partial<Record<string, ZodTypeAny>>)[type];

/** The schema of an object with these fields, all optional, for values from an expression. */
export const buildObjectSchema = <const F extends readonly Field[]>(fields: F) =>
	z
		.object(
			Object.fromEntries(fields.map((field) => [field.name, getSchema(field)])) as {
				[K in F[number] as K['name']]: SchemaOf<K>;
			},
		)
		.partial();

type FieldValue<F> = z.output<SchemaOf<F>>;

/** The checked values of fields and options, by name. Only required fields always have one. */
export type FieldValues<F extends readonly Field[], O extends readonly Field[]> = {
	[K in F[number] as K extends { readonly required: true } ? K['name'] : never]: FieldValue<K>;
} & {
	[K in F[number] as K extends { readonly required: true } ? never : K['name']]?: FieldValue<K>;
} & { [K in O[number] as K['name']]?: FieldValue<K> };

/** The collections that show the options of an operation: for picture and sound, and for the rest. */
export const collectionNames = ['lookAndSound', 'options'] as const;

export type CollectionName = (typeof collectionNames)[number];

/** The options that a collection shows. */
export const getCollectionOptions = (name: CollectionName, options: readonly Field[]) =>
	options.filter(({ collection = 'options' }) => collection === name);
