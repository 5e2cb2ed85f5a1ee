/** Sends batches to a service that rejects them. */
import type { INode } from 'n8n-workflow';
import type { ErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { createOperationError, type NodeError } from '../../../nodes/core/errors/nodeErrors';
import { sendUntilAccepted } from '../../../nodes/core/send/sendBatch';

const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;

export const rows = (...entries: unknown[]) => entries.map((entry, item) => ({ item, entry }));

/** Error details that refer to the batch entry with this index. */
export const refuse = (param: string, more: ErrorDetails = {}) => ({ status: 404, param, ...more });

/**
 * Sends a batch that the service rejects with each of these errors in turn, and then accepts. Lists
 * the items of each request and the failures.
 */
export async function send(
	all: ReadonlyArray<{ item: number; entry: unknown }>,
	rejections: ReadonlyArray<Record<string, unknown>>,
	continues = true,
	splits = true,
) {
	const requests: number[][] = [];
	const errors: NodeError[] = rejections.map((details) =>
		createOperationError(node, 'No', [], details as ErrorDetails),
	);
	const result = await sendUntilAccepted(
		node,
		{ list: 'videos', continues, splits },
		all,
		async (some) => {
			const number = requests.push(some.map(({ item }) => item));
			if (number <= errors.length) throw errors[number - 1]!;
			return await Promise.resolve({ number });
		},
	);
	const failures = result.failures.map(({ item, otherItems = [], error, hints }) => ({
		items: [item, ...otherItems],
		error: errors.indexOf(error),
		hints,
	}));
	return { ...result, requests, failures };
}

export const failure = (error: number, items: number[], hints?: string[]) => ({
	items,
	error,
	hints,
});
