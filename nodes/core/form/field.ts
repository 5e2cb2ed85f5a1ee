/**
 * Defines the form fields of operations: n8n properties with validation schemas, and the types of
 * the validated values.
 */
import type {
	IDataObject,
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

/** Function that loads one page of entries for the From List mode of a resource locator. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Function that loads the options of a dropdown field. */
export type OptionsLoader = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** Function that loads the fields that a resource mapper shows. */
export type ResourceMapperLoader = (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>;

/** Request that finds out whether an ID exists in the service, for the option Check Only. */
export interface LookUp {
	/**
	 * Request line that reads one resource, such as `GET /v3/voices/{voice_id}`, or a list of all of
	 * them.
	 */
	line: string;
	/** Key of the ID in the rows of the list. Undefined if `line` reads one resource. */
	listKey?: string;
	/** Returns why a resource that exists cannot be used, or `undefined` if it can. */
	explainUnusable?(resource: IDataObject): string | undefined;
}

/**
 * Form field of an operation: an n8n property with additional settings, such as a validation
 * schema. Fields have the same names as in the API, so that the output of one operation fits the
 * input of the next.
 */
export interface Field extends Omit<DeepReadonly<INodeProperties>, 'options'> {
	readonly options?: ReadonlyArray<Field | FieldGroup | DeepReadonly<INodePropertyOptions>>;
	/**
	 * Schema that validates the value before any request is sent. It contains the limits of the
	 * service (docs/service.md, Limits). Without a schema, any text is valid in a text field, and
	 * true or false in a boolean field.
	 */
	readonly schema?: ZodTypeAny;
	/** Functions that search a resource locator's lists, keyed by the method names in `modes`. */
	readonly search?: Readonly<Record<string, ListSearch>>;
	/** Functions that load dropdown options, keyed by the method names in `typeOptions`. */
	readonly load?: Readonly<Record<string, OptionsLoader>>;
	/** Functions that load resource mapper fields, keyed by the method names in `typeOptions`. */
	readonly mapping?: Readonly<Record<string, ResourceMapperLoader>>;
	/** How the ID in this field is looked up. Undefined if the service cannot tell. */
	readonly lookUp?: LookUp;
	/** Fields whose IDs the value may contain under their names, if the value has no form fields. */
	readonly contains?: readonly Field[];
	/** Whether this is a file field: a resource locator with the modes `url`, `id` and `binary`. */
	readonly asset?: boolean;
	/** Number that means "not set", because a number field in n8n cannot be empty. */
	readonly unset?: number;
	/** Collection in which the form shows this option. The default is the Options collection. */
	readonly collection?: 'lookAndSound';
	/** Whether the form shows the field below Wait for Completion, on which it depends. */
	readonly afterWait?: boolean;
	/** Description and default value to use if the node is a tool of an AI agent. */
	readonly inTools?: Readonly<Pick<INodeProperties, 'default' | 'description'>>;
	/**
	 * Part of the request that contains the value. A `local` value is not sent: only the functions
	 * `body` and `execute` of the operation use it.
	 */
	readonly in?: 'body' | 'query' | 'local';
}

/** Named group of fields inside a `fixedCollection` field. */
export interface FieldGroup {
	readonly displayName: string;
	readonly name: string;
	readonly values: readonly Field[];
}

/** Condition for `displayOptions` that is met if the node is a tool of an AI agent. */
export const aiToolCondition = { '@tool': [true] };

/** Schemas for fields that have no schema of their own, by field type. */
const schemaByType = { string: z.string().min(1), boolean: z.boolean() };

type SchemaOf<F> = F extends { readonly schema: infer S extends ZodTypeAny }
	? S
	: F extends { readonly type: infer T extends keyof typeof schemaByType }
		? (typeof schemaByType)[T]
		: z.ZodUnknown;

/** Returns the schema of a field, or the default for its type. Returns `undefined` for notices. */
export const getSchema = ({ schema, type }: Field): ZodTypeAny | undefined =>
	schema ?? (schemaByType as Partial<Record<string, ZodTypeAny>>)[type];

/** Builds a schema for an object with these fields as optional properties. */
export const buildObjectSchema = <const F extends readonly Field[]>(fields: F) =>
	z
		.object(
			Object.fromEntries(fields.map((field) => [field.name, getSchema(field)])) as {
				[K in F[number] as K['name']]: SchemaOf<K>;
			},
		)
		.partial();

type FieldValue<F> = z.output<SchemaOf<F>>;

/** Type of the validated values of fields and options. Only required fields always have a value. */
export type FieldValues<F extends readonly Field[], O extends readonly Field[]> = {
	[K in F[number] as K extends { readonly required: true } ? K['name'] : never]: FieldValue<K>;
} & {
	[K in F[number] as K extends { readonly required: true } ? never : K['name']]?: FieldValue<K>;
} & { [K in O[number] as K['name']]?: FieldValue<K> };

/**
 * Names of the collections that contain the options of an operation. `lookAndSound` is for picture
 * and sound settings, `options` for all others.
 */
export const collectionNames = ['lookAndSound', 'options'] as const;

export type CollectionName = (typeof collectionNames)[number];

/** Returns the options that belong to the collection `name`. */
export const getCollectionOptions = (name: CollectionName, options: readonly Field[]) =>
	options.filter(({ collection = 'options' }) => collection === name);
