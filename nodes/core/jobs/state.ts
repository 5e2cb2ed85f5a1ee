/** Kinds of job, and what a reading of one says about it. Pure. */
import type { IDataObject } from 'n8n-workflow';
import { isObject, readObject, readObjects, readText } from '../json';

/** A kind of job: where it is read and which states end it. */
export interface JobKind {
	/** Name of the kind, put on items as `job.kind`. */
	name: string;
	/** Key of the id in the reply that starts it (or `id`), and the placeholder in `read`. */
	id: string;
	/** Request line of the read endpoint. */
	read: string;
	/** Sent with it. */
	query?: IDataObject;
	completed: readonly string[];
	failed: readonly string[];
	/** States in which the job rests until the user acts: the wait ends there, without a failure. */
	resting?: readonly string[];
	/** Keys of the addresses that a reading holds once the job is completed. */
	resultUrls?: readonly string[];
	/** A job that this one leads to, found in its final state; its result goes under `name`. */
	next?: { name: string; job: JobKind };
	/** What a reading says somewhere in its depth, under names of its own beside it. */
	extract?: (reading: IDataObject) => IDataObject;
	/** How long one takes, as a sentence for the form; an order of magnitude. */
	durationHint?: string;
	/** What tells its end, where no event is known to (docs/service.md, Events and deliveries). */
	notifiedBy?: 'callback' | 'nothing';
	/** Request line of the lookup of many, and the name of its ids in the query. */
	batchedStatus?: { line: string; query: string };
	/** Seconds before the first look that may find it finished, where that is not 5. */
	firstPollAfter?: number;
	/** The longest pause between two looks, in seconds, where the service wants it shorter. */
	maxPollInterval?: number;
}

/** One job that exists at the service. */
export interface Job {
	kind: JobKind;
	id: string;
	/** Its reading from before it was set going again: what was there then is no result. */
	before?: IDataObject;
}

/** How items and errors name a job. */
export const toJobReference = ({ kind: job, id }: Job): IDataObject => ({ kind: job.name, id });

/** How sentences and n8n's log name a job. */
export const describeJob = ({ kind: job, id }: Job) => `${job.name} ${id}`;

/** The kind in sentences. */
export const describeKind = ({ name: kind }: JobKind) => kind.replace(/_/g, ' ');

export type JobState = 'completed' | 'failed' | 'resting' | 'pending';

/** Words that mean the same for every kind, beside those of the kind itself. */
const statusWords = {
	completed: ['completed', 'complete', 'success', 'succeeded', 'done', 'finished'],
	failed: ['failed', 'fail', 'error', 'cancelled', 'canceled'],
	/** docs/service.md, States. */
	pending: [
		'pending',
		'waiting',
		'queued',
		'processing',
		'running',
		'rendering',
		'generating',
		'thinking',
		'reviewing',
		'waiting_for_input',
		'loading',
		'streaming',
		'pending_consent',
		'pending_upload',
	],
} as const;

/** The status word of a reading in lower case; nothing where there is none. */
const readStatusWord = (data: IDataObject) => readText(data.status)?.toLowerCase();

const includesWord = (list: readonly string[] | undefined, word: string | undefined) =>
	word !== undefined && (list ?? []).some((one) => one.toLowerCase() === word);

/** Whether the status is a word that this package knows to mean something for the kind. */
export function isKnownStatus(job: JobKind, data: IDataObject): boolean {
	const word = readStatusWord(data);
	const own = [job.completed, job.failed, job.resting];
	return [...own, ...Object.values(statusWords)].some((list) => includesWord(list, word));
}

/** Unix seconds; 0 where it tells none. */
const readCreatedAt = ({ created_at }: IDataObject) =>
	typeof created_at === 'number' ? created_at : 0;

/** The newest message of type `error`; the first one, where no times tell (docs/service.md, Resources). */
function findErrorMessageInChat({ messages }: IDataObject) {
	const errors = readObjects(messages).filter(({ type }) => type === 'error');
	const [newest] = errors.sort((a, b) => readCreatedAt(b) - readCreatedAt(a));
	return readText(newest?.content);
}

/** What the reading says about a failure, under the keys that differ by kind of job. */
export function readFailure(data: IDataObject): { code?: string; reason?: string } {
	const error = readObject(data.error);
	return {
		code: readText(error.code) ?? readText(data.failure_code),
		reason:
			readText(error.message) ??
			readText(data.failure_message) ??
			readText(data.failure_reason) ??
			readText(data.error_message) ??
			readText(data.error),
	};
}

/** Stands for the code of a failure of which the service gave none. */
export const unknownCode = 'unknown';

/** The reason of a failure, or that there is none. */
export function describeFailure(data: IDataObject): { code: string; reason: string } {
	const { code = unknownCode, reason } = readFailure(data);
	return { code, reason: reason ?? findErrorMessageInChat(data) ?? 'The service gave no reason' };
}

