/**
 * Handles nodes that are tools of an AI agent: a language model calls them, without a person
 * watching.
 */
import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { createOperationError, type NodeError } from '../errors/nodeErrors';
import type { Operation, Resource } from '../operation';
import { findOperation, isDestructive, isPaid } from '../operationTraits';

/** Whether the node runs as a tool of an AI agent. */
export const isTool = (n8n: Pick<IExecuteFunctions, 'getNode'>) =>
	n8n.getNode().type.endsWith('Tool');

/**
 * Returns the error for an operation that language models may not use, or undefined if they may.
 * The form hides such operations in tools, but n8n would still run them.
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

/**
 * Whether identical tool calls each get a separate result, because the operation is free or the
 * user chose so.
 */
export function shouldRepeatIdenticalCalls(
	n8n: Pick<IExecuteFunctions, 'getNodeParameter'>,
	resources: readonly Resource[],
): boolean {
	// An expression may return text.
	if (String(n8n.getNodeParameter('options.payEachCall', 0, false)) === 'true') return true;
	const names = ['resource', 'operation'].map((name) => n8n.getNodeParameter(name, 0, ''));
	const chosen = findOperation(resources, names);
	return chosen === undefined || !isPaid(chosen.operation);
}
