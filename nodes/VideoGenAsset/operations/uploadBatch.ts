import type { INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { createOperationError } from '../../core/errors/nodeErrors';
import { findBinaryInputs, type BinaryInput } from '../../core/files/binaryInputs';
import { openOutgoingFile, putFile } from '../../core/files/transfer';
import { trimTexts, readObjects } from '../../core/json';
import { type ExecuteContext, operation } from '../../core/operation';
import { describeFileWithChecksum } from '../../shared/upload';
import { assetBatchJob } from '../../jobs/catalog';

/** Files that one request takes (docs/service.md, Limits). */
const maxUploads = 100;

/** Opens a batch for these files, sends them, and tells the service that they are there. */
async function sendBatch(
	{ n8n, client, send }: ExecuteContext,
	found: ReadonlyArray<{ item: number; field: string }>,
	title: string | undefined,
): Promise<INodeExecutionData> {
	const files = await Promise.all(
		found.map(async ({ item, field }) => {
			const file = await openOutgoingFile(n8n, item, field);
			return {
				item,
				file,
				announcement: await client.runInSlot(async () => await describeFileWithChecksum(file)),
			};
		}),
	);
	const { batch_id, items } = await send({
		title,
		files: files.map(({ announcement }) => announcement),
	});
	const targets = readObjects(items);
	if (targets.length !== files.length) {
		throw createOperationError(
			client.node,
			`The service opened ${targets.length} uploads for ${files.length} files`,
			'Nothing was uploaded. Run again, or upload the files one by one.',
		);
	}
	// All are awaited: none may be on its way when the node has ended.
	const sent = await Promise.allSettled(
		files.map(async ({ file }, i) => await putFile(n8n, client, file, targets[i] ?? {})),
	);
	const failed = sent.find((one) => one.status === 'rejected');
	if (failed) throw failed.reason;
	await client.fetchData({
		line: 'POST /v3/assets/complete/batches',
		body: { batch_id },
		repeatable: true,
	});
	return {
		json: {
			batch_id,
			files: files.map(({ item, announcement }, i) => ({
				item,
				asset_id: targets[i]?.asset_id,
				...announcement,
			})),
		},
	};
}

export const uploadBatch = operation({
	value: 'uploadBatch',
	name: 'Upload Batch',
	action: 'Upload many files at once',
	description: 'Make assets of the files of all incoming items, up to 100 files in one request',
	request: 'POST /v3/assets/direct-uploads/batches',
	fields: [
		{
			displayName: 'Input Binary Fields',
			name: 'binaryPropertyNames',
			type: 'string',
			default: 'data',
			required: true,
			placeholder: 'e.g. data,photo',
			hint: 'Several names are separated by commas; * stands for all files of the item',
			description: 'The names of the binary fields that hold the files',
			// An empty list stands for all fields.
			schema: z.string().transform((names): BinaryInput[] =>
				trimTexts(names.split(','))
					.filter((name) => name !== '*')
					.map((field) => ({ type: 'binary', field })),
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
			description: 'A title for the whole batch; taken from the first item',
		},
	],
	combine: { maxSize: maxUploads },
	idempotent: true,
	paid: false,
	starts: assetBatchJob,
	async execute(context) {
		const { n8n, client, combinedItems: gathered, values } = context;
		const input = n8n.getInputData();
		const found = gathered.flatMap(({ item, values: own }) => {
			const named = findBinaryInputs(own.binaryPropertyNames).map(({ field }) => field);
			const fields = named.length > 0 ? named : Object.keys(input[item]?.binary ?? {});
			return fields.map((field) => ({ item, field }));
		});
		if (found.length === 0) {
			throw createOperationError(
				client.node,
				'None of the items has a file',
				'Put a node before this one that gives out files.',
				{ code: 'invalid_value' },
			);
		}
		if (found.length > maxUploads && values.idempotencyKey !== undefined) {
			throw createOperationError(
				client.node,
				`"Own Key" stands for one batch of at most ${maxUploads} files, but there are ${found.length}`,
				'Remove the key, or give in fewer files at once. Nothing was sent to the service.',
				{ code: 'invalid_value' },
			);
		}
		const items: INodeExecutionData[] = [];
		for (let from = 0; from < found.length; from += maxUploads) {
			items.push(await sendBatch(context, found.slice(from, from + maxUploads), values.title));
		}
		return items;
	},
	// One item for each file, with what became of it. The error of another batch stays as it is.
	reshapeItems: (items) =>
		items.flatMap((item) => {
			const { batch_id, files, items: outcomes, job } = item.json;
			if (!Array.isArray(files)) return [item];
			const rows = readObjects(outcomes);
			return readObjects(files).map(({ item: from, ...file }, i): INodeExecutionData => {
				const { status, error } = rows.find((row) => row.item_index === i) ?? {};
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
