/** The examples are valid workflows for the current nodes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type IConnections, type INode, NodeHelpers } from 'n8n-workflow';
import { projectRoot } from '../../tools/install';
import { loadNode, listNodeFolders } from '../../tools/nodes';

const folder = join(projectRoot, 'examples');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const types = new Map(
	listNodeFolders()
		.map(loadNode)
		.flatMap(({ description }) => [
			description,
			// The tool that n8n derives from it.
			...(description.usableAsTool ? [{ ...description, name: `${description.name}Tool` }] : []),
		])
		.map((description) => [`n8n-nodes-videogen.${description.name}`, description]),
);

interface Example {
	name: string;
	nodes: INode[];
	connections: IConnections;
}

const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Example;

const note = 'n8n-nodes-base.stickyNote';

/** The area of a node on the canvas, including the name below it. */
function readArea({ name, type, position: [left, top], parameters }: INode) {
	const width = type === '@n8n/n8n-nodes-langchain.agent' ? 256 : 96;
	const size = type === note ? (parameters as { width: number; height: number }) : undefined;
	return {
		name,
		left,
		top,
		right: left + (size?.width ?? width),
		bottom: top + (size?.height ?? 130),
	};
}

type Area = ReturnType<typeof readArea>;
const overlap = (one: Area, other: Area) =>
	one.left < other.right &&
	other.left < one.right &&
	one.top < other.bottom &&
	other.top < one.bottom;

describe.each(files)('the example %s', (file) => {
	const { name, nodes, connections } = read(file);

	test('sets only visible fields, and all required ones', () => {
		expect(name).toBeTruthy();
		const ours = nodes.filter(({ type }) => type.startsWith('n8n-nodes-videogen.'));
		expect(ours.length).toBeGreaterThan(0);
		for (const node of ours) {
			const type = types.get(node.type);
			if (!type) throw new Error(`${node.name} has the type ${node.type}, which does not exist`);
			expect([type.version].flat()).toContain(node.typeVersion);
			const { properties } = type;
			const { parameters, credentials } = node;
			// Without hidden fields, and with the defaults that n8n does not store.
			const known = NodeHelpers.getNodeParameters(properties, parameters, true, false, node, type);
			expect(known).toMatchObject(parameters);
			const whole = { ...node, parameters: known! };
			expect(NodeHelpers.getNodeParametersIssues(properties, whole, type)).toBe(null);
			expect(credentials).toEqual({ videoGenApi: { id: '', name: 'VideoGen' } });
		}
	});

	test('has one note that says what to change, and no overlaps', () => {
		const notes = nodes.filter(({ type }) => type === note);
		expect(notes).toHaveLength(1);
		const told = new RegExp(`^## ${name}\n[^]*\\*\\*To change:\\*\\*`);
		expect(notes[0]?.parameters.content).toMatch(told);
		const areas = nodes.map(readArea);
		const overlaps = areas.flatMap((one, i) =>
			areas.slice(i + 1).flatMap((other) => (overlap(one, other) ? [[one.name, other.name]] : [])),
		);
		expect(overlaps).toEqual([]);
	});

	test('connects every node to existing nodes', () => {
		const names = nodes.filter(({ type }) => type !== note).map((node) => node.name);
		const targets = Object.values(connections).flatMap((outputs) =>
			Object.values(outputs).flatMap((each) => each.flatMap((ends) => ends ?? [])),
		);
		const joined = new Set([...Object.keys(connections), ...targets.map(({ node }) => node)]);
		expect([...joined].sort()).toEqual(names.sort());
	});
});

const triggerFlow = join(projectRoot, 'test', 'e2e', 'triggerFlow.ts');
const called = /\.(formTrigger|form|webhook|wait|chatTrigger|videoGenTrigger)$/;

test('nodes with webhooks have unique webhook ids', () => {
	const nodes = files.flatMap((file) => read(file).nodes).filter(({ type }) => called.test(type));
	// Without an id, n8n makes the path from the node's name.
	for (const { webhookId } of nodes) expect(webhookId).toBeTruthy();
	expect(new Set(nodes.map(({ webhookId }) => webhookId)).size).toBe(nodes.length);
});

test('the table of tasks lists each example, and a flow on a real n8n runs it', () => {
	const told = readFileSync(join(projectRoot, 'docs', 'tasks.md'), 'utf8');
	const flows = join(projectRoot, 'test', 'e2e', 'flows');
	const run = [...readdirSync(flows).map((name) => join(flows, name)), triggerFlow]
		.map((path) => readFileSync(path, 'utf8'))
		.join('\n');
	for (const file of files) {
		expect(told).toContain(`[${read(file).name}](../examples/${file})`);
		expect(run).toContain(`example('${file}')`);
	}
});
