/**
 * Events that come more than once. The service repeats a delivery until it is answered with 2xx.
 *
 * Two memories stand behind each other. That of this process refuses a repeat before it costs a
 * run. n8n's own store lasts over restarts and is shared by all processes of n8n; a repeat that
 * only it knows makes a run, which ends at the trigger.
 */
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { clock } from '../core/clock';
import { deliveryStates, recordQueues, type RecordQueue } from '../core/memory';
import { recordMarks } from '../shared/events';

type WebhookResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/** Whether one of these keys has started a run, or is just being stored by n8n. */
export const findDeliveryState = (keys: readonly string[]) =>
	keys.map((key) => deliveryStates.get(key)).find((state) => state !== undefined);

/**
 * Remembers a delivery by these keys. It counts once n8n has answered it with 2xx: if n8n could not
 * store the run, the service sends the event again, and it must be taken then.
 */
export function rememberDelivery(keys: readonly string[], response: WebhookResponse): void {
	for (const key of keys) deliveryStates.set(key, 'underWay');
	// Comes after the answer, or when the connection broke before it.
	response.once('close', () => {
		const { statusCode, writableFinished } = response;
		const isStored = writableFinished && statusCode >= 200 && statusCode < 300;
		for (const key of keys) {
			if (isStored) deliveryStates.set(key, 'started');
			else deliveryStates.delete(key);
		}
	});
}

/** Entries that n8n keeps for one trigger, two of each event. */
const maxRecordedDeliveries = 2_000;

/** Marks that each call writes again, in case another process has undone them. */
const maxRecentMarks = 400;

/** How long after a call it is looked whether another process has undone it, on average (milliseconds). */
const recheckDelay = 1_000;

/** Gives the marks that were there before. */
type RecordMarks = (marks: string[]) => Promise<ReadonlySet<unknown>>;

/** Does something when the call that is under way has ended. */
function runInTurn<T>(state: RecordQueue, act: () => Promise<T>): Promise<T> {
	const result = state.last.then(act);
	const settled = () => undefined;
	state.last = result.then(settled, settled);
	return result;
}

/**
 * Writes marks; gives those that were known before, to n8n or to this process. n8n reads the record
 * of a node as a whole and writes it anew: what another process has written in between is lost. So
 * each call also writes what this process wrote before, and the last one is looked after.
 */
async function writeMarks(state: RecordQueue, marks: readonly string[], record: RecordMarks) {
	const { recent } = state;
	const known = await record([...recent, ...marks]);
	state.recent = [...recent, ...marks.filter((mark) => !recent.includes(mark))].slice(
		-maxRecentMarks,
	);
	void restoreMarks(state, record);
	return new Set([...known, ...recent]);
}

/** Writes again what another process has undone, until nothing of it is missing and nothing new has come. */
async function restoreMarks(state: RecordQueue, record: RecordMarks): Promise<void> {
	if (state.isKept) return;
	state.isKept = true;
	try {
		for (let isWhole = false; !isWhole;) {
			// At another moment than other processes.
			await clock.sleep(recheckDelay * (0.5 + Math.random()));
			isWhole = await runInTurn(state, async () => {
				const { recent } = state;
				const known = await record([...recent]);
				return state.recent === recent && recent.every((mark) => known.has(mark));
			});
		}
	} catch {
		// The call that comes next does the same.
	} finally {
		state.isKept = false;
	}
}

/**
 * Which of the two marks of a delivery n8n has in its record already; from now on it has both. One
 * call at a time, which takes along all that have come since the one before.
 */
async function recordDelivery(
	place: string,
	digest: string,
	delivery: string,
	record: RecordMarks,
): Promise<ReadonlySet<unknown>> {
	const state: RecordQueue = recordQueues.get(place) ?? { last: Promise.resolve(), recent: [] };
	recordQueues.set(place, state);
	// Another run of the same event is about to be recorded.
	if (state.next?.marks.has(digest)) return new Set([digest]);
	if (!state.next) {
		const marks = new Set<string>();
		const known = runInTurn(state, async () => {
			state.next = undefined;
			return await writeMarks(state, [...marks], record);
		});
		state.next = { marks, known };
	}
	const { marks, known } = state.next;
	marks.add(digest).add(delivery);
	return await known;
}

/**
 * Whether the event is for this run to put out: from now on, n8n knows it. Where n8n cannot tell, it
 * is.
 *
 * @param digest of the body of the delivery: the same whenever the event comes
 * @param delivery the same in a retry of this run, and in no other
 */
export async function claimEvent(
	n8n: IExecuteFunctions,
	digest: string,
	delivery: string,
): Promise<boolean> {
	const record = async (marks: string[]) => await recordMarks(n8n, marks, maxRecordedDeliveries);
	const mode = n8n.getMode();
	try {
		const place = `${n8n.getWorkflow().id} ${n8n.getNode().id}`;
		const known = await recordDelivery(place, digest, delivery, record);
		// A retry goes on with what was cut, unless the event has come again and run meanwhile.
		return !known.has(digest) || mode === 'manual' || (mode === 'retry' && known.has(delivery));
	} catch (error) {
		n8n.logger.warn(
			`${n8n.getNode().name} cannot tell whether an event came before: ${(error as Error).message}`,
		);
		return true;
	}
}
