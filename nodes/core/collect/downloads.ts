/** Files of awaited results, for the items that chose them with Download. */
import type { INodeExecutionData } from 'n8n-workflow';
import { toNodeError } from '../errors/nodeErrors';
import { addResultFiles, type FinishedItem } from '../jobs/finishedItem';
import { isObject } from '../json';
import { isTool } from '../plan/agentTool';
import type { TaskRun } from '../send/sendRequest';
import { collectItems } from './collectItems';
import { addItemAndJobs } from './errorItems';

/** The items with the chosen files, in addition to the binary fields of their incoming items. */
export async function withDownloads(
	{ n8n, client, task }: TaskRun,
	finished: readonly FinishedItem[],
): Promise<INodeExecutionData[]> {
	const { download, waitForCompletion, binaryPropertyName } = task.values;
	const chosen = Array.isArray(download) ? download : [];
	const files = (task.operation.files ?? []).filter(({ value }) => chosen.includes(value));
	// An AI model takes no files.
	if (files.length === 0 || waitForCompletion !== true || isTool(n8n)) {
		return finished.map(({ item }) => item);
	}
	const choice = { files, field: String(binaryPropertyName ?? 'data') };
	const input = n8n.getInputData();
	const parts = finished.map((one) => {
		const { pairedItem } = one.item;
		const item = isObject(pairedItem) ? Number(pairedItem.item) : (task.items[0] ?? 0);
		return { finished: one, item };
	});
	return await collectItems(
		parts,
		n8n.continueOnFail(),
		async ({ finished: one, item }) =>
			await addResultFiles(n8n, client, one, choice, input[item]?.binary),
		(error, { finished: { result }, item }) =>
			addItemAndJobs(
				toNodeError(client.node, error),
				{ item, items: input.length },
				result ? [result] : [],
			),
	);
}
