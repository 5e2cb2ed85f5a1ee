import { startWhenPossible } from './capacity';
import { emitEvent } from './deliveries';
import { createInvalidParameterError, createNotFoundError } from './errors';
import { respond, respondWithList, type ServiceResponse } from './http/responses';
import { selectPage } from './http/pagination';
import type { Batch, BatchItem, Failure } from './rows';
import type { Service } from './service';
import { addRow, createId } from './store';

export type BatchProgress = {
	/** Time at which the item starts, in Unix seconds. */
	created: number;
	onStart: () => void;
	onEnd: (failure: Failure | null) => void;
};

/** Creates a batch and starts its items, within the capacity of the account. Each function in `starts` starts one job and returns its id. */
export function createBatch(
	service: Service,
	options: {
		kind: string;
		title: string | null;
		callbackUrl: string | null;
		starts: Array<(progress: BatchProgress) => string>;
	},
): ServiceResponse {
	const { state, clock } = service;
	const batch = addRow<Batch>(state, state.batches, {
		id: createId('batch_'),
		kind: options.kind,
		title: options.title,
		created: clock.now(),
		callbackUrl: options.callbackUrl,
		isAnnounced: false,
		items: options.starts.map((): BatchItem => ({ status: 'queued', childId: null, error: null })),
	});
	options.starts.forEach((start, index) => {
		const item = batch.items[index] as BatchItem;
		startWhenPossible(service, options.kind, (created) => {
			item.childId = start({
				created,
				onStart: () => {
					item.status = 'processing';
				},
				onEnd: (failure) => {
					item.status = failure ? 'failed' : 'completed';
					item.error = failure;
					emitBatchFinished(service, batch);
				},
			});
		});
	});
	return respond({ batch_id: batch.id }, 202);
}

/** Returns `failed` only if every item failed. The status of mixed results is a guess (service.md, G7). */
function getBatchStatus(batch: Batch) {
	if (batch.items.some(({ status }) => status === 'queued' || status === 'processing')) {
		return 'processing';
	}
	return batch.items.every(({ status }) => status === 'failed') ? 'failed' : 'completed';
}

function countByStatus(batch: Batch) {
	const found: Record<string, number> = {};
	for (const { status } of batch.items) found[status] = (found[status] ?? 0) + 1;
	return found;
}

function emitBatchFinished(service: Service, batch: Batch) {
	const status = getBatchStatus(batch);
	if (status === 'processing' || batch.isAnnounced) return;
	batch.isAnnounced = true;
	const data = {
		batch_id: batch.id,
		status,
		total_items: batch.items.length,
		counts_by_status: countByStatus(batch),
	};
	emitEvent(service, 'batch.finished', data, batch.callbackUrl);
}

export function readBatch(
	service: Service,
	kind: string,
	id: string | undefined,
	query: { limit: number; token?: string | undefined },
): ServiceResponse {
	const batch = service.state.batches.get(id ?? '');
	if (!batch || batch.kind !== kind) throw createNotFoundError('not_found', `Batch ${id}`);
	const indexedItems = batch.items.map((item, index) => ({ item, index }));
	const items = selectPage(service, batch.id, indexedItems, query, { key: (row) => row.index });
	return respond({
		batch_id: batch.id,
		status: getBatchStatus(batch),
		title: batch.title,
		total_items: batch.items.length,
		counts_by_status: countByStatus(batch),
		created_at: Math.floor(batch.created),
		items: items.rows.map(({ item, index }) => ({
			item_index: index,
			status: item.status,
			// A queued item has no job yet.
			video_id: item.status === 'queued' ? null : item.childId,
			error: item.error,
		})),
		has_more: items.has_more,
		next_token: items.next_token,
	});
}

export function readStatuses(
	service: Service,
	kind: string,
	ids: string[],
	batchIds: string[],
	lookUp: (id: string) => { status: string; error: Failure | null } | undefined,
): ServiceResponse {
	if (ids.length + batchIds.length > 100)
		throw createInvalidParameterError(null, 'At most 100 ids at once');
	if (ids.length + batchIds.length === 0)
		throw createInvalidParameterError(null, 'Give at least one id');
	const entries: object[] = ids.map((id) => {
		const found = lookUp(id);
		return { video_id: id, status: found?.status ?? 'not_found', error: found?.error ?? null };
	});
	for (const batchId of batchIds) {
		const batch = service.state.batches.get(batchId);
		if (!batch || batch.kind !== kind) {
			entries.push({ video_id: null, status: 'not_found', error: null, batch_id: batchId });
			continue;
		}
		batch.items.forEach((item, index) =>
			entries.push({
				video_id: item.childId,
				status: item.status,
				error: item.error,
				batch_id: batchId,
				item_index: index,
			}),
		);
	}
	return respondWithList(entries);
}
