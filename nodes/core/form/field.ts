/**
 * Defines the types of form fields: n8n's node properties extended with validation schemas, and the
 * types of their validated values.
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

/** Function that loads one page of entries for a searchable dropdown list. */
export type ListSearchMethod = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Function that loads the options of a dropdown field. */
export type OptionsLoader = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/**
 * Function that loads the fields of a resource mapper, which is n8n's form control for fields known
 * only at runtime.
 */
export type ResourceMapperLoader = (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>;

/**
 * Endpoint and rules for checking whether an ID entered by the user exists in the service. Used by
 * the Check Only option.
 */
export interface IdCheck {
	/**
	 * Method and path of the endpoint that returns one resource, such as `GET /v3/voices/{voice_id}`,
	 * or that lists all of them.
	 */
	line: string;
	/**
	 * Name of the property that contains the ID in each row of a list response. Undefined if the
	 * endpoint returns a single resource.
	 */
	listKey?: string;
	/**
	 * Explains why an existing resource, such as an unfinished voice, cannot be used. Returns
	 * `undefined` if it can be used.
	 */
	explainUnusable?(resource: IDataObject): string | undefined;
}

/**
 * Form field of an operation: one of n8n's node properties with additional settings, such as a
 * validation schema. Fields have the same names as in the API, so that one operation's output can
 * be used as the next one's input.
 */
export interface Field extends Omit<DeepReadonly<INodeProperties>, 'options'> {
	readonly options?: ReadonlyArray<
		Field | FixedCollectionGroup | DeepReadonly<INodePropertyOptions>
	>;
	/**
	 * Schema that validates the value before any request is sent. It enforces the service's limits
	 * too (docs/service.md, Limits). Without a schema, a text field accepts any text, and a boolean
	 * field accepts true and false.
	 */
	readonly schema?: ZodTypeAny;
	/**
	 * Functions that load the dropdown lists of a resource locator. The keys are the method names in
	 * the field's `modes`.
	 */
	readonly search?: Readonly<Record<string, ListSearchMethod>>;
	/** Functions that load dropdown options, keyed by the method names in `typeOptions`. */
	readonly load?: Readonly<Record<string, OptionsLoader>>;
	/** Functions that load resource mapper fields, keyed by the method names in `typeOptions`. */
	readonly mapping?: Readonly<Record<string, ResourceMapperLoader>>;
	/**
	 * Endpoint and rules for checking whether the ID in this field exists in the service. Undefined
	 * if the service provides no way to check.
	 */
	readonly lookUp?: IdCheck;
	/**
	 * Definitions of the IDs inside this field's value, such as voice IDs. The Check Only option
	 * looks up these IDs too.
	 */
	readonly contains?: readonly Field[];
	/** Whether this field selects a file, by URL, by asset ID or by the name of a binary field. */
	readonly asset?: boolean;
	/** Number that stands for "not set", because a number field in n8n cannot be empty. */
	readonly unset?: number;
	/** Section of the form that contains this option: Look and Sound if set, otherwise Options. */
	readonly collection?: 'lookAndSound';
	/**
	 * Whether the form shows this field below Wait for Completion, because the field depends on it.
	 */
	readonly afterWait?: boolean;
	/** Description and default value of the field when an AI agent uses the node as a tool. */
	readonly inTools?: Readonly<Pick<INodeProperties, 'default' | 'description'>>;
	/**
	 * Part of the request that contains the value. A `local` value is not sent: only the node's own
	 * code uses it.
	 */
	readonly in?: 'body' | 'query' | 'local';
}

/** Named group of fields inside a `fixedCollection` field. */
export interface FixedCollectionGroup {
	readonly displayName: string;
	readonly name: string;
	readonly values: readonly Field[];
}

/** Condition for n8n's `displayOptions` that is true when an AI agent uses the node as a tool. */
export const aiToolCondition = { '@tool': [true] };

/** Default schemas for fields without a schema of their own, by field type. */
const schemaByType = { string: z.string().min(1), boolean: z.boolean() };

type SchemaOf<F> = F extends { readonly schema: infer S extends ZodTypeAny }
	? S
	: F extends { readonly type: infer T extends keyof typeof schemaByType }
		? (typeof schemaByType)[T]
		: z.ZodUnknown;

/**
 * Returns the validation schema of a field, or the default schema for its type. Returns `undefined`
 * if there is neither, as for a notice.
 */
export const getSchema = ({ schema, type }: Field): ZodTypeAny | undefined =>
	schema ?? (schemaByType as Partial<Record<string, ZodTypeAny>>)[type];

/**
 * Builds a schema for an object that has a property for each of these fields. All properties are
 * optional.
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

/**
 * Object with the validated values of the given fields and options. Only required fields are
 * guaranteed to have a value.
 */
export type FieldValues<F extends readonly Field[], O extends readonly Field[]> = {
	[K in F[number] as K extends { readonly required: true } ? K['name'] : never]: FieldValue<K>;
} & {
	[K in F[number] as K extends { readonly required: true } ? never : K['name']]?: FieldValue<K>;
} & { [K in O[number] as K['name']]?: FieldValue<K> };

/**
 * Names of the sections of the form that contain options: `lookAndSound` for picture and sound
 * settings, `options` for all others.
 */
export const collectionNames = ['lookAndSound', 'options'] as const;

export type CollectionName = (typeof collectionNames)[number];

/** Returns the options that the form shows in the given section. */
export const getCollectionOptions = (name: CollectionName, options: readonly Field[]) =>
	options.filter(({ collection = 'options' }) => collection === name);
