/** Rules for tools of AI agents. They are stricter, because nobody supervises the calls. */
import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { createOperationError, type NodeError } from '../errors/nodeErrors';
import type { Operation, Resource } from '../operation';
import { findSelectedOperation, isDestructive, isPaid } from '../operationTraits';

export const isAgentTool = (n8n: Pick<IExecuteFunctions, 'getNode'>) =>
	n8n.getNode().type.endsWith('Tool');

/** A tool's form hides operations that agents may not call, but n8n would still run them. */
export function findToolRejection(node: INode, operation: Operation): NodeError | undefined {
	if (!isDestructive(operation)) return undefined;
	return createOperationError(
		node,
		`"${operation.action}" cannot be done by an AI agent: nothing was changed. Tell the user to do it, or to add it to the workflow as a separate step`,
		'An AI model can be mistaken, and this cannot be undone. Use the node outside the agent, for example behind an approval, so that a person decides.',
		{ code: 'refused_in_tool' },
	);
}

/** Whether an identical call runs again. If not, identical calls share one result. */
export function shouldRepeatIdenticalCalls(
	n8n: Pick<IExecuteFunctions, 'getNodeParameter'>,
	resources: readonly Resource[],
): boolean {
	// An expression may return text.
	if (String(n8n.getNodeParameter('options.payEachCall', 0, false)) === 'true') return true;
	const chosen = findSelectedOperation(n8n, resources);
	return chosen === undefined || !isPaid(chosen.operation);
}
