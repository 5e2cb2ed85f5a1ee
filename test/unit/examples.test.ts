/** The examples are valid workflows for the current nodes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type IConnections, type INode, NodeHelpers } from 'n8n-workflow';
import { projectRoot } from '../../tools/install';
import { listNodeFolders } from '../../tools/nodeFolders';
import { loadNode } from '../../tools/nodes';
import ts from 'typescript';

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

interface Area {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

const agent = '@n8n/n8n-nodes-langchain.agent';
const labelLine = 22;
const subtitleLine = 20;

const getWidth = ({ type }: INode) => (type === agent ? 256 : 96);

/** The square of a node, or the whole area of a note. */
function readBox(node: INode): Area {
	const { name, type, parameters } = node;
	const [left, top] = node.position;
	const size =
		type === note
			? (parameters as { width: number; height: number })
			: { width: getWidth(node), height: 96 };
	return { name, left, top, right: left + size.width, bottom: top + size.height };
}

/** The name of a node and the line with its operation, which are below it and at most two nodes wide. */
function readLabel(node: INode): Area | undefined {
	if (node.type === agent) return undefined;
	const { name, left, right, bottom } = readBox(node);
	const width = Math.min(192, name.length * 8);
	const lines = name.length * 8 > 192 ? 2 : 1;
	const center = (left + right) / 2;
	return {
		name: `label of ${name}`,
		left: center - width / 2,
		right: center + width / 2,
		top: bottom + 4,
		bottom: bottom + 4 + lines * labelLine + subtitleLine,
	};
}

const overlap = (one: Area, other: Area) =>
	one.left < other.right &&
	other.left < one.right &&
	one.top < other.bottom &&
	other.top < one.bottom;

const contains = (outer: Area, inner: Area) =>
	outer.left <= inner.left &&
	outer.right >= inner.right &&
	outer.top <= inner.top &&
	outer.bottom >= inner.bottom;

/** The text of a note, which begins at its top. */
function readTextArea(node: INode): Area {
	const box = readBox(node);
	const lineLength = (box.right - box.left - 48) / 7.4;
	const lines = String(node.parameters.content).replaceAll('**', '').split('\n');
	const height = lines.reduce((sum, line) => {
		if (line.startsWith('#')) return sum + 34;
		return sum + (line === '' ? 12 : Math.ceil(line.length / lineLength) * 21);
	}, 32);
	return { ...box, name: `text of ${node.name}`, bottom: box.top + height };
}

/** Points of the curve that n8n draws from an output to an input. */
function* drawLine(from: INode, to: INode, output: number, outputs: number) {
	const spread = (output - (outputs - 1) / 2) * 32;
	const start = { x: from.position[0] + getWidth(from), y: from.position[1] + 48 + spread };
	const end = { x: to.position[0], y: to.position[1] + 48 };
	// The tools of an agent are connected from above.
	if (to.type === agent && from.position[1] > to.position[1]) return;
	const bend = Math.max(40, (end.x - start.x) / 2);
	for (let t = 0.02; t < 1; t += 0.02) {
		const [a, b, c, d] = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3];
		yield {
			x: a * start.x + b * (start.x + bend) + c * (end.x - bend) + d * end.x,
			y: (a + b) * start.y + (c + d) * end.y,
		};
	}
}

/** A line to an earlier node or to the node itself runs below both. */
function* drawLineBack(from: INode, to: INode) {
	const below = Math.max(from.position[1], to.position[1]) + 48 + 130;
	const [right, left] = [from.position[0] + getWidth(from) + 40, to.position[0] - 40];
	for (let x = left; x <= right; x += 8) yield { x, y: below };
	for (let y = from.position[1] + 48; y <= below; y += 8) yield { x: right, y };
	for (let y = to.position[1] + 48; y <= below; y += 8) yield { x: left, y };
}

