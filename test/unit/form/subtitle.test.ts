/** The line under each node on the canvas, evaluated as the editor of n8n does. */
import {
	type INodeParameters,
	type INodePropertyOptions,
	type INodeType,
	type INodeTypes,
	Workflow,
} from 'n8n-workflow';
import { loadNode, listNodeFolders } from '../../../tools/nodes';

interface Choice {
	resource: string;
	operation: string;
}

/** Every pair of resource and operation that the form of a node offers. */
const choicesOf = ({ description: { properties } }: INodeType): Choice[] =>
	properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options, displayOptions }) =>
			(displayOptions?.show?.resource ?? []).flatMap((resource) =>
				(options as INodePropertyOptions[]).map(({ value }) => ({
					resource: String(resource),
					operation: String(value),
				})),
			),
		);

const nodes = listNodeFolders()
	.map((folder): [string, INodeType] => [folder, loadNode(folder)])
	.filter(([, type]) => choicesOf(type).length > 0);

function subtitleOf(type: INodeType, parameters: INodeParameters): unknown {
	const nodeTypes: INodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const node = {
		id: '1',
		name: 'Node',
		type: type.description.name,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return workflow.expression.getSimpleParameterValue(
		node,
		type.description.subtitle,
		'internal',
		{},
	);
}

test.each(nodes)('%s: every operation has its own title', (_, type) => {
	const all = choicesOf(type).map((choice) => subtitleOf(type, { ...choice }));
	expect(all).toEqual(all.map(() => expect.stringMatching(/^[A-Z][a-z]+ [\w,() -]+$/) as string));
	expect(all.join()).not.toMatch(/[a-z][A-Z]|\b(a|an|the)\b/);
	expect(new Set(all).size).toBe(all.length);
});

test.each([
	[
		'VideoGenVideo',
		{ resource: 'video', operation: 'createAvatar' },
		'Create Video of Speaking Avatar',
	],
	['VideoGenAgent', { resource: 'session', operation: 'create' }, 'Generate Video from Prompt'],
	['VideoGenAvatar', { resource: 'avatar', operation: 'getMany' }, 'Get Many Avatars'],
	['VideoGenAvatar', { resource: 'look', operation: 'getMany' }, 'Get Many Looks'],
	['VideoGenAccount', { resource: 'account', operation: 'getKey' }, 'Get API Key in Use'],
])('%s %j is %p', (folder, choice, words) => {
	expect(subtitleOf(loadNode(folder), choice)).toBe(words);
});

test('an operation of a newer version of the package has no title', () => {
	const newer = { resource: 'video', operation: 'createHologram' };
	expect(subtitleOf(loadNode('VideoGenVideo'), newer)).toBeUndefined();
});
