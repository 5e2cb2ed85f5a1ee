/** Several results of one request, of which some may fail. */
import type { INodeExecutionData } from 'n8n-workflow';
import type { NodeError } from '../errors/nodeErrors';
import { createErrorItem } from './errorItems';

/**
 * The item of each part, at the same time. Where parts fail, their error items stand in their places;
 * without `goesOn`, the first error is thrown, with a word on the others.
 *
 * @param failed the error of a part that has failed, with its place in it
 */
export async function collectItems<P extends { item: number }>(
	parts: readonly P[],
	goesOn: boolean,
	act: (part: P) => Promise<INodeExecutionData>,
	failed: (error: unknown, part: P) => NodeError,
): Promise<INodeExecutionData[]> {
	const wrong: NodeError[] = [];
	const items = await Promise.all(
		parts.map(async (part) => {
			try {
				return await act(part);
			} catch (thrown) {
				const error = failed(thrown, part);
				wrong.push(error);
				return createErrorItem(error, part.item);
			}
		}),
	);
	const [first, ...others] = wrong;
	if (!first || goesOn) return items;
	const also = others.map(({ message }) => message);
	if (also.length > 0) first.description = [first.description, 'Also:', ...also].join('\n');
	throw first;
}
