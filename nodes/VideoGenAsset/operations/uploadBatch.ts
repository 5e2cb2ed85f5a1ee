import type { INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { apiLimits } from '../../apiLimits';
import { createOperationError } from '../../core/errors/nodeErrors';
import { findBinaryInputs, type BinaryInput } from '../../core/files/binaryInputs';
import { awaitAllTransfers } from '../../core/files/transfer';
import {
	prepareFileToUpload,
	putFile,
	buildDirectUploadSpecWithChecksum,
} from '../../shared/upload';
import { matchEntriesToRows } from '../../core/jobs/matchBatchEntries';
import { toNonEmptyStrings, readObjects } from '../../core/json';
import { type ExecuteContext, defineOperation } from '../../core/operation';
import { assetBatchJob } from '../../jobKinds/catalog';

const { max: maxUploads } = apiLimits['POST /v3/assets/direct-uploads/batches'].files;

/**
 * Creates an upload batch, uploads its files and marks the batch as complete. Returns a list with
 * the batch's output item, or an empty list if the service rejected all files.
 */
async function sendFiles(
	{ n8n, client, send, sendEntries }: ExecuteContext,
	inputs: ReadonlyArray<{ item: number; field: string }>,
	title: string | undefined,
): Promise<INodeExecutionData[]> {
	const prepared = await awaitAllTransfers(
		inputs.map(async ({ item, field }) => {
			const file = await prepareFileToUpload(n8n, item, field);
			const entry = await client.runTransfer(
				async () => await buildDirectUploadSpecWithChecksum(file),
			);
			return { item, file, entry };
		}),
	);
	const { entries: files, reply } = await sendEntries(
		prepared,
		async (entries) => await send({ title, files: entries.map(({ entry }) => entry) }),
	);
	if (!reply) return [];
	const { batch_id, items } = reply;
	const targets = readObjects(items);
	if (targets.length !== files.length) {
		throw createOperationError(
			client.node,
			`The service created ${targets.length} uploads for ${files.length} files`,
			'Nothing was uploaded. Run the workflow again, or upload the files one by one.',
		);
	}
	await awaitAllTransfers(
		files.map(async ({ file }, i) => await putFile(n8n, client, file, targets[i] ?? {})),
	);
	await client.fetchData({
		line: 'POST /v3/assets/complete/batches',
		body: { batch_id },
		repeatable: true,
	});
	return [
		{
			json: {
				batch_id,
				files: files.map(({ item, entry }, i) => ({
					item,
					asset_id: targets[i]?.asset_id,
					...entry,
				})),
			},
		},
	];
}

export const uploadBatch = defineOperation({
	value: 'uploadBatch',
	name: 'Upload Batch',
	action: 'Upload many files at once',
	description: `Upload the files in all incoming items as assets, with one output item per file and up to ${maxUploads} files per request`,
	request: 'POST /v3/assets/direct-uploads/batches',
	returns: ['asset_id', 'filename', 'status'],
	fields: [
		{
			displayName: 'Input Binary Fields',
			name: 'binaryPropertyNames',
			type: 'string',
			default: 'data',
			required: true,
			placeholder: 'e.g. data,photo',
			hint: "Separate multiple names with commas. Enter * to upload all of the item's files.",
			description: 'Names of the binary fields that contain the files',
			// An empty list means all binary fields.
			schema: z.string().transform((names): BinaryInput[] =>
				toNonEmptyStrings(names.split(','))
					.filter((name) => name !== '*')
					.map((field) => ({ type: 'binary', field, hint: '; enter * for all of them' })),
			),
			in: 'local',
		},
	],
	options: [
		{
			displayName: 'Batch Title',
			name: 'title',
			type: 'string',
			default: '',
			description: 'Title of the whole batch, taken from the first item',
		},
	],
	combine: { list: 'files', maxSize: maxUploads },
	idempotent: true,
	paid: false,
	starts: assetBatchJob,
	async execute(context) {
		const { n8n, client, combinedItems, values } = context;
		const input = n8n.getInputData();
		const inputs = combinedItems.flatMap(({ item, values: { binaryPropertyNames } }) => {
			const names = findBinaryInputs(binaryPropertyNames).map(({ field }) => field);
			const fields = names.length > 0 ? names : Object.keys(input[item]?.binary ?? {});
			return fields.map((field) => ({ item, field }));
		});
		if (inputs.length === 0) {
			throw createOperationError(
				client.node,
				'None of the items has a file',
				'Before this node, add a node that outputs files.',
				{ code: 'invalid_value' },
			);
		}
		const items: INodeExecutionData[] = [];
		for (let from = 0; from < inputs.length; from += maxUploads) {
			const sent = await sendFiles(context, inputs.slice(from, from + maxUploads), values.title);
			if (sent.length === 0 && !n8n.continueOnFail()) break;
			items.push(...sent);
		}
		return items;
	},
	// Returns an item for each file, with its outcome. Error items of failed batches stay
	// unchanged.
	reshapeItems: (items) =>
		items.flatMap((item) => {
			const { batch_id, files, items: outcomes, job } = item.json;
			if (!Array.isArray(files)) return [item];
			const entries = matchEntriesToRows(assetBatchJob, item.json, files.length);
			return readObjects(files).map(({ item: from, ...file }, i): INodeExecutionData => {
				const isAwaited = outcomes !== undefined;
				const { status, error } = entries[i] ?? (isAwaited ? { status: 'unknown' } : {});
				return {
					json: {
						...file,
						batch_id,
						item_index: i,
						...(status === undefined ? {} : { status }),
						...(error === undefined || error === null ? {} : { error }),
						job,
					},
					pairedItem: { item: Number(from) },
				};
			});
		}),
});
