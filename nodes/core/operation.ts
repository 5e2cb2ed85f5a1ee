/**
 * What an operation is, and how operations become the properties of a node.
 *
 * An operation is data: a request line, its fields, and what the reply starts. `run.ts` is the
 * only code that executes one.
 */
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { commonOptions, listFields, untoldWaitFields, waitFields } from './common';
import type { Field, ListSearch, MappingLoad, OptionsLoad, Values } from './field';
import type { Job, StartedJob } from './job';
import type { Client } from './request';

/** What an operation's own `execute` is given. */
export interface ExecuteContext {
	n8n: IExecuteFunctions;
	client: Client;
	itemIndex: number;
	/** All items of the request, where the operation gathers several; else the one item. */
	gathered: ReadonlyArray<{ item: number; values: IDataObject }>;
	/**
	 * Sends the operation's own request with this body, as the core would: with the Additional
	 * Body Fields, the idempotency key and the operation's rules for repeats.
	 */
	send: (body?: IDataObject) => Promise<IDataObject>;
	/** Names a job that exists now, so that every later outcome names it. */
	started: (jobs: StartedJob[]) => void;
}

/** A kind of thing that operations of a node work on, such as groups and looks of avatars. */
export interface Group {
	name: string;
	value: string;
}

/** The checked values of one item. */
export interface Item<V> {
	values: V;
	/** The values that go into the request under their own names: no local and no path fields. */
	plain: IDataObject;
}

interface Definition<F extends readonly Field[], O extends readonly Field[]> {
	/** Stored in workflows: never change it once released. Unique within the node. */
	value: string;
	/** A first choice inside the node, where it has more operations than one list should show. */
	group?: Group;
	name: string;
	action: string;
	description: string;
	/** Method and path. `{name}` takes the field of that name, as one path segment. */
	request: string;
	fields: F;
	options?: O;
	/** What is wrong with a combination of values: sentences, or false where nothing is. */
	check?: (values: Values<F, O>) => Array<string | false>;
	/** Reshapes the values where a plain copy is not enough. */
	body?: (item: Item<Values<F, O>>) => IDataObject;
	/**
	 * Sends several items as one request; `body` (or `execute`) makes one of all of them. `size`
	 * tells how much of `most` an item takes, where that is not 1. `whole` names the values that
	 * stand for the request: items in which they differ go into different requests.
	 */
	gather?: {
		most: number;
		size?: (values: Values<F, O>) => number;
		whole?: readonly string[];
		body?: (all: Array<Item<Values<F, O>>>) => IDataObject;
	};
	query?: (values: Values<F, O>) => IDataObject;
	/** The operation pages through a list; each row becomes an item. The number is the page limit. */
	list?: number;
	/** `data` of the reply, where it is not found under that key. */
	unwrap?: (reply: IDataObject) => unknown;
	/**
	 * The create accepts an `Idempotency-Key` (specification, Endpoints, Conventions); a name stands
	 * for the body field that carries the key instead.
	 */
	idempotent?: boolean | string;
	/** A repeat does no harm, although the method does not say so: it sets or ends the same. */
	repeatable?: boolean;
	/** Milliseconds for the answer, where it is given only when the work is done. */
	timeout?: number;
	/** The most requests per minute that the service takes from one member; more are held back. */
	perMinute?: number;
	/** The job that the reply starts. */
	starts?: Job | ((reply: IDataObject) => StartedJob[]);
	/** The answer names a job although `starts` does not say so: the stop button lets it come. */
	finishes?: boolean;
	/** What may exist when the connection broke after sending, and how the user looks for it. */
	mayExist?: string;
	/** Reshapes what came of an item, after a wait too: one item for each part of a result, say. */
	after?: (items: INodeExecutionData[], values: Values<F, O>) => INodeExecutionData[];
	/** The one escape, for files, streams and chains. */
	execute?: (context: ExecuteContext, values: Values<F, O>) => Promise<INodeExecutionData[]>;
}

/** An operation whose value types are erased, as the runner and the generator see it. */
export interface Operation {
	value: string;
	group?: Group;
	name: string;
	action: string;
	description: string;
	request: string;
	fields: readonly Field[];
	options: readonly Field[];
	check?: (values: IDataObject) => Array<string | false>;
	body?: (item: Item<IDataObject>) => IDataObject;
	gather?: {
		most: number;
		size?: (values: IDataObject) => number;
		whole?: readonly string[];
		body?: (all: Array<Item<IDataObject>>) => IDataObject;
	};
	query?: (values: IDataObject) => IDataObject;
	list?: number;
	unwrap?: (reply: IDataObject) => unknown;
	idempotent: boolean | string;
	repeatable?: boolean;
	timeout?: number;
	perMinute?: number;
	starts?: Job | ((reply: IDataObject) => StartedJob[]);
	finishes?: boolean;
	mayExist?: string;
	after?: (items: INodeExecutionData[], values: IDataObject) => INodeExecutionData[];
	execute?: (context: ExecuteContext, values: IDataObject) => Promise<INodeExecutionData[]>;
}

/** Declares an operation. The types of `values` follow from the fields' schemas. */
export function operation<
	const F extends readonly Field[],
	const O extends readonly Field[] = readonly [],
