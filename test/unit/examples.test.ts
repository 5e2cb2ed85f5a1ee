/** The examples fit the nodes, as n8n sees it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type INode, NodeHelpers } from 'n8n-workflow';
import { projectRoot } from '../../tools/install';
import { loadNode, nodeFolders } from '../../tools/nodes';

const folder = join(projectRoot, 'examples');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const types = new Map(
	nodeFolders()
		.map(loadNode)
		.flatMap(({ description }) => [
			description,
			// As n8n makes a tool of it.
			...(description.usableAsTool ? [{ ...description, name: `${description.name}Tool` }] : []),
		])
		.map((description) => [`n8n-nodes-videogen.${description.name}`, description]),
);

test.each(files)(
	'the example %s sets only fields that are shown, and all that must be filled',
	(file) => {
		const { name, nodes } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
			name: string;
			nodes: INode[];
		};
		expect(name).toBeTruthy();
		const ours = nodes.filter(({ type }) => type.startsWith('n8n-nodes-videogen.'));
		expect(ours.length).toBeGreaterThan(0);
		for (const node of ours) {
			const type = types.get(node.type);
			if (!type) throw new Error(`${node.name} is of the type ${node.type}, which there is not`);
			expect([type.version].flat()).toContain(node.typeVersion);
			const { properties } = type;
			// Without what is not shown, and with the defaults that n8n does not store.
			const known = NodeHelpers.getNodeParameters(
				properties,
				node.parameters,
				true,
				false,
				node,
				type,
			);
			expect(known).toMatchObject(node.parameters);
			expect(
				NodeHelpers.getNodeParametersIssues(properties, { ...node, parameters: known! }, type),
			).toBe(null);
			// Without one, n8n makes a path of the node's name.
			if (type.webhooks) expect(node.webhookId).toBeTruthy();
		}
	},
);
