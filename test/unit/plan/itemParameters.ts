/** Reads the parameters of a node with these items. */
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import type { Field } from '../../../nodes/core/form/field';
import type { Operation, Resource } from '../../../nodes/core/operation';
import {
	checkItemsTogether,
	readOperationsAndValues,
} from '../../../nodes/core/plan/readOperationsAndValues';
import type { NodeRun } from '../../../nodes/core/ledger/ledger';
import { videoJob } from '../../../nodes/jobKinds/catalog';

export const createField = (name: string, more: Partial<Field> = {}): Field => ({
	displayName: `The ${name}`,
	name,
	type: 'string',
	default: '',
	...more,
});

const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a thing',
	description: '',
	request: 'POST /things',
	fields: [
		createField('title', { required: true }),
		createField('file', { asset: true, schema: z.any() }),
	],
	options: [createField('callback_url')],
	idempotent: true,
	starts: videoJob,
	check: ({ title }) => [
		title === 'odd' && 'The title is odd',
		title === 'odd' && 'Very odd',
		false,
	],
};
const resources: Resource[] = [
	{
		name: 'Thing',
		value: 'thing',
		operations: [
			create,
			{ ...create, value: 'many', combine: { maxSize: 2, list: 'rows' } },
			{ ...create, value: 'remove', destructive: true },
			{ ...create, value: 'plain', check: undefined },
		],
	},
];

export type Item = IDataObject & { options?: IDataObject };

/** A node with these parameters for its items. Each item has a file in the binary field `data`. */
function createNode(all: Item[], type = 'n', parameters: IDataObject = {}): IExecuteFunctions {
	const node = { name: 'Node', type, parameters } as unknown as INode;
	const inputs = all.map(
		(_, i) => ({ json: { i }, binary: { data: {} } }) as unknown as INodeExecutionData,
	);
	const defaults: IDataObject = {
		resource: 'thing',
		operation: 'create',
		waitForCompletion: false,
		download: [],
	};
	return {
		getNode: () => node,
		getTimezone: () => 'UTC',
		getInputData: () => inputs,
		getNodeParameter: (name: string, item: number, fallback: unknown) =>
			all[item]?.[name] ?? defaults[name] ?? fallback,
	} as unknown as IExecuteFunctions;
}

/** The state of a run that has already sent the requests of these items. */
export const createState = (...sentItems: number[]) =>
	({
		...{ sentItems: new Set(sentItems), copies: new Set() },
		...{ creates: {}, origins: [] },
	}) as unknown as NodeRun;

/** Reads the items. Lists the values of valid items, and the details of the errors of others. */
export function read(
	all: Item[],
	type?: string,
	parameters?: IDataObject,
	state = createState(),
): unknown[][] {
	const n8n = createNode(all, type, parameters);
	const planned = readOperationsAndValues(n8n, resources, state);
	return [...checkItemsTogether(n8n.getNode(), planned)].map(([item, plan]) => [
		item,
		'values' in plan
			? plan.values
			: ((plan.context.details as IDataObject | undefined)?.complaints ?? plan.message),
	]);
}
