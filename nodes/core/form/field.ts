/** Form fields of operations: n8n properties with schemas, and the types of their values. */
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
 * Form field: a property of n8n with additional information for the core. Its name is the field
 * name of the API, so that the output of one operation fits the input of the next.
 */
export interface Field extends Omit<DeepReadonly<INodeProperties>, 'options'> {
	readonly options?: ReadonlyArray<Field | FieldGroup | DeepReadonly<INodePropertyOptions>>;
	/**
	 * Schema that checks the value before any request is sent, with the limits of the service
	 * (docs/service.md, Limits). Without a schema, texts and booleans may have any value of their
	 * type.
	 */
	readonly schema?: ZodTypeAny;
	/** List searches by the method names in `modes`. */
	readonly search?: Readonly<Record<string, ListSearch>>;
	/** Loaders of dropdown choices by the method names in `typeOptions`. */
	readonly load?: Readonly<Record<string, OptionsLoad>>;
	/** Loaders of mapper fields by the method names in `typeOptions`. */
	readonly mapping?: Readonly<Record<string, MappingLoad>>;
	/** Whether the value is a file: a resource locator with the modes `url`, `id` and `binary`. */
	readonly asset?: boolean;
	/** Number that means "not set", because n8n has no empty number fields. */
	readonly unset?: number;
	/** Collection that contains an option. The default is Options. */
	readonly collection?: 'lookAndSound';
	/** Description and default for nodes that are tools of an AI agent. */
	readonly inTools?: Readonly<Pick<INodeProperties, 'default' | 'description'>>;
	/**
	 * Part of the request that contains the value. `local` values are only for `body` and `execute`.
	 */
	readonly in?: 'body' | 'query' | 'local';
}

/** Group of fields in a fixed collection. */
export interface FieldGroup {
	readonly displayName: string;
	readonly name: string;
	readonly values: readonly Field[];
}

/** Condition of `displayOptions` that is true if the node is a tool of an AI agent. */
export const isToolCondition = { '@tool': [true] };

/** Default schemas by field type. */
const schemaByType = { string: z.string().min(1), boolean: z.boolean() };

type SchemaOf<F> = F extends { readonly schema: infer S extends ZodTypeAny }
	? S
	: F extends { readonly type: infer T extends keyof typeof schemaByType }
		? (typeof schemaByType)[T]
		: z.ZodUnknown;

/** Returns the schema of a field or of its type; undefined for notices, which have no value. */
export const getSchema = ({ schema, type }: Field): ZodTypeAny | undefined =>
	schema ?? (schemaByType as Partial<Record<string, ZodTypeAny>>)[type];

/**
 * Builds the schema of an object with these fields, all optional, for values from an expression.
 */
export const buildObjectSchema = <const F extends readonly Field[]>(fields: F) =>
	z
		.object(
			Object.fromEntries(fields.map((field) => [field.name, getSchema(field)])) as {
				[K in F[number] as K['name']]: SchemaOf<K>;
			},
		)
		.partial();

type FieldValue<F> = z.output<SchemaOf<F>>;

/** Checked values of fields and options, by name. Only required fields always have one. */
export type FieldValues<F extends readonly Field[], O extends readonly Field[]> = {
	[K in F[number] as K extends { readonly required: true } ? K['name'] : never]: FieldValue<K>;
} & {
	[K in F[number] as K extends { readonly required: true } ? never : K['name']]?: FieldValue<K>;
} & { [K in O[number] as K['name']]?: FieldValue<K> };

/** Names of the collections that contain options: picture and sound settings, and all others. */
export const collectionNames = ['lookAndSound', 'options'] as const;

export type CollectionName = (typeof collectionNames)[number];

/** Returns the options that a collection contains. */
export const getCollectionOptions = (name: CollectionName, options: readonly Field[]) =>
	options.filter(({ collection = 'options' }) => collection === name);
