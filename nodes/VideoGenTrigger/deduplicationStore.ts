/**
 * Stores the deduplication keys of delivered events in n8n's store, which survives restarts and is
 * shared by all n8n processes.
 */
import type { IExecuteFunctions } from 'n8n-workflow';
import { createBoundedMap } from '../core/boundedMap';
import { clock } from '../core/clock';
import { recordAndFindSeenEventKeys } from '../shared/eventItems';
import { getTriggerId } from '../shared/triggerState';

/**
 * Maximum number of deduplication keys that n8n stores for one trigger. Each delivery has two keys:
 * a hash of its event and a random ID.
 */
const maxRecordedKeys = 2_000;

/**
 * Maximum number of recent deduplication keys that this n8n process remembers per trigger. Every
 * write to n8n's store repeats these keys, because another process may have overwritten them.
 */
const maxRecentKeys = 400;

/**
 * Average delay in milliseconds before the trigger checks whether another n8n process has
 * overwritten its deduplication keys.
 */
const recheckDelay = 1_000;

/**
 * Function that writes deduplication keys to n8n's store. Returns the keys that were already
 * stored.
 */
type RecordKeys = (keys: string[]) => Promise<ReadonlySet<unknown>>;

/** Queue that writes one trigger's deduplication keys to n8n's store, one write at a time. */
interface RecordQueue {
	/** Resolves when all writes in the queue have ended. */
	last: Promise<void>;
	/**
	 * Next write in the queue: the deduplication keys to write, and a promise that resolves to the
	 * keys that were already stored before the write.
	 */
	next?: { keys: Set<string>; known: Promise<ReadonlySet<unknown>> };
	/** Deduplication keys that this process has written recently, newest last. */
	recent: string[];
	/**
	 * Whether this process is currently checking its recent keys and restoring those that another
	 * process has overwritten.
	 */
	isRestoring?: boolean;
}

/**
 * Queues that write deduplication keys to n8n's store, one queue per trigger. When a queue is
 * evicted from this map, its recent keys are lost. If another process has overwritten these keys in
 * n8n's store, later writes cannot restore them.
 */
export const recordQueues = createBoundedMap<RecordQueue>(1_000, 3600);

/** Runs an action after all actions already in the queue. Returns the action's result. */
function runInTurn<T>(queue: RecordQueue, act: () => Promise<T>): Promise<T> {
	const result = queue.last.then(act);
	const ignoreResult = () => undefined;
	queue.last = result.then(ignoreResult, ignoreResult);
	return result;
}

/**
 * Writes deduplication keys to n8n's store. Returns the keys that n8n or this process had already
 * stored.
 *
 * n8n always replaces all of a trigger's keys, so keys that another process writes at the same time
 * are lost. Each write therefore includes the recent keys again, and a later check restores missing
 * keys.
 */
async function writeKeys(queue: RecordQueue, keys: readonly string[], record: RecordKeys) {
	const { recent } = queue;
	const known = await record([...recent, ...keys]);
	queue.recent = [...recent, ...keys.filter((key) => !recent.includes(key))].slice(-maxRecentKeys);
	void restoreKeys(queue, record);
	return new Set([...known, ...recent]);
}

/** Rewrites the recent deduplication keys until n8n's store contains all of them. */
async function restoreKeys(queue: RecordQueue, record: RecordKeys): Promise<void> {
	if (queue.isRestoring) return;
	queue.isRestoring = true;
	try {
		for (let isComplete = false; !isComplete;) {
			// A random pause keeps processes from writing at the same moment.
			await clock.sleep(recheckDelay * (0.5 + Math.random()));
			isComplete = await runInTurn(queue, async () => {
				const { recent } = queue;
				const known = await record([...recent]);
				return queue.recent === recent && recent.every((key) => known.has(key));
			});
		}
	} catch {
		// The next write restores the keys.
	} finally {
		queue.isRestoring = false;
	}
}

/**
 * Whether n8n may have dropped some of the newest deduplication keys of a trigger. n8n drops the
 * oldest keys first. A recent key may be stored twice, and then takes up two entries.
 *
 * @param count number of newest keys that must still be stored
 */
export async function mayHaveDroppedKeys(n8n: IExecuteFunctions, count: number): Promise<boolean> {
	if (count <= maxRecordedKeys - maxRecentKeys) return false;
	const options = { mode: 'entries', maxEntries: maxRecordedKeys } as const;
	return (await n8n.helpers.getProcessedDataCount('node', options)) >= maxRecordedKeys;
}

/**
 * Stores the ID of a delivery and the deduplication keys of its events, oldest first. Returns the
 * keys that were already stored. Keys that arrive during a write are stored in the next write.
 */
export async function storeAndFindDuplicateKeys(
	n8n: IExecuteFunctions,
	digests: readonly string[],
	delivery: string,
): Promise<ReadonlySet<unknown>> {
	const record = async (keys: string[]) =>
		await recordAndFindSeenEventKeys(n8n, keys, maxRecordedKeys);
	const trigger = getTriggerId(n8n);
	const queue: RecordQueue = recordQueues.get(trigger) ?? {
		last: Promise.resolve(),
		recent: [],
	};
	recordQueues.set(trigger, queue);
	// Other executions have already queued the keys of these events.
	const queued = digests.filter((key) => queue.next?.keys.has(key));
	if (queued.length === digests.length) return new Set(queued);
	if (!queue.next) {
		const keys = new Set<string>();
		const known = runInTurn(queue, async () => {
			queue.next = undefined;
			return await writeKeys(queue, [...keys], record);
		});
		queue.next = { keys, known };
	}
	const { keys, known } = queue.next;
	for (const key of [...digests, delivery]) keys.add(key);
	return new Set([...(await known), ...queued]);
}
