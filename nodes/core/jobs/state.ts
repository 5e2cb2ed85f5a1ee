/** What a status response means: completed, failed, resting or pending. Pure. */
import type { IDataObject } from 'n8n-workflow';
import { isObject, readObject, readObjects, readText } from '../json';
import type { FailedOutcome, Job, JobKind, JobState, SuccessfulOutcome } from './types';

/** Status words with one meaning for every kind of job, in addition to those of the kind itself. */
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

/** The status word of a response in lower case; undefined if it has none. */
const readStatusWord = (data: IDataObject) => readText(data.status)?.toLowerCase();

const includesWord = (list: readonly string[] | undefined, word: string | undefined) =>
	word !== undefined && (list ?? []).some((one) => one.toLowerCase() === word);

/** Whether this package knows what the status word of a response means. */
export function isKnownStatus(kind: JobKind, data: IDataObject): boolean {
	const word = readStatusWord(data);
	const ofKind = [kind.completed, kind.failed, kind.resting];
	return [...ofKind, ...Object.values(statusWords)].some((list) => includesWord(list, word));
}

/** Unix seconds of a chat message; 0 if it has no time. */
const readCreatedAt = ({ created_at }: IDataObject) =>
	typeof created_at === 'number' ? created_at : 0;

/** The newest error message of a chat; the first one if they have no times (docs/service.md, Resources). */
function findErrorMessageInChat({ messages }: IDataObject) {
	const errors = readObjects(messages).filter(({ type }) => type === 'error');
	const [newest] = errors.sort((a, b) => readCreatedAt(b) - readCreatedAt(a));
	return readText(newest?.content);
}

/** Code and reason of a failure. Each kind of job has other keys for them. */
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

/** The code of a failure for which the service sent none. */
export const unknownCode = 'unknown';

/** Code and reason of a failure, with a sentence for the user if the service sent no reason. */
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
 * The state of a job by its status response. The words of the kind decide first, then the words
 * that mean the same for every kind, then evidence: a failure, a batch whose items have all ended,
 * the URL of the result, full progress. Everything else is pending, because the service may add
 * status words.
 */
export function readState(kind: JobKind, data: IDataObject): JobState {
	const word = readStatusWord(data);
	if (includesWord(kind.failed, word)) return 'failed';
	if (includesWord(kind.resting, word)) return 'resting';
	if (includesWord(kind.completed, word)) return 'completed';
	if (includesWord(statusWords.completed, word)) return 'completed';
	if (includesWord(statusWords.failed, word)) return 'failed';
	const { code, reason } = readFailure(data);
	if (code !== undefined || reason !== undefined) return 'failed';
	if (includesWord(statusWords.pending, word)) return 'pending';
	if (haveAllItemsEnded(data)) return 'completed';
	if ((kind.resultUrls ?? []).some((key) => readText(data[key]) !== undefined)) return 'completed';
	return Number(data.progress) >= 100 ? 'completed' : 'pending';
}

/** How a job ended by its status response; undefined while it is pending. */
export function readOutcome(
	job: Job,
	response: IDataObject,
	removeSecrets: (text: string) => string,
): SuccessfulOutcome | FailedOutcome | undefined {
	const state = readState(job.kind, response);
	if (state === 'pending') return undefined;
	const data = removeOldResult(job, response);
	if (state !== 'failed') {
		return { outcome: state, job, data: { ...data, ...job.kind.extract?.(data) } };
	}
	const { code, reason } = describeFailure(data);
	return { outcome: 'failed', job, data, code: removeSecrets(code), reason: removeSecrets(reason) };
}

const toPositiveNumber = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0);

/** Number of parts of a job that have ended: items of a batch, or nodes of a workflow run. */
function countEndedParts({ counts_by_status: counts, progress }: IDataObject): number {
	const byStatus = isObject(counts) ? counts : readObject(progress);
	const ended = ['completed', 'succeeded', 'failed', 'skipped', 'canceled'];
	return ended.reduce((sum, status) => sum + toPositiveNumber(byStatus[status]), 0);
}

/**
 * Progress of a job from 0 to 1: its percentage, or the share of its parts that have ended.
 * Undefined if the response shows no progress yet.
 */
export function readProgress(data: IDataObject): number | undefined {
	const parts =
		toPositiveNumber(data.total_items) || toPositiveNumber(readObject(data.progress).total);
	const share = parts > 0 ? countEndedParts(data) / parts : toPositiveNumber(data.progress) / 100;
	return share > 0 && share < 1 ? share : undefined;
}

/** The values that change when a job is continued, as text to compare. */
const snapshotChanges = ({ status, messages }: IDataObject, result: unknown) =>
	JSON.stringify([status, result, readObjects(messages).length, readObjects(messages)[0]]);

/** Whether a job that was continued still shows what it showed before. */
export function isUnchanged({ kind, before }: Job, data: IDataObject): boolean {
	if (before === undefined) return false;
	const key = kind.next?.job.id ?? '';
	return snapshotChanges(before, before[key]) === snapshotChanges(data, data[key]);
}

/** The response without the result that the job had before it was continued. */
export function removeOldResult({ kind, before }: Job, data: IDataObject): IDataObject {
	const key = kind.next?.job.id;
	if (key === undefined || before?.[key] === undefined || before[key] !== data[key]) return data;
	return { ...data, [key]: null };
}

/** The job that follows a completed one, such as the video of a session; undefined if none does. */
export function findNextJob({ kind: { next } }: Job, data: IDataObject): Job | undefined {
	const id = next && readText(data[next.job.id]);
	return next && id !== undefined ? { kind: next.job, id } : undefined;
}

/** The outcome of a job with the result of the job that followed, whose URLs are its own, too. */
export function addNextResult(
	{ job, data }: SuccessfulOutcome,
	next: SuccessfulOutcome,
): SuccessfulOutcome {
	const { name, job: kind } = job.kind.next ?? { name: next.job.kind.name, job: next.job.kind };
	const urls = (kind.resultUrls ?? []).flatMap((key) => {
		const url = readText(next.data[key]);
		return url === undefined ? [] : [[key, url]];
	});
	const { outcome, result } = next;
	return {
		outcome,
		job,
		data: { ...data, ...Object.fromEntries(urls), [name]: next.data },
		result,
	};
}

/** Codes, and parts of codes, of failures that happen again with every attempt. */
const permanentCodes =
	/polic|moderat|artifact_unavailable|consent|invalid|unsupported|not_supported|not_usable|not_cloneable|not_allowed|denied|forbidden|restricted|expired|not_found|too_(short|long|large)|project_|image_processing|voice_training/i;

/** Words of such failures in a reason that comes without a code. */
const permanentReasons = /polic|moderat|violat|consent|not allowed|inappropriate/i;

/** Whether the same request may succeed later. */
export function isTransientFailure(
	{ code, reason }: { code: string; reason: string },
	data: IDataObject,
) {
	if (/^cancell?ed$|^deleted$/i.test(String(data.status))) return false;
	return code === unknownCode ? !permanentReasons.test(reason) : !permanentCodes.test(code);
}