/** Whether all items of a batch have ended, by its counts. */
function haveAllItemsEnded({ counts_by_status: counts, total_items: total }: IDataObject): boolean {
	if (!isObject(counts) || typeof total !== 'number' || total <= 0) return false;
	const ended = Object.entries(counts)
		.filter(([status]) => ['completed', 'failed'].includes(status.toLowerCase()))
		.reduce((sum, [, count]) => sum + Number(count), 0);
	return ended >= total;
}

/**
 * What a reading says about its job. Words of the kind decide first, then words that mean the same
 * everywhere, then evidence: a failure, items that have all ended, an address of the result, full
 * progress. What neither says stays pending, because the service may add states.
 */
export function readState(job: JobKind, data: IDataObject): JobState {
	const word = readStatusWord(data);
	if (includesWord(job.failed, word)) return 'failed';
	if (includesWord(job.resting, word)) return 'resting';
	if (includesWord(job.completed, word)) return 'completed';
	if (includesWord(statusWords.completed, word)) return 'completed';
	if (includesWord(statusWords.failed, word)) return 'failed';
	const { code, reason } = readFailure(data);
	if (code !== undefined || reason !== undefined) return 'failed';
	if (includesWord(statusWords.pending, word)) return 'pending';
	if (haveAllItemsEnded(data)) return 'completed';
	if ((job.resultUrls ?? []).some((key) => readText(data[key]) !== undefined)) return 'completed';
	return Number(data.progress) >= 100 ? 'completed' : 'pending';
}

const positiveNumber = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0);

/** How many of its parts have ended: items of a batch, or nodes of a workflow run. */
function countEndedParts({ counts_by_status: counts, progress }: IDataObject): number {
	const byStatus = isObject(counts) ? counts : readObject(progress);
	const ended = ['completed', 'succeeded', 'failed', 'skipped', 'canceled'];
	return ended.reduce((sum, status) => sum + positiveNumber(byStatus[status]), 0);
}

/**
 * How far a job is by its own account, from 0 to 1: its progress in percent, or the parts of it that
 * have ended. Nothing where it tells none, or has not begun.
 */
export function readProgress(data: IDataObject): number | undefined {
	const parts = positiveNumber(data.total_items) || positiveNumber(readObject(data.progress).total);
	const share = parts > 0 ? countEndedParts(data) / parts : positiveNumber(data.progress) / 100;
	return share > 0 && share < 1 ? share : undefined;
}

/** What moves when a job is set going again. */
const snapshotChanges = ({ status, messages }: IDataObject, result: unknown) =>
	JSON.stringify([status, result, readObjects(messages).length, readObjects(messages)[0]]);

/** Whether a job that was set going again still shows what it showed before. */
export function isUnchanged({ kind: job, before }: Job, data: IDataObject): boolean {
	if (before === undefined) return false;
	const key = job.next?.job.id ?? '';
	return snapshotChanges(before, before[key]) === snapshotChanges(data, data[key]);
}

/** The reading without the result that was there before. */
export function removeOldResult({ kind: job, before }: Job, data: IDataObject): IDataObject {
	const key = job.next?.job.id;
	if (key === undefined || before?.[key] === undefined || before[key] !== data[key]) return data;
	return { ...data, [key]: null };
}

/** The reading beside what is to be found in it at once. */
export const addExtracts = ({ extract: digest }: JobKind, data: IDataObject): IDataObject =>
	digest ? { ...data, ...digest(data) } : data;

/** The reading with the result of what it has led to; the addresses of that are its own, too. */
export function addNextResult(
	{ next: then }: JobKind,
	data: IDataObject,
	result: IDataObject,
): IDataObject {
	if (!then) return data;
	const addresses = (then.job.resultUrls ?? []).flatMap((key) => {
		const address = readText(result[key]);
		return address === undefined ? [] : [[key, address]];
	});
	return { ...data, ...Object.fromEntries(addresses), [then.name]: result };
}

/** Codes, and parts of codes, of failures that come again however often it is tried. */
const permanentCodes =
	/polic|moderat|artifact_unavailable|consent|invalid|unsupported|not_supported|not_usable|not_cloneable|not_allowed|denied|forbidden|restricted|expired|not_found|too_(short|long|large)|project_|image_processing|voice_training/i;

/** Words of the same in a reason that comes without a code. */
const permanentWords = /polic|moderat|violat|consent|not allowed|inappropriate/i;

/** Whether a failure may pass, so that the same request may succeed later. */
export function isTransientFailure(
	{ code, reason }: { code: string; reason: string },
	data: IDataObject,
) {
	if (/^cancell?ed$|^deleted$/i.test(String(data.status))) return false;
	return code === unknownCode ? !permanentWords.test(reason) : !permanentCodes.test(code);
}
