import { createHash } from 'node:crypto';
import { listSchemaProblems, type Problem } from '../../api';
import { createError } from '../../errors';
import type { Workflow, WorkflowGraph } from '../../rows';
import type { Service } from '../../service';

// Invented, because the families are undocumented.
const deprecatedVariant = 'classic';
const variantsByFamily: Record<string, string[]> = {
	text: ['standard'],
	voice: ['standard'],
	video: ['standard'],
	image: ['standard', deprecatedVariant],
};

export const listNodeTypes = () =>
	Object.entries(variantsByFamily).map(([family, variants]) => ({
		family,
		display_name: family[0]?.toUpperCase() + family.slice(1),
		variants: variants.map((variant) => ({
			variant,
			display_name: variant[0]?.toUpperCase() + variant.slice(1),
			description: `Makes ${family}`,
			category: 'generation',
			config_schema: { type: 'object' },
			input_ports: [{ name: 'input', type: 'text', required: false, description: 'What to make' }],
			output_ports: [
				{ name: 'output', type: family, required: true, description: 'What was made' },
			],
			contract_version: '1',
			lifecycle: variant === deprecatedVariant ? 'deprecated' : 'available',
		})),
	}));

/** Lists all problems of the shape of a graph, which is all that a draft needs. */
export function rejectGraph(body: unknown, { path }: Problem) {
	if (path[0] !== 'product_graph') return undefined;
	const problems = listSchemaProblems(
		'WorkflowGraph',
		(body as { product_graph?: unknown }).product_graph,
	);
	return createGraphError(
		problems.map((problem) => ({
			code: 'invalid_config',
			message: problem.message,
			node_id: null,
			port: null,
			path: problem.path.join('.'),
		})),
	);
}

const createGraphError = (errors: unknown[]) =>
	createError(422, 'graph_invalid', `The graph has ${errors.length} problems`, 'product_graph', {
		errors,
	});

/** Throws 422 with all problems of a graph at once. */
export function checkGraph(graph: WorkflowGraph) {
	const nodes = graph.nodes ?? [];
	const ids = new Set(nodes.map(({ id }) => id));
	const errors: unknown[] = [];
	const addError = (code: string, message: string, node: string | null, path: string) =>
		errors.push({ code, message, node_id: node, port: null, path });
	const dependenciesByNode = new Map<string, string[]>();
	nodes.forEach((node, index) => {
		const path = `nodes.${index}`;
		const variants = variantsByFamily[node.type];
		if (!variants) {
			addError('unknown_node_type', `There is no node type ${node.type}`, node.id, `${path}.type`);
		}
		if (node.variant === deprecatedVariant && variants?.includes(node.variant)) {
			addError('node_type_unavailable', 'This variant is deprecated', node.id, `${path}.variant`);
		}
		if (node.config !== undefined && (typeof node.config !== 'object' || node.config === null)) {
			addError('invalid_config', 'config must be an object', node.id, `${path}.config`);
		}
		const sources = Object.values(node.bindings ?? {}).flatMap((binding) =>
			binding.kind === 'node_output' ? [String(binding.node_id)] : [],
		);
		const dependencies = [...(node.depends_on ?? []), ...sources];
		dependenciesByNode.set(node.id, dependencies);
		for (const other of dependencies) {
			if (!ids.has(other))
				addError('dangling_dependency', `There is no node ${other}`, node.id, path);
		}
	});
	for (const [output, { node_id }] of Object.entries(graph.outputs ?? {})) {
		if (!ids.has(node_id)) {
			addError('dangling_dependency', `There is no node ${node_id}`, null, `outputs.${output}`);
		}
	}
	const canReach = (from: string, goal: string, seen = new Set<string>()): boolean =>
		(dependenciesByNode.get(from) ?? []).some(
			(next) => next === goal || (!seen.has(next) && canReach(next, goal, seen.add(next))),
		);
	const nodeInCycle = [...ids].find((id) => canReach(id, id));
	if (nodeInCycle) addError('cycle_detected', 'The graph runs in a circle', nodeInCycle, 'nodes');
	if (errors.length > 0) throw createGraphError(errors);
}

export const createChecksum = (graph: WorkflowGraph) =>
	createHash('sha256').update(JSON.stringify(graph)).digest('hex');

/** Returns the versions of a workflow, oldest first. */
export const listVersions = ({ state }: Service, workflow: Workflow) =>
	[...state.versions.values()].filter(({ workflowId }) => workflowId === workflow.id);
