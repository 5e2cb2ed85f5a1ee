/**
 * What the nodes do otherwise on n8n 1, beside the renewal of tokens (http/transport.ts). n8n does not
 * say which line it is of, but its newer one can do more.
 */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

const isN8n1 = (n8n: object) => !('isToolExecution' in n8n);

/** What an error item tells beside its message, as a text. */
function renderDetailsAsText({ json: { details } }: INodeExecutionData): string {
	const { description, ...facts } = details as { description?: unknown };
	const told = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null);
	const parts = told.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
	return [description, ...parts].filter(Boolean).join('\n');
}

/**
 * The outputs as n8n can sort them: n8n 1 sends an item to the error output only where its json has no
 * keys but `error` and `message`, so that `details` become a text there.
 */
export function adaptErrorOutput(
	n8n: Pick<IExecuteFunctions, 'getNode'>,
	outputs: INodeExecutionData[][],
): INodeExecutionData[][] {
	if (n8n.getNode().onError !== 'continueErrorOutput' || !isN8n1(n8n)) return outputs;
	const isError = ({ json }: INodeExecutionData) =>
		Object.keys(json).sort().join() === 'details,error';
	return outputs.map((items) =>
		items.map((item) =>
			isError(item)
				? { ...item, json: { error: item.json.error, message: renderDetailsAsText(item) || '-' } }
				: item,
		),
	);
}
