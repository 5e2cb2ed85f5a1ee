/**
 * Builds the parts that all node descriptions of this package share, and each node's form: the
 * fields Resource and Operation, followed by the fields of each operation.
 */
import { NodeConnectionTypes, type NodeHint, type INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { compareOptions, toolOutputFields } from '../form/commonFields';
import {
	collectionNames,
	getCollectionOptions,
	aiToolCondition,
	type CollectionName,
	type Field,
	type FixedCollectionGroup,
	type ListSearchMethod,
	type ResourceMapperLoader,
	type OptionsLoader,
} from '../form/field';
import { authenticationField, credentialDescriptions } from '../http/credentials';
import { omitKeys } from '../json';
import type { Operation, Resource, ResourceOperation } from '../operation';
import {
	isPaid,
	getAllFields,
	getFieldsBeforeWait,
	getNonOptionFields,
	getOptionFields,
	isUnpaidCreate,
	isDestructive,
} from '../operationTraits';
import { buildToolDescriptions } from './toolDescription';

const articles = /\b(an?|the) /g;
const lowercaseWords = 'and as at by for from in of on or to with'.split(' ');

/** Converts an action to a title: "Get scenes of a video" becomes "Get Scenes of Video". */
const toTitle = (action: string) =>
	action
		.replace(articles, '')
		.replace(/[\w-]+/g, (word) =>
			lowercaseWords.includes(word) ? word : word[0]?.toUpperCase() + word.slice(1),
		);

const selectedPair = '$parameter["resource"] + " " + $parameter["operation"]';

/**
 * Returns an n8n expression for a node's subtitle. The expression contains the titles of all
 * operations, because it cannot read the name of a selected option.
 */
export function buildNodeSubtitle(resources: readonly Resource[]): string {
	const hasSeveralResources = resources.length > 1;
	const titles = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value, action }) => [
			hasSeveralResources ? `${resource} ${value}` : value,
			toTitle(action),
		]),
	);
	const key = hasSeveralResources ? selectedPair : '$parameter["operation"]';
	return `={{ (${JSON.stringify(Object.fromEntries(titles))})[${key}] }}`;
}

/**
 * Builds a hint that the output pane shows, before the node runs, for operations that need it.
 *
 * @param condition additional condition for showing the hint, as an n8n expression
 */
function buildHints(
	resources: readonly Resource[],
	isHinted: (operation: Operation) => boolean,
	condition: string,
	message: string,
): NodeHint[] {
	const pairs = resources.flatMap(({ value, operations }) =>
		operations.filter(isHinted).map((operation) => `${value} ${operation.value}`),
	);
	if (pairs.length === 0) return [];
	return [
		{
			message,
			location: 'outputPane',
			whenToDisplay: 'beforeExecution',
			displayCondition: `={{ ${JSON.stringify(pairs)}.includes(${selectedPair}) && ${condition} }}`,
		},
	];
}

/** Builds the hint about paid operations, which says that each input item is charged. */
export const buildChargeHints = (resources: readonly Resource[]) =>
	buildHints(
		resources,
		isPaid,
		'$input.all().length > 1',
		'Each input item produces its own result, and you are charged for each result. To set a limit, use <b>Max Jobs per Run</b> under Options.',
	);

/** Builds the hint that n8n shows next to the spinner while an operation waits for its job. */
export const buildWaitHints = (resources: readonly Resource[]) =>
	buildHints(
		resources,
		({ starts }) => starts !== undefined,
		'$parameter["waitForCompletion"] === true',
		'This node waits until the result is finished. See <b>Wait for Completion</b> for how long that usually takes.',
	);

/**
 * Returns what all nodes' descriptions have in common, except the subtitle, which n8n's lint rules
 * require in each node's own file.
 */
export const buildCommonDescription = (resources: readonly Resource[]) => ({
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	credentials: credentialDescriptions,
	hints: [...buildChargeHints(resources), ...buildWaitHints(resources)],
	properties: [authenticationField, ...buildNodeProperties(resources), ...toolOutputFields],
});

const isGroup = (option: object): option is FixedCollectionGroup => 'values' in option;
const isField = (option: object): option is Field => 'type' in option;

/**
 * Returns n8n's `typeOptions` for a field. A number's limits come from its schema. Without
 * `minRequiredFields`, n8n does not warn about an empty collection.
 */
function getTypeOptions({ type, typeOptions, schema, unset, required }: Field) {
	if (type === 'fixedCollection' && required === true && typeOptions?.multipleValues === true) {
		return { ...typeOptions, minRequiredFields: 1 };
	}
	if (!(schema instanceof z.ZodNumber)) return typeOptions;
	const { minValue: min, maxValue: max } = schema;
	return {
		...typeOptions,
		...(min === null ? {} : { minValue: Math.min(min, unset ?? min) }),
		...(max === null ? {} : { maxValue: max }),
	};
}

