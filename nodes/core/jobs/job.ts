/** Kinds of job, and what a reading of one says about it. Pure. */
import type { IDataObject } from 'n8n-workflow';
import { isObject, objectOf, objectsOf, textOf } from '../json';

/** A kind of job: where it is read and which states end it. */
export interface Job {
	/** Name of the kind, put on items as `job.kind`. */
	kind: string;
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
	results?: readonly string[];
	/** A job that this one leads to, found in its final state; its result goes under `name`. */
	then?: { name: string; job: Job };
	/** What a reading says somewhere in its depth, under names of its own beside it. */
	digest?: (reading: IDataObject) => IDataObject;
	/** How long one takes, as a sentence for the form; an order of magnitude. */
	takes?: string;
	/** What tells its end, where no event is known to (docs/service.md, Events and deliveries). */
	toldBy?: 'callback' | 'nothing';
	/** Request line of the lookup of many, and the name of its ids in the query. */
	statuses?: { line: string; query: string };
	/** Seconds before the first look that may find it finished, where that is not 5. */
	firstPause?: number;
	/** The longest pause between two looks, in seconds, where the service wants it shorter. */
	longestPause?: number;
}

/** One job that exists at the service. */
export interface StartedJob {
	job: Job;
	id: string;
	/** Its reading from before it was set going again: what was there then is no result. */
	before?: IDataObject;
}

/** How items and errors name a job. */
export const jobRef = ({ job, id }: StartedJob): IDataObject => ({ kind: job.kind, id });

/** How sentences and n8n's log name a job. */
export const jobName = ({ job, id }: StartedJob) => `${job.kind} ${id}`;

/** The kind in sentences. */
export const kindName = ({ kind }: Job) => kind.replace(/_/g, ' ');

export type State = 'completed' | 'failed' | 'resting' | 'pending';

