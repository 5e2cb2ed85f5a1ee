/** What a field of a form is: n8n's own property, plus what the core needs to know about it. */
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

/** Fills the list behind a resource locator's From List. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Fills a dropdown. */
export type OptionsLoad = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** Finds the fields that a resource mapper offers. */
export type MappingLoad = (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>;

/**
 * One field of a form: n8n's own property, plus what the core needs to know about it.
 * The name is the API's own field name.
 */
export interface Field extends Omit<DeepReadonly<INodeProperties>, 'options'> {
	readonly options?: ReadonlyArray<Field | FieldGroup | DeepReadonly<INodePropertyOptions>>;
	/**
	 * Checked before anything is sent; limits are those of the specification. Without it, any text,
	 * or true or false, by the type.
	 */
	readonly schema?: ZodTypeAny;
	/** List search methods that the field's `typeOptions` name. */
	readonly search?: Readonly<Record<string, ListSearch>>;
	/** Option loading methods that the field's `typeOptions` name. */
	readonly load?: Readonly<Record<string, OptionsLoad>>;
	/** Methods that find the fields of a resource mapper, which the field's `typeOptions` name. */
	readonly mapping?: Readonly<Record<string, MappingLoad>>;
	/** A file: a resource locator with the modes `url`, `id` and `binary`. */
	readonly asset?: boolean;
	/** A number that stands for nothing, where a field of numbers cannot be left empty. */
	readonly unset?: number;
	/** Of an option: where it stands; by default among the technical ones. */
	readonly collection?: 'lookAndSound';
	/** What is said, and chosen at first, where the node is a tool of an AI agent. */
	readonly inTools?: Readonly<Pick<INodeProperties, 'default' | 'description'>>;
	/** `local`: read by `body` or `execute`, never sent by itself. */
	readonly in?: 'body' | 'query' | 'local';
}

/** A group of a fixed collection. */
export interface FieldGroup {
	readonly displayName: string;
	readonly name: string;
	readonly values: readonly Field[];
}

/** What a field must hold where its type says all. */
const schemaByType = { string: z.string().min(1), boolean: z.boolean() };

type SchemaOf<F> = F extends { readonly schema: infer S extends ZodTypeAny }
	? S
	: F extends { readonly type: infer T extends keyof typeof schemaByType }
		? (typeof schemaByType)[T]
		: z.ZodUnknown;

/** The schema of a field: its own, or that of its type; none where it holds nothing. */
export const getSchema = ({ schema, type }: Field): ZodTypeAny | undefined =>
	schema ?? (schemaByType as Partial<Record<string, ZodTypeAny>>)[type];

/** The schema of an object of these fields, as an expression may give it whole; any may be missing. */
export const buildObjectSchema = <const F extends readonly Field[]>(fields: F) =>
	z
		.object(
			Object.fromEntries(fields.map((field) => [field.name, getSchema(field)])) as {
				[K in F[number] as K['name']]: SchemaOf<K>;
			},
		)
		.partial();

type FieldValue<F> = z.output<SchemaOf<F>>;

/** The checked values of fields and options, by name. What is not required may be absent. */
export type OwnValues<F extends readonly Field[], O extends readonly Field[]> = {
	[K in F[number] as K extends { readonly required: true } ? K['name'] : never]: FieldValue<K>;
} & {
	[K in F[number] as K extends { readonly required: true } ? never : K['name']]?: FieldValue<K>;
} & { [K in O[number] as K['name']]?: FieldValue<K> };

/** The two collections in which options stand: what is seen or heard, and what is technical. */
export const collectionNames = ['lookAndSound', 'options'] as const;

export type CollectionName = (typeof collectionNames)[number];

/** Those options that stand in the collection. */
export const getCollectionOptions = (name: CollectionName, options: readonly Field[]) =>
	options.filter(({ collection = 'options' }) => collection === name);
