/**
 * From operations to n8n's properties: the choice of resource and operation, then the form of each.
 */
import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import type { Resource, ResourceOperation } from '../operation';
import { getFormFields, isDestructive, getOptionFields } from '../operationTraits';
import {
	getCollectionOptions,
	type CollectionName,
	type Field,
	type FieldGroup,
	type ListSearch,
	type MappingLoad,
	type OptionsLoad,
} from '../form/field';
import { buildToolDescriptions } from './toolDescription';

const isGroup = (option: object): option is FieldGroup => 'values' in option;
const isField = (option: object): option is Field => 'type' in option;

/** The least and the greatest number come from the schema: a limit stands once. */
function getTypeOptions({ typeOptions, schema, unset }: Field) {
	if (!(schema instanceof z.ZodNumber)) return typeOptions;
	const { minValue: min, maxValue: max } = schema;
	return {
		...typeOptions,
		...(min === null ? {} : { minValue: Math.min(min, unset ?? min) }),
		...(max === null ? {} : { maxValue: max }),
	};
}

/** The property as n8n takes it: without what only the core reads. */
export function toNodeProperty(field: Field): INodeProperties {
	const {
		schema,
		search,
		load,
		mapping,
		asset,
		inTools,
		unset,
		collection,
		in: place,
		...rest
	} = field;
	const typeOptions = getTypeOptions(field);
	const options = field.options?.map((option) => {
		if (isGroup(option)) return { ...option, values: option.values.map(toNodeProperty) };
		return isField(option) ? toNodeProperty(option) : option;
	});
	return {
		...rest,
		...(typeOptions && Object.keys(typeOptions).length > 0 ? { typeOptions } : {}),
		...(options ? { options } : {}),
		// Only ours is readonly.
	} as INodeProperties;
}

/** What is there where the node is a tool of an AI agent, and what is not. */
const onlyInTools = { '@tool': [true] };
const notInTools = { hide: onlyInTools };

/** The choice between the operations of a resource. */
function buildOperationField({ value, operations }: Resource): INodeProperties {
	const choice: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: operations.map((operation) => {
			const { name, value, action, description } = operation;
			const choice = { name, value, action, description };
			return isDestructive(operation) ? { ...choice, displayOptions: notInTools } : choice;
		}),
		default: '',
	};
	choice.default = operations[0]?.value ?? '';
	return choice;
}

/**
 * Every node has this choice, also where there is one resource: n8n names actions and tells an AI
 * model what a tool does from the pair of resource and operation.
 */
function buildResourceField(resources: readonly Resource[]): INodeProperties {
	const choice: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: '',
	};
	choice.default = resources[0]?.value ?? '';
	return choice;
}

/** What is seen and heard stands before what is technical. */
const collections = {
	lookAndSound: {
		displayName: 'Look and Sound',
		name: 'lookAndSound',
		placeholder: 'Add setting',
		description: 'What is seen and heard',
	},
	options: { displayName: 'Options', name: 'options', placeholder: 'Add option' },
} as const;

/**
 * The property for these operations, which n8n shows for each pair of the resources and operations.
 *
 * @param root how both are named from where the property stands
 */
function showFor(
	plain: INodeProperties,
	resources: readonly string[],
	operations: readonly string[],
	root: '' | '/' = '',
): INodeProperties {
	const show = {
		[`${root}resource`]: [...resources],
		[`${root}operation`]: [...operations],
		...plain.displayOptions?.show,
	};
	return { ...plain, displayOptions: { ...plain.displayOptions, show } };
}

/** A property that several operations share: once for all resources whose same operations have it. */
function showForOperations(
	plain: INodeProperties,
	uses: readonly ResourceOperation[],
	root: '' | '/' = '',
) {
	const operations = new Map<string, string[]>();
	for (const { resource, operation } of uses) {
		const before = operations.get(resource.value) ?? [];
		operations.set(resource.value, [...before, operation.value]);
	}
	const resources = new Map<string, string[]>();
	for (const [resource, values] of operations) {
		const key = values.join(' ');
		resources.set(key, [...(resources.get(key) ?? []), resource]);
	}
	return [...resources].map(([values, names]) => showFor(plain, names, values.split(' '), root));
}

/** The property outside of tools, and as it is in them. */
function splitForTools(
	plain: INodeProperties,
	inTools: NonNullable<Field['inTools']>,
): INodeProperties[] {
	const { displayOptions } = plain;
	const show = { ...displayOptions?.show, ...onlyInTools };
	return [
		{ ...plain, displayOptions: { ...displayOptions, ...notInTools } },
		{ ...plain, ...inTools, displayOptions: { ...displayOptions, show } },
	];
}

/**
 * What an AI model is told of the operation when the node is its tool, for the user to change. n8n
 * itself would tell the operation's action and the node's name.
 */
