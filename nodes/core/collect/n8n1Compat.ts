/**
 * Adapts the output to n8n 1. The token renewal in http/sendOnce.ts is the only other difference.
 * n8n does not expose its version to nodes, so a function that only n8n 2 has identifies it.
 */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

const isN8n1 = (n8n: object) => !('isToolExecution' in n8n);

/** Renders the details of an error item as text. */
function renderDetailsAsText({ json: { details } }: INodeExecutionData): string {
	const { description, ...rest } = details as { description?: unknown };
	const known = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null);
	const lines = known.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
	return [description, ...lines].filter(Boolean).join('\n');
}

/**
 * Adapts error items to n8n 1, which sends an item to the error output only if its JSON has no keys
 * but `error` and `message`. The details become text in `message`.
 */
export function adaptErrorOutput(
	n8n: Pick<IExecuteFunctions, 'getNode'>,
	outputs: INodeExecutionData[][],
): INodeExecutionData[][] {
	if (n8n.getNode().onError !== 'continueErrorOutput' || !isN8n1(n8n)) return outputs;
	const isErrorItem = ({ json }: INodeExecutionData) =>
		Object.keys(json).sort().join() === 'details,error';
	return outputs.map((items) =>
		items.map((item) =>
			isErrorItem(item)
				? { ...item, json: { error: item.json.error, message: renderDetailsAsText(item) || '-' } }
				: item,
		),
	);
}
