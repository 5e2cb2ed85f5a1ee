/** The line under each node on the canvas, evaluated as the editor of n8n does. */
import {
	type INode,
	type INodeParameters,
	type INodePropertyOptions,
	type INodeType,
	type INodeTypes,
	Workflow,
} from 'n8n-workflow';
import { listNodeFolders } from '../../../tools/nodeFolders';
import { loadNode } from '../../../tools/nodes';

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
	const { name, subtitle } = type.description;
	const node: INode = {
		...{ id: '1', name: 'Node', type: name, typeVersion: 1, position: [0, 0] },
		parameters,
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
}

test.each(nodes)('%s: every operation has its own title', (_, type) => {
	const all = choicesOf(type).map((choice) => subtitleOf(type, { ...choice }));
	expect(all).toEqual(all.map(() => expect.stringMatching(/^[A-Z][a-z]+ [\w,() -]+$/) as string));
	expect(all.join()).not.toMatch(/[a-z][A-Z]|\b(a|an|the)\b/);
	expect(new Set(all).size).toBe(all.length);
});

test.each([
	['VideoGenVideo', 'video', 'createAvatar', 'Create Video of Speaking Avatar'],
	['VideoGenAgent', 'session', 'create', 'Generate Video from Prompt'],
	['VideoGenAvatar', 'avatar', 'getMany', 'Get Many Avatars'],
	['VideoGenAvatar', 'look', 'getMany', 'Get Many Looks'],
	['VideoGenAccount', 'account', 'getKey', 'Get API Key Details'],
])('%s %s %s is "%s"', (folder, resource, operation, words) => {
	expect(subtitleOf(loadNode(folder), { resource, operation })).toBe(words);
});

test('an operation of a newer version of the package has no title', () => {
	const newer = { resource: 'video', operation: 'createHologram' };
	expect(subtitleOf(loadNode('VideoGenVideo'), newer)).toBeUndefined();
});
