/**
 * Keeps track of which batch rows have been paid for, so that only the new rows of a changed sheet
 * are charged. A batch is one request with several rows.
 *
 * A batch has one idempotency key, so the service can recognize only the batch as a whole, not its
 * rows. The n8n process therefore keeps the paid rows in memory, until it restarts.
 */
import { raceWithAbort } from '../abort';
import { createBoundedMap } from '../boundedMap';
import { isNotFoundError } from '../errors/errorDetails';
import { toNodeError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import { fetchJobStatus } from '../jobs/readJobs';
import type { JobKind } from '../jobs/types';
import type { AlreadyPaidBatch } from '../plan/groupRequests';

/** Batch in which an input item was paid for, and the indexes of the item's rows in that batch. */
interface PaidRow {
	batchId: string;
	batchSize: number;
	indexes: number[];
	/** Identifier of the node run that sent the batch. */
	run: string;
}

/**
 * Paid batch rows, keyed by the row's content and origin. Kept for 24 hours, which is how long the
 * service remembers an idempotency key.
 */
const paidRows = createBoundedMap<PaidRow>(50_000, 24 * 3600);

/** Records that a batch row has been paid for, because the service has accepted it. */
export const markRowAsPaid = (key: string, row: PaidRow) => paidRows.set(key, row);

/** Batches that are being sent, each with the keys that identify its rows. */
const batchesInFlight = new Set<{ run: string; keys: readonly string[]; end: Promise<unknown> }>();

/**
 * Sends a batch once no other node run is sending a batch that contains some of the same rows.
 * Until the service has accepted the other batch, it is unknown whether these rows are paid for.
 *
 * @param run identifier of the node run. Its own batches do not wait for each other
 * @param keys keys of the batch's rows
 * @throws the signal's reason if it aborts during the wait
 */
export async function sendAfterOverlappingBatches<T>(
	run: string,
	keys: readonly string[],
	signal: AbortSignal,
	send: () => Promise<T>,
): Promise<T> {
	const earlier = [...batchesInFlight].filter(
		(batch) => batch.run !== run && batch.keys.some((key) => keys.includes(key)),
	);
	const others = Promise.allSettled(earlier.map(({ end }) => end));
	const sending = raceWithAbort(signal, others).then(send);
	const batch = { run, keys, end: sending };
	batchesInFlight.add(batch);
	try {
		return await sending;
	} finally {
		batchesInFlight.delete(batch);
	}
}

async function doesBatchExist(client: Client, kind: JobKind, id: string): Promise<boolean> {
	try {
		await fetchJobStatus(client, { kind, id });
		return true;
	} catch (error) {
		if (isNotFoundError(error)) return false;
		throw toNodeError(client.node, error);
	}
}

/**
 * Returns the existing batches that contain any of the given rows and were paid for by another node
 * run. Ignores batches of the same run, because a run pays separately for each of several identical
 * rows.
 */
export async function findBatchesPaidByOtherRuns(
	client: Client,
	kind: JobKind,
	run: string,
	rows: ReadonlyArray<{ item: number; key: string }>,
): Promise<AlreadyPaidBatch[]> {
	const batches = new Map<string, AlreadyPaidBatch>();
	for (const { item, key } of rows) {
		const paid = paidRows.get(key);
		if (!paid || paid.run === run) continue;
		const { batchId: id, batchSize: size, indexes } = paid;
		const batch = batches.get(id) ?? { id, size, rows: [] };
		batch.rows.push(...indexes.map((index) => ({ item, index })));
		batches.set(id, batch);
	}
	const existingBatches = await Promise.all(
		[...batches.values()].map(async (batch) =>
			(await doesBatchExist(client, kind, batch.id)) ? [batch] : [],
		),
	);
	return existingBatches.flat();
}