>(definition: Definition<F, O>): Operation {
	const { idempotent = false, options, ...rest } = definition;
	return { ...rest, idempotent, options: options ?? [] } as unknown as Operation;
}

/** Method of a request line. */
export const methodOf = (operation: Operation) => operation.request.split(' ')[0] ?? 'GET';

/** Whether the operation sends a body. */
export const writes = (operation: Operation) =>
	['POST', 'PUT', 'PATCH'].includes(methodOf(operation));

function waitFieldsOf({ starts }: Operation): readonly Field[] {
	if (starts === undefined) return [];
	return typeof starts === 'object' && starts.untold ? untoldWaitFields : waitFields;
}

/** Fields that stand in the form itself: the operation's own, then those it inherits. */
export function formFields(operation: Operation): Field[] {
	return [
		...operation.fields,
		...(operation.list === undefined ? [] : listFields),
		...waitFieldsOf(operation),
	];
}

/** Fields of the operation's Options collection: its own, then those it inherits. */
export function optionFields(operation: Operation): Field[] {
	return [
		...operation.options,
		...commonOptions({
			idempotent: operation.idempotent !== false,
			writes: writes(operation),
			waits: operation.starts !== undefined,
		}),
	].sort((a, b) => a.displayName.localeCompare(b.displayName));
}

/** The property as n8n takes it: without what only the core reads. */
function property(field: Field): INodeProperties {
	const { schema, search, load, mapping, asset, in: place, ...rest } = field;
	const plain = rest as unknown as INodeProperties;
	if (!plain.options || !['collection', 'fixedCollection'].includes(plain.type)) return plain;
	return {
		...plain,
		options: plain.options.map((option) => {
			if ('values' in option) {
				return { ...option, values: (option.values as unknown as Field[]).map(property) };
			}
			return 'type' in option ? property(option as unknown as Field) : option;
		}),
	};
}

/** The choice of an operation, among all of the node or among those of one group. */
function choice(operations: readonly Operation[], group?: Group): INodeProperties {
	const property: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [...operations]
			.sort((a, b) => a.name.localeCompare(b.name))
			.map(({ name, value, action, description }) => ({ name, value, action, description })),
		default: '',
	};
	property.default = operations[0]?.value ?? '';
	if (group) property.displayOptions = { show: { resource: [group.value] } };
	return property;
}

/** The choices that come first: of a group, where there are groups, and of an operation. */
function choices(operations: readonly Operation[]): INodeProperties[] {
	const groups = new Map(
		operations.flatMap(({ group }) => (group ? [[group.value, group] as const] : [])),
	);
	if (groups.size === 0) return [choice(operations)];
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: [...groups.values()].sort((a, b) => a.name.localeCompare(b.name)),
		default: '',
	};
	resource.default = operations[0]?.group?.value ?? '';
	return [
		resource,
		...[...groups.values()].map((group) =>
			choice(
				operations.filter((one) => one.group?.value === group.value),
				group,
			),
		),
	];
}

/** A property for these operations. */
function shownFor(field: Field, operations: readonly Operation[]): INodeProperties {
	const plain = property(field);
	const show = {
		operation: operations.map(({ value }) => value),
		...plain.displayOptions?.show,
	};
	return { ...plain, displayOptions: { ...plain.displayOptions, show } };
}

/**
 * The properties of a node: the operation choice, then each operation's fields in their order,
 * then what operations inherit, which many of them share.
 */
export function properties(operations: readonly Operation[]): INodeProperties[] {
	const inherited = new Set([...listFields, ...waitFields, ...untoldWaitFields]);
	return [
		...choices(operations),
		...operations.flatMap((op) => op.fields.map((field) => shownFor(field, [op]))),
		...[...inherited].flatMap((field) => {
			const users = operations.filter(
				(op) => formFields(op).includes(field) && !op.fields.includes(field),
			);
			return users.length > 0 ? [shownFor(field, users)] : [];
		}),
		...operations.map((op): INodeProperties => ({
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			displayOptions: { show: { operation: [op.value] } },
			options: optionFields(op).map(property),
		})),
	];
}

function everyField(fields: readonly Field[]): Field[] {
	return fields.flatMap((field) => {
		const children = (field.options ?? []) as ReadonlyArray<{
			name: string;
			type?: string;
			values?: readonly Field[];
		}>;
		const nested = children.flatMap((child) =>
			child.values ? [...child.values] : child.type ? [child as Field] : [],
		);
		return [field, ...everyField(nested)];
	});
}

/** The list searches, option loads and mappings that the operations' fields need, as n8n's `methods`. */
export function methods(operations: readonly Operation[]): {
	listSearch: Record<string, ListSearch>;
	loadOptions: Record<string, OptionsLoad>;
	resourceMapping: Record<string, MappingLoad>;
} {
	const fields = everyField(operations.flatMap((op) => [...formFields(op), ...optionFields(op)]));
	return {
		listSearch: Object.assign({}, ...fields.map((field) => field.search ?? {})),
		loadOptions: Object.assign({}, ...fields.map((field) => field.load ?? {})),
		resourceMapping: Object.assign({}, ...fields.map((field) => field.mapping ?? {})),
	};
}