/** Words that mean the same for every kind, beside those of the kind itself. */
const words = {
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
const wordOf = (data: IDataObject) => textOf(data.status)?.toLowerCase();

const holds = (list: readonly string[] | undefined, word: string | undefined) =>
	word !== undefined && (list ?? []).some((one) => one.toLowerCase() === word);

/** Whether the status is a word that this package knows to mean something for the kind. */
export function isKnownStatus(job: Job, data: IDataObject): boolean {
	const word = wordOf(data);
	const own = [job.completed, job.failed, job.resting];
	return [...own, ...Object.values(words)].some((list) => holds(list, word));
}

/** Unix seconds; 0 where it tells none. */
const timeOf = ({ created_at }: IDataObject) => (typeof created_at === 'number' ? created_at : 0);

/** The newest message of type `error`; the first one, where no times tell (docs/service.md, Resources). */
function messageOfError({ messages }: IDataObject) {
	const errors = objectsOf(messages).filter(({ type }) => type === 'error');
	const [newest] = errors.sort((a, b) => timeOf(b) - timeOf(a));
	return textOf(newest?.content);
}

/** What the reading says about a failure, under the keys that differ by kind of job. */
export function failureFacts(data: IDataObject): { code?: string; reason?: string } {
	const error = objectOf(data.error);
	return {
		code: textOf(error.code) ?? textOf(data.failure_code),
		reason:
			textOf(error.message) ??
			textOf(data.failure_message) ??
			textOf(data.failure_reason) ??
			textOf(data.error_message) ??
			textOf(data.error),
	};
}

/** Stands for the code of a failure of which the service gave none. */
export const unknownCode = 'unknown';

/** The reason of a failure, or that there is none. */
export function failureOf(data: IDataObject): { code: string; reason: string } {
	const { code = unknownCode, reason } = failureFacts(data);
	return { code, reason: reason ?? messageOfError(data) ?? 'The service gave no reason' };
}

/** Whether all items of a batch have ended, by its counts. */
function allEnded({ counts_by_status: counts, total_items: total }: IDataObject): boolean {
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
export function stateOf(job: Job, data: IDataObject): State {
	const word = wordOf(data);
	if (holds(job.failed, word)) return 'failed';
	if (holds(job.resting, word)) return 'resting';
	if (holds(job.completed, word)) return 'completed';
	if (holds(words.completed, word)) return 'completed';
	if (holds(words.failed, word)) return 'failed';
	const { code, reason } = failureFacts(data);
	if (code !== undefined || reason !== undefined) return 'failed';
	if (holds(words.pending, word)) return 'pending';
	if (allEnded(data)) return 'completed';
	if ((job.results ?? []).some((key) => textOf(data[key]) !== undefined)) return 'completed';
	return Number(data.progress) >= 100 ? 'completed' : 'pending';
}

const numberOf = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0);

/** How many of its parts have ended: items of a batch, or nodes of a workflow run. */
function endedParts({ counts_by_status: counts, progress }: IDataObject): number {
	const byStatus = isObject(counts) ? counts : objectOf(progress);
	const ended = ['completed', 'succeeded', 'failed', 'skipped', 'canceled'];
	return ended.reduce((sum, status) => sum + numberOf(byStatus[status]), 0);
}

/**
 * How far a job is by its own account, from 0 to 1: its progress in percent, or the parts of it that
 * have ended. Nothing where it tells none, or has not begun.
 */
export function progressOf(data: IDataObject): number | undefined {
	const parts = numberOf(data.total_items) || numberOf(objectOf(data.progress).total);
	const share = parts > 0 ? endedParts(data) / parts : numberOf(data.progress) / 100;
	return share > 0 && share < 1 ? share : undefined;
}

/** What moves when a job is set going again. */
const movingParts = ({ status, messages }: IDataObject, result: unknown) =>
	JSON.stringify([status, result, objectsOf(messages).length, objectsOf(messages)[0]]);

/** Whether a job that was set going again still shows what it showed before. */
export function isUnmoved({ job, before }: StartedJob, data: IDataObject): boolean {
	if (before === undefined) return false;
	const key = job.then?.job.id ?? '';
	return movingParts(before, before[key]) === movingParts(data, data[key]);
}

/** The reading without the result that was there before. */
export function withoutOldResult({ job, before }: StartedJob, data: IDataObject): IDataObject {
	const key = job.then?.job.id;
	if (key === undefined || before?.[key] === undefined || before[key] !== data[key]) return data;
	return { ...data, [key]: null };
}

/** The reading beside what is to be found in it at once. */
export const digested = ({ digest }: Job, data: IDataObject): IDataObject =>
	digest ? { ...data, ...digest(data) } : data;

/** The reading with the result of what it has led to; the addresses of that are its own, too. */
export function withNext({ then }: Job, data: IDataObject, result: IDataObject): IDataObject {
	if (!then) return data;
	const addresses = (then.job.results ?? []).flatMap((key) => {
		const address = textOf(result[key]);
		return address === undefined ? [] : [[key, address]];
	});
	return { ...data, ...Object.fromEntries(addresses), [then.name]: result };
}

/** Codes, and parts of codes, of failures that come again however often it is tried. */
const lasting =
	/polic|moderat|artifact_unavailable|consent|invalid|unsupported|not_supported|not_usable|not_cloneable|not_allowed|denied|forbidden|restricted|expired|not_found|too_(short|long|large)|project_|image_processing|voice_training/i;

/** Words of the same in a reason that comes without a code. */
const lastingWords = /polic|moderat|violat|consent|not allowed|inappropriate/i;

/** Whether a failure may pass, so that the same request may succeed later. */
export function mayPass({ code, reason }: { code: string; reason: string }, data: IDataObject) {
	if (/^cancell?ed$|^deleted$/i.test(String(data.status))) return false;
	return code === unknownCode ? !lastingWords.test(reason) : !lasting.test(code);
}
