import { z } from 'zod';
import { emit } from './deliver';
import { invalid, missing } from './errors';
import { ok, okList, type Answer } from './http/answer';
import { cutPage } from './http/pages';
import type { Batch, BatchItem, Failure } from './rows';
import type { Service } from './service';
import { add, newId } from './store';

export type Progress = { onStart: () => void; onEnd: (failure: Failure | null) => void };

/** One batch and its children; each start makes a child and returns its id. */
export function createBatch(
	service: Service,
	options: {
		kind: string;
		title: string | null;
		callbackUrl: string | null;
		starts: Array<(progress: Progress) => string>;
	},
): Answer {
	const { state, clock } = service;
	const batch = add<Batch>(state, state.batches, {
		id: newId('batch_'),
		kind: options.kind,
		title: options.title,
		created: clock.now(),
		callbackUrl: options.callbackUrl,
		announced: false,
		items: options.starts.map((): BatchItem => ({ status: 'queued', childId: null, error: null })),
	});
	options.starts.forEach((start, index) => {
		const item = batch.items[index] as BatchItem;
		item.childId = start({
			onStart: () => {
				item.status = 'processing';
			},
			onEnd: (failure) => {
				item.status = failure ? 'failed' : 'completed';
				item.error = failure;
				announce(service, batch);
			},
		});
	});
	return ok({ batch_id: batch.id }, 202);
}

/** A batch fails only when every item did; what the service does with mixed results is unknown. */
function batchStatus(batch: Batch) {
	if (batch.items.some(({ status }) => status === 'queued' || status === 'processing')) {
		return 'processing';
	}
	return batch.items.every(({ status }) => status === 'failed') ? 'failed' : 'completed';
}

function counts(batch: Batch) {
	const found: Record<string, number> = {};
	for (const { status } of batch.items) found[status] = (found[status] ?? 0) + 1;
	return found;
}

function announce(service: Service, batch: Batch) {
	const status = batchStatus(batch);
	if (status === 'processing' || batch.announced) return;
	batch.announced = true;
	const data = {
		batch_id: batch.id,
		status,
		total_items: batch.items.length,
		counts_by_status: counts(batch),
	};
	emit(service, 'batch.finished', data, batch.callbackUrl);
}

export function readBatch(
	service: Service,
	kind: string,
	id: string | undefined,
	query: { limit: number; token?: string | undefined },
): Answer {
	const batch = service.state.batches.get(id ?? '');
	if (!batch || batch.kind !== kind) throw missing('not_found', `Batch ${id}`);
	const rows = batch.items.map((item, index) => ({ item, index }));
	const items = cutPage(service, batch.id, rows, query, { key: (row) => row.index });
	return ok({
		batch_id: batch.id,
		status: batchStatus(batch),
		title: batch.title,
		total_items: batch.items.length,
		counts_by_status: counts(batch),
		created_at: Math.floor(batch.created),
		items: items.rows.map(({ item, index }) => ({
			item_index: index,
			status: item.status,
			// The child exists only once it is its turn.
			video_id: item.status === 'queued' ? null : item.childId,
			error: item.error,
		})),
		has_more: items.has_more,
		next_token: items.next_token,
	});
}

const list = z
	.string()
	.transform((value) => value.split(',').filter(Boolean))
	.default('');

/** Query of the bulk status lookups: comma-separated ids under the resource's own name. */
export const statusesQuery = <Name extends string>(name: Name) =>
	z.object({ [name]: list, batch_ids: list } as Record<Name | 'batch_ids', typeof list>).strict();

export function readStatuses(
	service: Service,
	kind: string,
	ids: string[],
	batchIds: string[],
	lookUp: (id: string) => { status: string; error: Failure | null } | undefined,
): Answer {
	if (ids.length + batchIds.length > 100) throw invalid(null, 'At most 100 ids at once');
	if (ids.length + batchIds.length === 0) throw invalid(null, 'Give at least one id');
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
	return okList(entries);
}
