/** What differs when the node is a tool of an AI agent: a model calls it, and nobody watches. */
import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { createOperationError, type NodeError } from '../errors/nodeErrors';
import type { Operation, Resource } from '../operation';
import { findOperation, isDestructive, isPaid } from '../operationTraits';

/** Whether the node runs as a tool of an AI agent. */
export const isTool = (n8n: Pick<IExecuteFunctions, 'getNode'>) =>
	n8n.getNode().type.endsWith('Tool');

/**
 * The error for an operation that AI models may not use; undefined for the others. The form does not
 * offer such operations in tools, but n8n would run them.
 */
export function refuseInTool(node: INode, operation: Operation): NodeError | undefined {
	if (!isDestructive(operation)) return undefined;
	return createOperationError(
		node,
		`"${operation.action}" cannot be done by an AI agent: nothing was changed. Tell the user to do it, or to add it to the workflow as a separate step`,
		'An AI model can be mistaken, and this cannot be undone. Use the node outside the agent, for example behind an approval, so that a person decides.',
		{ code: 'refused_in_tool' },
	);
}

/** Whether each of several identical tool calls gets its own result: it is free, or the user wants it. */
export function repeatsIdenticalCalls(
	n8n: Pick<IExecuteFunctions, 'getNodeParameter'>,
	resources: readonly Resource[],
): boolean {
	// An expression may return text.
	if (String(n8n.getNodeParameter('options.payEachCall', 0, false)) === 'true') return true;
	const names = ['resource', 'operation'].map((name) => n8n.getNodeParameter(name, 0, ''));
	const chosen = findOperation(resources, names);
	return chosen === undefined || !isPaid(chosen.operation);
}
