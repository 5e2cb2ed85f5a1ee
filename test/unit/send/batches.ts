/** Sends batches of several executions to a service that accepts all of them. */
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { Client } from '../../../nodes/core/http/client';
import type { BatchRowIdentity, Operation } from '../../../nodes/core/operation';
import {
	createHashedKey,
	createIdempotencyKeyProvider,
} from '../../../nodes/core/plan/deriveIdempotencyKeys';
import { getItemIndexes, type PlannedRequest } from '../../../nodes/core/plan/groupRequests';
import type { NodeRetryState } from '../../../nodes/core/plan/retryState';
import { sendBatch } from '../../../nodes/core/send/sendBatch';
import { videoBatchJob, videoJob } from '../../../nodes/jobKinds/catalog';

const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;
const resource = { name: 'Video', value: 'video', operations: [] };
export const operation: Operation = {
	value: 'batch',
	name: 'Batch',
	action: 'Batch',
	description: '',
	request: 'POST /batches',
	combine: { maxSize: 9, list: 'videos', rows: videoJob },
	starts: videoBatchJob,
};

let batches = 0;
export const line = 'POST /batches';

export interface Run {
	/** Values that all rows have in common. */
	values?: IDataObject;
	/** Key of each row, in the option Own Key. */
	keys?: string[];
	more?: Partial<PlannedRequest>;
	place?: string;
	body?: IDataObject;
	content?: IDataObject;
	earlier?: NodeRetryState['requests'];
	isSent?: boolean;
	/** Whether the service rejects the batch. */
	isRejected?: boolean;
	/** Changes the response. */
	reply?: IDataObject;
	/** When the service responds. */
	accepted?: Promise<void>;
	/** Stops the execution. */
	signal?: AbortSignal;
}

/** Sends these entries as the batch of a new execution. */
export async function send(entries: string[], run: Run = {}) {
	const { values = {}, keys: ownKeys, place = 'node', earlier = [], isSent = false } = run;
	const all = entries.map((_, item) => ({
		item,
		values: { ...values, ...(ownKeys ? { idempotencyKey: ownKeys[item] } : {}) },
	}));
	const items = all as PlannedRequest['items'];
	const request: PlannedRequest = {
		resource,
		operation,
		values: items[0].values,
		items,
		...run.more,
	};
	const number = ++batches;
	const identity = { node: [place], run: [`run ${number}`] };
	const { signal = new AbortController().signal } = run;
	const state = { requests: earlier, keys: new Map(), failures: new Map(), keySalt: '' };
	const posts: unknown[] = [];
	const fetchData = jest.fn(async () => await Promise.resolve({}));
	const context = {
		n8n: { continueOnFail: () => false } as unknown as IExecuteFunctions,
		client: { account: 'batches', node, fetchData, signal } as unknown as Client,
		identity,
		state: state as unknown as NodeRetryState,
	};
	const body = { videos: entries, ...run.body };
	const batchBody = { body, content: { ...body, ...run.content }, list: 'videos' };
	const post = async (
		part: PlannedRequest,
		sent: IDataObject,
		rows: readonly BatchRowIdentity[],
	) => {
		posts.push([getItemIndexes(part), sent]);
		await run.accepted;
		if (run.isRejected) throw createOperationError(node, 'No');
		const key = createIdempotencyKeyProvider(identity, part, state).getKey({
			line,
			content: {},
			rows,
		});
		const jobs = [{ kind: videoBatchJob, id: `batch ${number}` }];
		return await Promise.resolve({ ...part, replies: [], jobs, key, ...run.reply });
	};
	const result = await sendBatch(context, request, batchBody, isSent, post);
	return {
		...result,
		posts,
		divided: context.state.requests.map(getItemIndexes),
		paid: result.sent.map(({ paidBatch }) => paidBatch),
		reads: fetchData.mock.calls.length,
		request,
	};
}

/** Sends these entries. Returns those that are in the batch that is paid for. */
export async function pay(entries: string[], run: Run = {}) {
	const { posts } = await send(entries, run);
	return (posts as Array<[number[], IDataObject]>).flatMap(([, { videos }]) => videos as string[]);
}

/** The entries in the order of their hashes. */
export const sort = (entries: string[], shared: IDataObject = {}) =>
	[...entries].sort((a, b) =>
		createHashedKey([shared, a]).localeCompare(createHashedKey([shared, b])),
	);
