/** Keys by which the service recognises a repeated create (specification, Conventions). */
import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

const digest = (parts: readonly unknown[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/**
 * The key of one create: the same when n8n repeats the node (Retry On Fail), another for every
 * other execution, node, run, item, path or body.
 *
 * The body is part of it because the service replays its first answer even when the body differs,
 * and because two calls of one node as an AI tool can share everything else.
 */
export function derivedKey(
	n8n: Pick<IExecuteFunctions, 'getExecutionId' | 'getNode' | 'getWorkflowDataProxy'>,
	itemIndex: number,
	line: string,
	body: unknown,
): string {
	const run = n8n.getWorkflowDataProxy(itemIndex).$runIndex as number;
	return `n8n-${digest([n8n.getExecutionId(), n8n.getNode().id, run, itemIndex, line, body]).slice(0, 48)}`;
}
