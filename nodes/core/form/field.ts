/** Defines form fields, which are n8n's node properties with schemas, and their value types. */
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

/** Loads one page of entries for a searchable dropdown list. */
export type ListSearchMethod = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

export type OptionsLoader = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** Loads the fields of a resource mapper, n8n's control for fields known only at runtime. */
export type ResourceMapperLoader = (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>;

/** How Check Only finds out whether an ID exists in the service. */
export interface IdLookUp {
	/** Endpoint that returns one resource, such as `GET /v3/voices/{voice_id}`, or a list of all. */
	line: string;
	/** Property that contains the ID in each row of the list. Undefined if there is no list. */
	listKey?: string;
	/** Explains why an existing resource, such as an unfinished voice, cannot be used. */
	explainUnusable?(resource: IDataObject): string | undefined;
}

/**
 * Form field: an n8n node property with additional keys, such as a schema. Its name is the same
 * as in the API, so that the output of one operation can be the input of another.
 */
export interface Field extends Omit<DeepReadonly<INodeProperties>, 'options'> {
	readonly options?: ReadonlyArray<
		Field | FixedCollectionGroup | DeepReadonly<INodePropertyOptions>
	>;
	/**
	 * Schema of the value. Also enforces the service's limits (service.md, Limits). Without a schema,
	 * a text field accepts any text, and a boolean field accepts true and false.
	 */
	readonly schema?: ZodTypeAny;
	/** Functions that load the lists of a resource locator, keyed by the method names in `modes`. */
	readonly search?: Readonly<Record<string, ListSearchMethod>>;
	/** Functions that load dropdown options, keyed by the method names in `typeOptions`. */
	readonly load?: Readonly<Record<string, OptionsLoader>>;
	/** Functions that load resource mapper fields, keyed by the method names in `typeOptions`. */
	readonly mapping?: Readonly<Record<string, ResourceMapperLoader>>;
	/** How to check that the ID exists. Undefined if the service offers no endpoint for that. */
	readonly lookUp?: IdLookUp;
	/** Fields for IDs inside this field's value, which Check Only also looks up. */
	readonly contains?: readonly Field[];
	/** Whether the field selects a file by URL, asset ID or the name of a binary field. */
	readonly asset?: boolean;
	/** Number that means "not set", because a number field in n8n cannot be empty. */
	readonly unset?: number;
	/** Advice for an entry of a resource mapper whose expression returns nothing. */
	readonly adviceIfEmpty?: string;
	/** Section of the form that contains this option. The default is Options. */
	readonly collection?: 'lookAndSound' | 'advanced';
	/** Whether the form shows the field below Wait for Completion, on which it depends. */
	readonly afterWait?: boolean;
	/** Properties that differ when an AI agent uses the node as a tool. */
	readonly inTools?: Readonly<Pick<INodeProperties, 'default' | 'description'>>;
	/** Where the request contains the value. A `local` value is used only by the node itself. */
	readonly in?: 'body' | 'query' | 'local';
}

/** Named group of fields inside a `fixedCollection` field. */
export interface FixedCollectionGroup {
	readonly displayName: string;
	readonly name: string;
	readonly values: readonly Field[];
}

/** Display condition that is true when an AI agent uses the node as a tool. */
export const aiToolCondition = { '@tool': [true] };

/** Default schemas of fields, keyed by the type of the field. */
const schemaByType = { string: z.string().min(1), boolean: z.boolean() };

type SchemaOf<F> = F extends { readonly schema: infer S extends ZodTypeAny }
	? S
	: F extends { readonly type: infer T extends keyof typeof schemaByType }
		? (typeof schemaByType)[T]
		: z.ZodUnknown;

/** Returns the schema of a field, or `undefined` for types without one, such as a notice. */
export const getSchema = ({ schema, type }: Field): ZodTypeAny | undefined =>
	schema ?? (schemaByType as Partial<Record<string, ZodTypeAny>>)[type];

/**
 * Whether a dropdown field also accepts values that are not in its list, such as from an
 * expression. The service decides whether these values are valid. Not accepted if the node itself
 * uses the value (`local`), or if the field's schema converts the value.
 */
export const acceptsUnlistedValues = ({ type, in: place, schema }: Field): boolean =>
	place !== 'local' &&
	['options', 'multiOptions'].includes(type) &&
	(schema instanceof z.ZodArray ? schema.element : schema) instanceof z.ZodEnum;

/** Builds the schema of an object with these fields, all of which are optional. */
export const buildObjectSchema = <const F extends readonly Field[]>(fields: F) =>
	z
		.object(
			Object.fromEntries(fields.map((field) => [field.name, getSchema(field)])) as {
				[K in F[number] as K['name']]: SchemaOf<K>;
			},
		)
		.partial();

type FieldValue<F> = z.output<SchemaOf<F>>;

/** Types of the values of form fields. Only required fields always have a value. */
export type FieldValues<F extends readonly Field[], O extends readonly Field[]> = {
	[K in F[number] as K extends { readonly required: true } ? K['name'] : never]: FieldValue<K>;
} & {
	[K in F[number] as K extends { readonly required: true } ? never : K['name']]?: FieldValue<K>;
} & { [K in O[number] as K['name']]?: FieldValue<K> };

export const collectionNames = ['lookAndSound', 'options', 'advanced'] as const;

export type CollectionName = (typeof collectionNames)[number];

export const getCollectionOptions = (name: CollectionName, options: readonly Field[]) =>
	options.filter(({ collection = 'options' }) => collection === name);
