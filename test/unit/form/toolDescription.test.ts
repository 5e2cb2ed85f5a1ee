/** The descriptions of tools for AI models, and the operations that tools offer. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	NodeHelpers,
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeType,
	type INodeTypeDescription,
	type NodeParameterValueType,
} from 'n8n-workflow';
import { getSchema } from 'n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool';
import { encode } from 'gpt-tokenizer';
import {
	getOutputKeysForToolDescription,
	maxToolDescriptionLength,
} from '../../../nodes/core/describe/toolDescription';
import { isDestructive, isPaid, getMethod } from '../../../nodes/core/operationTraits';
import { nodePagesFolder } from '../../../tools/nodeFolders';
import { loadNode, loadOperations, type ListedOperation } from '../../../tools/nodes';

/** The tool that n8n creates from a node. */
function toolOf(folder: string): INodeTypeDescription {
	const { description } = loadNode(folder);
	return { ...description, name: `${description.name}Tool` };
}

/** A node as n8n executes it: with the defaults of all shown fields. */
function nodeOf(type: INodeTypeDescription, parameters: INodeParameters): INode {
	const node: INode = {
		...{ id: '1', name: 'Node', type: type.name, typeVersion: 1, position: [0, 0] },
		parameters,
	};
	const all = NodeHelpers.getNodeParameters(type.properties, parameters, true, false, node, type);
	return { ...node, parameters: all ?? {} };
}

/** The tool description that the language model gets. */
const readToolDescription = (type: INodeTypeDescription, parameters: INodeParameters): string =>
	NodeHelpers.getToolDescriptionForNode(nodeOf(type, parameters), {
		description: type,
	} as INodeType);

const choose = ({ resource, operation }: ListedOperation) => ({
	resource: resource.value,
	operation: operation.value,
});

const rows = loadOperations();
const allowed = rows.filter(({ operation }) => !isDestructive(operation));
const named = (some: readonly ListedOperation[]) =>
	some.map((row) => [`${row.folder} ${row.operation.action}`, row] as const);

test.each(named(allowed))('%s', (_, row) => {
	const type = toolOf(row.folder);
	const { operation } = row;
	const waits = operation.starts === undefined ? [{}] : [true, false];
	for (const wait of waits) {
		const more = typeof wait === 'boolean' ? { waitForCompletion: wait } : {};
		const description = readToolDescription(type, { ...choose(row), ...more });
		expect(description.length).toBeLessThanOrEqual(maxToolDescriptionLength);
		expect(encode(description).length).toBeLessThanOrEqual(250);
		expect(description.startsWith(`${operation.action}. ${operation.description}`)).toBe(true);
		expect(description.includes('Costs money')).toBe(isPaid(operation));
		expect(description).toContain(operation.price ?? '');
		expect(description.includes('Only reads')).toBe(getMethod(operation) === 'GET');
		expect(description).toMatch(/Returns /);
		expect(description.includes('Waits until the result is finished, for at most 30 minutes')).toBe(
			wait === true,
		);
		expect(description.includes('Does not wait')).toBe(wait === false);
		const warns = /do not create it again/i.test(description);
		expect(warns).toBe(operation.starts !== undefined);
	}
});

test('the description names the id that other tools need', () => {
	const describeTool = (operation: string, more: INodeParameters = {}) =>
		readToolDescription(toolOf('VideoGenVideo'), { resource: 'video', operation, ...more });
	const create = describeTool('createAvatar', { waitForCompletion: false });
	expect(create).toContain('Returns video_id, without the result.');
	expect(create).toContain('call Get later with video_id.');
	expect(describeTool('createAvatar')).toContain('Returns video_id, status, video_url.');
	expect(describeTool('getMany')).toContain('a short list of entries with video_id');
});

test('the description lists the inputs with meaning, examples, and where IDs come from', () => {
	const create = readToolDescription(toolOf('VideoGenVideo'), {
		...{ resource: 'video', operation: 'createAvatar' },
	});
	expect(create).toContain('Avatar_Look*: look_id from a list of looks');
	// Required only without a recording.
	expect(create).toContain('Script: words to speak, 1 to 5,000 characters');
	// n8n offers no sparkle icon for a list of choices.
	expect(create).not.toContain('Aspect_Ratio');
	expect(create).not.toContain('Callback');
	const prompt = readToolDescription(toolOf('VideoGenAgent'), { operation: 'create' });
	expect(prompt).toContain(
		'Voice: voice_id from a list of voices; Avatar_Look: look_id from a list of looks',
	);
	expect(prompt).toContain('e.g. A cheerful 30-second video');
});

/** The key that n8n's editor derives from the label of a field. */
const toKey = (label: string) => label.replace(/[^a-zA-Z0-9-]/g, '_');

/** As n8n's editor decides it. */
const hasSparkle = ({ type, noDataExpression }: INodeProperties) =>
	!['notice', 'options', 'collection', 'fixedCollection', 'resourceMapper'].includes(type) &&
	noDataExpression !== true;