function buildToolDescriptionFields({ resource, operation }: ResourceOperation): INodeProperties[] {
	if (isDestructive(operation)) return [];
	return buildToolDescriptions(resource, operation).map(({ text, show }) => {
		const description: INodeProperties = {
			displayName: 'Tool Description',
			name: 'toolDescription',
			type: 'string',
			typeOptions: { rows: 6 },
			default: '',
			required: true,
			displayOptions: {
				show: {
					...{ resource: [resource.value], operation: [operation.value] },
					...{ ...show, ...onlyInTools },
				},
			},
			description: 'What the AI model is told about this tool',
		};
		description.default = text;
		return description;
	});
}

/** Those fields that say the same, once, with the operations that have them. */
function groupIdenticalFields(
	all: readonly ResourceOperation[],
	fieldsOf: (use: ResourceOperation) => readonly Field[],
) {
	const shared = new Map<
		string,
		{ field: Field; plain: INodeProperties; uses: ResourceOperation[] }
	>();
	for (const use of all) {
		for (const field of fieldsOf(use)) {
			const plain = toNodeProperty(field);
			const key = JSON.stringify(plain);
			const known = shared.get(key) ?? { field, plain, uses: [] };
			known.uses.push(use);
			shared.set(key, known);
		}
	}
	return [...shared.values()];
}

/**
 * The options of all operations as one collection, in which each option stands once: as a collection
 * for each operation they were more than half of what n8n's editor loads.
 */
function buildCollection(
	all: readonly ResourceOperation[],
	name: CollectionName,
): INodeProperties[] {
	const ownOf = ({ operation }: ResourceOperation) =>
		getCollectionOptions(name, getOptionFields(operation));
	const having = all.filter((use) => ownOf(use).length > 0);
	if (having.length === 0) return [];
	const options = groupIdenticalFields(having, ownOf).flatMap(({ plain, uses }) =>
		uses.length === all.length ? [plain] : showForOperations(plain, uses, '/'),
	);
	const collection: INodeProperties = {
		...collections[name],
		type: 'collection',
		default: {},
		options: options.sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
	return having.length === all.length ? [collection] : showForOperations(collection, having);
}

/**
 * The properties of a node: the choices, then each operation's fields in their order, then what
 * operations inherit, which many of them share.
 */
export function buildProperties(resources: readonly Resource[]): INodeProperties[] {
	const all = resources.flatMap((resource): ResourceOperation[] =>
		resource.operations.map((operation) => ({ resource, operation })),
	);
	const inherited = groupIdenticalFields(all, ({ operation }) =>
		getFormFields(operation).slice(operation.fields?.length ?? 0),
	);
	// Operations share some of these and not others: ordered by name, they keep their order in each.
	const names = inherited.map(({ plain }) => plain.name);
	inherited.sort(
		({ plain: one }, { plain: other }) => names.indexOf(one.name) - names.indexOf(other.name),
	);
	return [
		buildResourceField(resources),
		...resources.map(buildOperationField),
		...all.flatMap(({ resource, operation }) =>
			(operation.fields ?? []).map((field) =>
				showFor(toNodeProperty(field), [resource.value], [operation.value]),
			),
		),
		...inherited.flatMap(({ field, plain, uses }) =>
			(field.inTools ? splitForTools(plain, field.inTools) : [plain]).flatMap((one) =>
				showForOperations(one, uses),
			),
		),
		...all.flatMap(buildToolDescriptionFields),
		...buildCollection(all, 'lookAndSound'),
		...buildCollection(all, 'options'),
	];
}

/** Fields, and those inside of them. */
export const flattenFields = (fields: readonly Field[]): Field[] =>
	fields.flatMap((field) => {
		const inner = (field.options ?? []).flatMap((option): Field[] =>
			isGroup(option) ? [...option.values] : isField(option) ? [option] : [],
		);
		return [field, ...flattenFields(inner)];
	});

/** The list searches, option loads and mappings that the operations' fields need, as n8n's `methods`. */
export function collectMethods(resources: readonly Resource[]): {
	listSearch: Record<string, ListSearch>;
	loadOptions: Record<string, OptionsLoad>;
	resourceMapping: Record<string, MappingLoad>;
} {
	const fields = flattenFields(
		resources.flatMap(({ operations }) =>
			operations.flatMap((one) => [...getFormFields(one), ...getOptionFields(one)]),
		),
	);
	return {
		listSearch: Object.assign({}, ...fields.map(({ search }) => search ?? {})),
		loadOptions: Object.assign({}, ...fields.map(({ load }) => load ?? {})),
		resourceMapping: Object.assign({}, ...fields.map(({ mapping }) => mapping ?? {})),
	};
}