/** Converts a field to n8n's format, without keys that n8n does not know, such as `schema`. */
export function toNodeProperty(field: Field): INodeProperties {
	const property = omitKeys(
		field,
		'schema',
		'search',
		'load',
		'mapping',
		'lookUp',
		'contains',
		'asset',
		'inTools',
		'unset',
		'adviceIfEmpty',
		'collection',
		'in',
		'afterWait',
	);
	const typeOptions = getTypeOptions(field);
	const options = field.options?.map((option) => {
		if (isGroup(option)) return { ...option, values: option.values.map(toNodeProperty) };
		return isField(option) ? toNodeProperty(option) : option;
	});
	return {
		...property,
		...(typeOptions && Object.keys(typeOptions).length > 0 ? { typeOptions } : {}),
		...(options ? { options } : {}),
		// Fields are readonly, but n8n's properties are not.
	} as INodeProperties;
}

/** Builds a resource's Operation field. AI agents are not offered destructive operations. */
function buildOperationField({ value, operations }: Resource): INodeProperties {
	const choice: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: operations.map((operation) => {
			const { name, value, action, description } = operation;
			const hidden = isDestructive(operation) && { displayOptions: { hide: aiToolCondition } };
			return { name, value, action, description, ...hidden };
		}),
		default: '',
	};
	// n8n's lint rules accept only a literal default in the property itself.
	return { ...choice, default: operations[0]?.value ?? '' };
}

/** Builds the Resource field, from which n8n derives a node's actions. Hidden for one resource. */
function buildResourceField(resources: readonly Resource[]): INodeProperties {
	const choice: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: resources.length === 1 ? 'hidden' : 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: '',
	};
	return { ...choice, default: resources[0]?.value ?? '' };
}

const optionCollections = {
	lookAndSound: {
		displayName: 'Media Settings',
		name: 'lookAndSound',
		placeholder: 'Add setting',
		description: 'Video and audio settings',
	},
	options: { displayName: 'Options', name: 'options', placeholder: 'Add option' },
	advanced: {
		displayName: 'Advanced Options',
		name: 'advanced',
		placeholder: 'Add advanced option',
		description: 'Options that few workflows need',
	},
} as const;

/** Whether a display condition on these resources and operations matches no other operation. */
function isShownOnlyFor(uses: readonly ResourceOperation[]): boolean {
	const shown = new Set(uses.map(({ operation }) => operation));
	const values = new Set(uses.map(({ operation }) => operation.value));
	return uses.every(({ resource }) =>
		resource.operations.every((one) => shown.has(one) || !values.has(one.value)),
	);
}

/**
 * Returns copies of a property that together show it for exactly the given operations. One copy may
 * not be enough: a display condition matches every combination of its resources and operations.
 *
 * @param root prefix of the paths to Resource and Operation: `/` for properties inside a collection
 */
function showForOperations(
	property: INodeProperties,
	uses: readonly ResourceOperation[],
	root: '' | '/' = '',
) {
	const groups: ResourceOperation[][] = [];
	for (const resource of new Set(uses.map((use) => use.resource))) {
		const own = uses.filter((use) => use.resource === resource);
		const group = groups.find((one) => isShownOnlyFor([...one, ...own]));
		if (group) group.push(...own);
		else groups.push(own);
	}
	return groups.map((group): INodeProperties => {
		const show = {
			[`${root}resource`]: [...new Set(group.map(({ resource }) => resource.value))],
			[`${root}operation`]: [...new Set(group.map(({ operation }) => operation.value))],
			...property.displayOptions?.show,
		};
		return { ...property, displayOptions: { ...property.displayOptions, show } };
	});
}

function splitForTools(
	property: INodeProperties,
	inTools: NonNullable<Field['inTools']>,
): INodeProperties[] {
	const { displayOptions } = property;
	const show = { ...displayOptions?.show, ...aiToolCondition };
	return [
		{ ...property, displayOptions: { ...displayOptions, hide: aiToolCondition } },
		{ ...property, ...inTools, displayOptions: { ...displayOptions, show } },
	];
}

/** Builds the fields for a tool's description, which replace n8n's generic description. */
function buildToolDescriptionFields({ resource, operation }: ResourceOperation): INodeProperties[] {
	if (isDestructive(operation)) return [];
	return buildToolDescriptions(resource, operation).map(({ description, conditions }) => {
		const field: INodeProperties = {
			displayName: 'Tool Description',
			name: 'toolDescription',
			type: 'string',
			typeOptions: { rows: 6 },
			default: '',
			required: true,
			displayOptions: {
				show: {
					resource: [resource.value],
					operation: [operation.value],
					...conditions,
					...aiToolCondition,
				},
			},
			description: 'Description of this tool for the AI model',
		};
		return { ...field, default: description };
	});
}