/** The keys of the schema that n8n builds if each sparkle of the form is clicked. */
function readSchemaKeys({ properties }: INodeTypeDescription, row: ListedOperation): string[] {
	const { resource, operation } = choose(row);
	const isOffered = ({ displayOptions }: INodeProperties) =>
		Object.entries({ resource, operation }).every(([name, value]) => {
			const { show = {}, hide = {} } = displayOptions ?? {};
			const shown = show[name] ?? show[`/${name}`];
			return hide['@tool'] === undefined && (shown === undefined || shown.includes(value));
		});
	const clickAll = (list: INodeProperties[]): INodeParameters =>
		Object.fromEntries(
			list.filter(isOffered).flatMap((property): Array<[string, NodeParameterValueType]> => {
				const { type, name, displayName, options } = property;
				if (type === 'collection') return [[name, clickAll(options as INodeProperties[])]];
				const value = `={{ $fromAI('${toKey(displayName)}', \`\`, 'string') }}`;
				return hasSparkle(property) ? [[name, value]] : [];
			}),
		);
	return Object.keys(getSchema({ parameters: clickAll(properties) } as INode).shape);
}

test.each(named(allowed))(
	'%s: the description lists the fields that the model can set, by their keys in the schema',
	(_, row) => {
		const type = toolOf(row.folder);
		const keys = readSchemaKeys(type, row);
		const description = readToolDescription(type, choose(row));
		const [, inputs = ''] = description.split('if present in the schema');
		const listed = [...inputs.matchAll(/[:;] ([\w-]+)\*?: /g)].map(([, key]) => key);
		expect(keys).toEqual(expect.arrayContaining(listed));
		const settable = (row.operation.fields ?? [])
			.filter(({ name }) => !/^binary|^fileName/.test(name))
			.map(({ displayName }) => toKey(displayName))
			.filter((key) => keys.includes(key));
		expect(listed).toEqual(expect.arrayContaining(settable));
	},
);

/** Keys of a finished agent video, of which the page of the node shows a chat. */
const finishedSession = ['session_id', 'status', 'video_id', 'video_url'];

/** Keys of the example items of an operation, which come from the tests of the nodes. */
function readExampleKeys({ folder, resource, operation }: ListedOperation): string[] {
	const path = join(nodePagesFolder, 'items', `${folder}.json`);
	if (!existsSync(path)) throw new Error(`Run npm run generate: ${path} is missing`);
	const items = JSON.parse(readFileSync(path, 'utf8')) as Record<string, { json: IDataObject }>;
	const item = items[`${resource.value}.${operation.value}`] ?? items[operation.value];
	if (operation.action === 'Generate video from prompt') return finishedSession;
	return Object.keys(item?.json ?? {});
}

test.each(named(allowed.filter(({ operation }) => operation.returns !== undefined)))(
	'%s: the keys that the description names are in the output',
	(_, row) => {
		const keys = readExampleKeys(row);
		expect(keys).toEqual(
			expect.arrayContaining([...getOutputKeysForToolDescription(row.operation)]),
		);
	},
);

test('each operation that a model can call says what it returns', () => {
	const silent = allowed.filter(
		({ operation }) => getOutputKeysForToolDescription(operation).length === 0,
	);
	// It outputs its own input, with a file that models do not get.
	expect(silent.map(({ operation }) => operation.action)).toEqual(['Download sound']);
});

test('a description by the user replaces the default one', () => {
	const own = { resource: 'video', operation: 'get', toolDescription: 'Checks on a video' };
	expect(readToolDescription(toolOf('VideoGenVideo'), own)).toBe('Checks on a video');
});

test.each([
	['ordinary nodes', 'wait by default, and have no tool description'],
	['tools', 'wait by default, and have a tool description'],
])('%s %s', (kind) => {
	const isTool = kind === 'tools';
	for (const row of isTool ? allowed : rows) {
		const type = isTool ? toolOf(row.folder) : loadNode(row.folder).description;
		const { toolDescription, waitForCompletion } = nodeOf(type, choose(row)).parameters;
		expect(toolDescription !== undefined).toBe(isTool);
		const waits = row.operation.starts === undefined ? undefined : true;
		expect([row.operation.action, waitForCompletion]).toEqual([row.operation.action, waits]);
	}
});

/** The operations that the form of a resource offers. */
function offered(type: INodeTypeDescription, resource: string): string[] {
	const node = nodeOf(type, { resource });
	const choices = type.properties.filter(
		(property) =>
			property.name === 'operation' &&
			NodeHelpers.displayParameter(node.parameters, property, node, type),
	);
	return choices
		.flatMap(({ options }) => options as INodePropertyOptions[])
		.filter((option) => NodeHelpers.displayParameter(node.parameters, option, node, type))
		.map(({ value }) => String(value));
}

test('only ordinary nodes offer operations that delete or end something', () => {
	const hidden: string[] = [];
	for (const row of rows) {
		const { value, action } = row.operation;
		expect(offered(loadNode(row.folder).description, row.resource.value)).toContain(value);
		if (!offered(toolOf(row.folder), row.resource.value).includes(value)) hidden.push(action);
	}
	const actionsOf = (some: typeof rows) => some.map(({ operation }) => operation.action);
	expect(hidden).toEqual(actionsOf(rows.filter(({ operation }) => isDestructive(operation))));
	expect(hidden.filter((action) => !action.startsWith('Delete '))).toEqual([
		'Stop work on video',
		'End live stream',
		'Change signing secret of endpoint',
		'Cancel workflow run',
	]);
	const gone = /^(delete|remove|cancel|stop|rotate|revoke)\b/i;
	const left = actionsOf(allowed).filter((action) => gone.test(action));
	expect(left).toEqual(['Remove video background']);
});
