/** The descriptions of tools for AI models, and the operations that tools offer. */
import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodePropertyOptions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { maxToolDescription } from '../../../nodes/core/describe/toolDescription';
import { isDestructive, isPaid, getMethod } from '../../../nodes/core/operationTraits';
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
		expect(description.length).toBeLessThanOrEqual(maxToolDescription);
		expect(description.startsWith(`${operation.action}. ${operation.description}`)).toBe(true);
		expect(description.includes('Costs money')).toBe(isPaid(operation));
		expect(description).toContain(operation.price ?? '');
		expect(description.includes('Only reads')).toBe(getMethod(operation) === 'GET');
		expect(description).toMatch(/Returns /);
		expect(description.includes('Waits until it is finished, for 5 minutes at most')).toBe(
			wait === true,
		);
		expect(description.includes('Does not wait')).toBe(wait === false);
		const warns = /do not create it again/i.test(description);
		expect(warns).toBe(operation.starts !== undefined);
	}
});

test('the description names the id that other tools need', () => {
	const describeTool = (operation: string) =>
		readToolDescription(toolOf('VideoGenVideo'), { resource: 'video', operation });
	const create = describeTool('createAvatar');
	expect(create).toContain('Returns video_id and status; when it is finished, also video_url.');
	expect(create).toContain('call Get later with video_id.');
	expect(describeTool('getMany')).toContain('each with video_id');
});

test('a description by the user replaces the default one', () => {
	const own = { resource: 'video', operation: 'get', toolDescription: 'Checks on a video' };
	expect(readToolDescription(toolOf('VideoGenVideo'), own)).toBe('Checks on a video');
});

test.each([
	['ordinary nodes', 'wait by default, and have no tool description'],
	['tools', 'do not wait by default'],
])('%s %s', (kind) => {
	const isTool = kind === 'tools';
	for (const row of isTool ? allowed : rows) {
		const type = isTool ? toolOf(row.folder) : loadNode(row.folder).description;
		const { toolDescription, waitForCompletion } = nodeOf(type, choose(row)).parameters;
		if (!isTool) expect(toolDescription).toBeUndefined();
		const waits = row.operation.starts === undefined ? undefined : !isTool;
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
