/**
 * Events that come more than once. The service repeats a delivery until it is answered with 2xx.
 *
 * Two memories stand behind each other. That of this process refuses a repeat before it costs a
 * run. n8n's own store lasts over restarts and is shared by all processes of n8n; a repeat that
 * only it knows makes a run, which ends at the trigger.
 */
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { clock } from '../core/clock';
import { deliveries, recording, type Recording } from '../core/memory';
import { recorded } from '../fields/event';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** Whether one of these keys has started a run, or is just being stored by n8n. */
export const stateOf = (keys: readonly string[]) =>
	keys.map((key) => deliveries.get(key)).find((state) => state !== undefined);

/**
 * Remembers a delivery by these keys. It counts once n8n has answered it with 2xx: if n8n could not
 * store the run, the service sends the event again, and it must be taken then.
 */
export function remember(keys: readonly string[], response: Response): void {
	for (const key of keys) deliveries.set(key, 'underWay');
	// Comes after the answer, or when the connection broke before it.
	response.once('close', () => {
		const { statusCode, writableFinished } = response;
		const isStored = writableFinished && statusCode >= 200 && statusCode < 300;
		for (const key of keys) {
			if (isStored) deliveries.set(key, 'started');
			else deliveries.delete(key);
		}
	});
}

/** Entries that n8n keeps for one trigger, two of each event. */
const mostRecorded = 2_000;

/** Marks that each call writes again, in case another process has undone them. */
const mostRecent = 400;

/** How long after a call it is looked whether another process has undone it, on average (milliseconds). */
const undoneBy = 1_000;

/** Gives the marks that were there before. */
type Record = (marks: string[]) => Promise<ReadonlySet<unknown>>;

/** Does something when the call that is under way has ended. */
function inTurn<T>(state: Recording, act: () => Promise<T>): Promise<T> {
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
async function write(state: Recording, marks: readonly string[], record: Record) {
	const { recent } = state;
	const known = await record([...recent, ...marks]);
	state.recent = [...recent, ...marks.filter((mark) => !recent.includes(mark))].slice(-mostRecent);
	void keep(state, record);
	return new Set([...known, ...recent]);
}

/** Writes again what another process has undone, until nothing of it is missing and nothing new has come. */
async function keep(state: Recording, record: Record): Promise<void> {
	if (state.isKept) return;
	state.isKept = true;
	try {
		for (let isWhole = false; !isWhole;) {
			// At another moment than other processes.
			await clock.sleep(undoneBy * (0.5 + Math.random()));
			isWhole = await inTurn(state, async () => {
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
async function knownMarks(
	place: string,
	digest: string,
	delivery: string,
	record: Record,
): Promise<ReadonlySet<unknown>> {
	const state: Recording = recording.get(place) ?? { last: Promise.resolve(), recent: [] };
	recording.set(place, state);
	// Another run of the same event is about to be recorded.
	if (state.next?.marks.has(digest)) return new Set([digest]);
	if (!state.next) {
		const marks = new Set<string>();
		const known = inTurn(state, async () => {
			state.next = undefined;
			return await write(state, [...marks], record);
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
export async function isOurs(
	n8n: IExecuteFunctions,
	digest: string,
	delivery: string,
): Promise<boolean> {
	const record = async (marks: string[]) => await recorded(n8n, marks, mostRecorded);
	const mode = n8n.getMode();
	try {
		const place = `${n8n.getWorkflow().id} ${n8n.getNode().id}`;
		const known = await knownMarks(place, digest, delivery, record);
		// A retry goes on with what was cut, unless the event has come again and run meanwhile.
		return !known.has(digest) || mode === 'manual' || (mode === 'retry' && known.has(delivery));
	} catch (error) {
		n8n.logger.warn(
			`${n8n.getNode().name} cannot tell whether an event came before: ${(error as Error).message}`,
		);
		return true;
	}
}
