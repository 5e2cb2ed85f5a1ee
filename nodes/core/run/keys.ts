/** Keys by which the service recognises a repeated create (docs/service.md, Idempotency). */
import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

const digest = (parts: readonly unknown[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/**
 * The key of one create: the same when n8n repeats the node (Retry On Fail), another for every
 * other n8n, workflow, execution, node, run, item, path or body.
 *
 * The body is part of it because the service replays its first answer even when the body differs,
 * and because two calls of one node as an AI tool can share everything else.
 */
export function derivedKey(
	n8n: Pick<
		IExecuteFunctions,
		'getExecutionId' | 'getInstanceId' | 'getNode' | 'getWorkflow' | 'getWorkflowDataProxy'
	>,
	itemIndex: number,
	line: string,
	body: unknown,
): string {
	const run = n8n.getWorkflowDataProxy(itemIndex).$runIndex as number;
	// Executions are counted from 1 in every n8n, and an imported workflow keeps the ids of its nodes.
	const place = [n8n.getInstanceId(), n8n.getWorkflow().id, n8n.getExecutionId(), n8n.getNode().id];
	return `n8n-${digest([...place, run, itemIndex, line, body]).slice(0, 48)}`;
}

/** The longest key (docs/service.md, Idempotency). */
const longest = 255;

/**
 * The key of one of several requests that share a key of the user's, counted from 1. Its form is
 * one that nobody types.
 */
export function partKey(own: string, part: number): string {
	if (part === 1) return own;
	const end = `:part:${part}`;
	return (own.length + end.length <= longest ? own : digest([own])) + end;
}
