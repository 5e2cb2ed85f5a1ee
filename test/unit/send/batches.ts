/** Sends batches to a service that accepts all of them. */
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { Operation } from '../../../nodes/core/operation';
import { findOrCreateRecord } from '../../../nodes/core/plan/deriveIdempotencyKeys';
import { getItemIndexes, type PlannedRequest } from '../../../nodes/core/plan/groupRequests';
import type { NodeRun } from '../../../nodes/core/ledger/ledger';
import { sendBatch } from '../../../nodes/core/send/sendBatch';
import { videoBatchJob, videoJob } from '../../../nodes/jobKinds/catalog';

const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;
const resource = { name: 'Video', value: 'video', operations: [] };
const operation: Operation = {
	value: 'batch',
	name: 'Batch',
	action: 'Batch',
	description: '',
	request: 'POST /batches',
	combine: { maxSize: 9, list: 'videos', rows: videoJob },
	starts: videoBatchJob,
};

export interface Run {
	/** Values that all rows have in common. */
	values?: IDataObject;
	more?: Partial<PlannedRequest>;
	body?: IDataObject;
	content?: IDataObject;
	/** Whether an earlier attempt has sent these rows. */
	isSent?: boolean;
	/** Whether the job of the first row has failed with a temporary error. */
	hasFailed?: boolean;
	/** Whether the service rejects the batch. */
	isRejected?: boolean;
}

/** Sends these entries as a batch. */
export async function send(entries: string[], run: Run = {}) {
	const { values = {}, isSent = false } = run;
	const items = entries.map((_, item) => ({ item, values })) as PlannedRequest['items'];
	const request: PlannedRequest = { resource, operation, values, items, ...run.more };
	const failures = run.hasFailed ? { 0: 1 } : {};
	const nodeRun = {
		...{ node: ['node'], secret: 'run', origins: [] },
		...{ creates: {}, failures },
	} as unknown as NodeRun;
	if (isSent) findOrCreateRecord(nodeRun, request).key = 'key';
	const posts: unknown[] = [];
	const n8n = { continueOnFail: () => false, getNode: () => node } as unknown as IExecuteFunctions;
	const body = { videos: entries, ...run.body };
	const batchBody = { body, content: { ...body, ...run.content } };
	const post = async (part: PlannedRequest, sent: IDataObject, rows: readonly string[]) => {
		expect(part.sentGroup).toBeUndefined();
		posts.push([getItemIndexes(part), sent, [...rows]]);
		if (run.isRejected) throw createOperationError(node, 'No');
		return await Promise.resolve({ ...part, replies: [], jobs: [] });
	};
	const result = await sendBatch(n8n, nodeRun, request, batchBody, post);
	return { ...result, posts };
}