const noPriceHint = 'No price is published.';

/**
 * Returns the fields of an operation. If an operation creates something without a published price,
 * the hint of one field says so.
 */
function getPricedFields(operation: Operation): readonly Field[] {
	const fields = getNonOptionFields(operation);
	if (!isUnpaidCreate(operation)) return fields;
	const own = getFieldsBeforeWait(operation).filter(({ type }) => type !== 'notice');
	const priced = own.find(({ hint }) => hint === undefined) ?? own[0];
	const hint = priced?.hint?.replace(/\.?$/, '. ') ?? '';
	return fields.map((field) =>
		field === priced ? { ...field, hint: `${hint}${noPriceHint}` } : field,
	);
}

/** Form field, with all operations that contain an identical field. */
interface SharedField {
	key: string;
	field: Field;
	property: INodeProperties;
	uses: ResourceOperation[];
}

/**
 * Merges identical fields of several operations into one entry, unless that would change the order
 * of an operation's fields.
 */
function mergeIdenticalFields(
	operations: readonly ResourceOperation[],
	getFields: (operation: Operation) => readonly Field[],
): SharedField[] {
	const merged: SharedField[] = [];
	for (const use of operations) {
		let next = 0;
		for (const field of getFields(use.operation)) {
			const property = toNodeProperty(field);
			const key = JSON.stringify(property);
			const known = merged.findIndex((one, index) => index >= next && one.key === key);
			if (known === -1) merged.splice(next, 0, { key, field, property, uses: [use] });
			else merged[known]?.uses.push(use);
			next = (known === -1 ? next : known) + 1;
		}
	}
	return merged;
}

/**
 * Builds a collection, such as Options, that all operations share. A separate collection for each
 * operation would more than double the data that the editor loads.
 */
function buildCollection(
	all: readonly ResourceOperation[],
	name: CollectionName,
): INodeProperties[] {
	const getOptions = (operation: Operation) =>
		getCollectionOptions(name, getOptionFields(operation));
	const users = all.filter(({ operation }) => getOptions(operation).length > 0);
	if (users.length === 0) return [];
	const options = mergeIdenticalFields(users, getOptions).flatMap(({ property, uses }) =>
		uses.length === users.length ? [property] : showForOperations(property, uses, '/'),
	);
	const collection: INodeProperties = {
		...optionCollections[name],
		type: 'collection',
		default: {},
		options: options.sort(compareOptions),
	};
	return users.length === all.length ? [collection] : showForOperations(collection, users);
}

export function buildNodeProperties(resources: readonly Resource[]): INodeProperties[] {
	const operations = resources.flatMap((resource): ResourceOperation[] =>
		resource.operations.map((operation) => ({ resource, operation })),
	);
	return [
		buildResourceField(resources),
		...resources.map(buildOperationField),
		...mergeIdenticalFields(operations, getPricedFields).flatMap(({ field, property, uses }) => {
			const variants = field.inTools ? splitForTools(property, field.inTools) : [property];
			return variants.flatMap((variant) => showForOperations(variant, uses));
		}),
		...operations.flatMap(buildToolDescriptionFields),
		...collectionNames.flatMap((name) => buildCollection(operations, name)),
	];
}

/** Returns fields together with the fields nested in them. */
export const flattenFields = (fields: readonly Field[]): Field[] =>
	fields.flatMap((field) => {
		const inner = (field.options ?? []).flatMap((option): Field[] => {
			if (isGroup(option)) return [...option.values];
			return isField(option) ? [option] : [];
		});
		return [field, ...flattenFields(inner)];
	});

/** Collects the functions that load list entries, for the `methods` of a node's class. */
export function collectNodeMethods(resources: readonly Resource[]): {
	listSearch: Record<string, ListSearchMethod>;
	loadOptions: Record<string, OptionsLoader>;
	resourceMapping: Record<string, ResourceMapperLoader>;
} {
	const fields = flattenFields(
		resources.flatMap(({ operations }) => operations.flatMap(getAllFields)),
	);
	return {
		listSearch: Object.assign({}, ...fields.map(({ search }) => search ?? {})),
		loadOptions: Object.assign({}, ...fields.map(({ load }) => load ?? {})),
		resourceMapping: Object.assign({}, ...fields.map(({ mapping }) => mapping ?? {})),
	};
}