/** The part of a window of 1440 × 800 pixels that shows the canvas, and the smallest readable zoom. */
const canvas = { width: 1180, height: 680 };
const minZoom = 0.55;

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

	const notes = nodes.filter(({ type }) => type === note);
	const others = nodes.filter(({ type }) => type !== note);
	const [main, ...sections] = notes;

	test('has a main note with what a template needs', () => {
		const content = String(main?.parameters.content);
		expect(content.startsWith(`## ${name}\n`)).toBe(true);
		expect(content).toMatch(/\*\*Who it is for:\*\* \S/);
		expect(content).toMatch(/\*\*Requirements\*\*\n- \S/);
		expect(content).toMatch(/\*\*Set up\*\*\n1\. \S[^]*\n2\. \S/);
		expect(content).not.toMatch(/\bfilms?\b/i);
	});

	test('has every node in one section with a heading', () => {
		for (const section of sections) expect(section.parameters.content).toMatch(/^### \S/);
		const homeless = others
			.map(({ name: node, ...rest }) => ({
				node,
				sections: sections.filter((section) =>
					contains(readBox(section), readBox({ name: node, ...rest })),
				).length,
			}))
			.filter((one) => one.sections !== 1);
		expect(homeless).toEqual([]);
	});

	test('has no overlaps of nodes, labels, notes and their texts', () => {
		const labels = others.flatMap((node) => readLabel(node) ?? []);
		const areas = [...others.map(readBox), ...labels, ...notes.map(readTextArea)];
		const pairs = [areas, notes.map(readBox)].flatMap((group) =>
			group.flatMap((one, i) => group.slice(i + 1).map((other) => [one, other] as const)),
		);
		const overlaps = pairs
			.filter(([one, other]) => overlap(one, other))
			.map(([one, other]) => [one.name, other.name]);
		expect(overlaps).toEqual([]);
		const tooLong = notes.filter((one) => !contains(readBox(one), readTextArea(one)));
		expect(tooLong.map((one) => one.name)).toEqual([]);
	});

	test('has no line across a label, a heading or another node', () => {
		const find = (wanted: string) => nodes.find((node) => node.name === wanted)!;
		const crossings = Object.entries(connections).flatMap(([from, outputs]) =>
			Object.values(outputs).flatMap((byOutput) =>
				byOutput.flatMap((ends, output) =>
					(ends ?? []).flatMap(({ node: to }) => {
						const [start, end] = [find(from), find(to)];
						const isBack = end.position[0] <= start.position[0] && end.type !== agent;
						const points = isBack
							? [...drawLineBack(start, end)]
							: [...drawLine(start, end, output, byOutput.length)];
						const obstacles = [
							...others.flatMap((node) => readLabel(node) ?? []),
							...others.filter((node) => node !== start && node !== end).map(readBox),
							...notes.map(readTextArea),
						];
						return obstacles
							.filter(({ left, right, top, bottom }) =>
								points.some(({ x, y }) => x > left && x < right && y > top && y < bottom),
							)
							.map((obstacle) => `${from} → ${to} crosses ${obstacle.name}`);
					}),
				),
			),
		);
		expect(crossings).toEqual([]);
	});

	test('fits a window of 1440 × 800', () => {
		const boxes = nodes.map(readBox);
		const width =
			Math.max(...boxes.map((one) => one.right)) - Math.min(...boxes.map((one) => one.left));
		const height =
			Math.max(...boxes.map((one) => one.bottom)) - Math.min(...boxes.map((one) => one.top));
		expect(Math.min(canvas.width / width, canvas.height / height)).toBeGreaterThan(minZoom);
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

/** The texts that a file passes to a function, comments left out. */
function findCalls(path: string, name: string): string[] {
	const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
	const visit = (node: ts.Node): string[] => {
		const inner: string[] = [];
		ts.forEachChild(node, (child) => void inner.push(...visit(child)));
		if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return inner;
		const [text] = node.arguments;
		const isWanted = node.expression.text === name && text && ts.isStringLiteral(text);
		return isWanted ? [text.text, ...inner] : inner;
	};
	return visit(source);
}

test('the table of tasks lists each example, and a flow on a real n8n runs it', () => {
	const told = readFileSync(join(projectRoot, 'docs', 'tasks.md'), 'utf8');
	const flows = join(projectRoot, 'test', 'e2e', 'flows');
	const run = [...readdirSync(flows).map((name) => join(flows, name)), triggerFlow].flatMap(
		(path) => findCalls(path, 'example'),
	);
	for (const file of files) {
		expect(told).toContain(`[${read(file).name}](../examples/${file})`);
	}
	expect([...new Set(run)].sort()).toEqual([...files].sort());
});
