/**
 * Interprets status responses: whether a job has completed, failed, rests or is pending. Pure
 * functions.
 */
import type { IDataObject } from 'n8n-workflow';
import { isObject, readObject, readObjects, readText } from '../json';
import type { FailedOutcome, Job, JobKind, JobState, SuccessfulOutcome } from './types';

/**
 * Status words with the same meaning for every kind of job, in addition to those of the kind
 * itself.
 */
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

/** Returns the status word of a response in lower case, or undefined if it has none. */
const readStatusWord = (data: IDataObject) => readText(data.status)?.toLowerCase();

const includesWord = (list: readonly string[] | undefined, word: string | undefined) =>
	word !== undefined && (list ?? []).some((one) => one.toLowerCase() === word);

/** Whether this package knows the status word of a response. */
export function isKnownStatus(kind: JobKind, data: IDataObject): boolean {
	const word = readStatusWord(data);
	const ofKind = [kind.completed, kind.failed, kind.resting];
	return [...ofKind, ...Object.values(statusWords)].some((list) => includesWord(list, word));
}

/** Returns the Unix time of a chat message in seconds, or 0 if it has none. */
const readCreatedAt = ({ created_at }: IDataObject) =>
	typeof created_at === 'number' ? created_at : 0;

/**
 * Returns the latest error message of a chat, or the first one if they have no timestamps
 * (docs/service.md, Resources).
 */
function findErrorMessageInChat({ messages }: IDataObject) {
	const errors = readObjects(messages).filter(({ type }) => type === 'error');
	const [newest] = errors.sort((a, b) => readCreatedAt(b) - readCreatedAt(a));
	return readText(newest?.content);
}

/** Returns the code and the reason for a failure. Their keys differ between kinds of job. */
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

/** Code of a failure for which the service sent none. */
export const unknownCode = 'unknown';

/** Returns the code and the reason for a failure, or defaults if the service sent none. */
export function describeFailure(data: IDataObject): { code: string; reason: string } {
	const { code = unknownCode, reason } = readFailure(data);
	return { code, reason: reason ?? findErrorMessageInChat(data) ?? 'The service gave no reason' };
}

/** Whether all items of a batch have ended, according to its counts. */
function haveAllItemsEnded({ counts_by_status: counts, total_items: total }: IDataObject): boolean {
	if (!isObject(counts) || typeof total !== 'number' || total <= 0) return false;
	const ended = Object.entries(counts)
		.filter(([status]) => ['completed', 'failed'].includes(status.toLowerCase()))
		.reduce((sum, [, count]) => sum + Number(count), 0);
	return ended >= total;
}

/**
 * Returns the state that a status response shows: the one place that decides whether a job failed.
 *
 * The status words of the kind (jobs/catalog.ts) take precedence, because a few kinds use a common
 * word differently: a batch with the status `failed` is completed, since each of its items has an
 * outcome of its own. The words with the same meaning for every kind come next, then an error in the
 * response, even next to a pending word. Other evidence of the end is a batch whose items have all
 * ended, the URL of the result, or full progress. Everything else is pending, because the service
 * may add status words.
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

/** Returns the outcome of a job from its status response, or undefined while the job is pending. */
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

/** Counts the parts of a job that have ended: items of a batch, or nodes of a workflow run. */
function countEndedParts({ counts_by_status: counts, progress }: IDataObject): number {
	const byStatus = isObject(counts) ? counts : readObject(progress);
	const ended = ['completed', 'succeeded', 'failed', 'skipped', 'canceled'];
	return ended.reduce((sum, status) => sum + toPositiveNumber(byStatus[status]), 0);
}

/**
 * Returns the progress of a job from 0 to 1: its percentage, or the share of its parts that have
 * ended. Undefined if the response shows no progress.
 */
export function readProgress(data: IDataObject): number | undefined {
	const parts =
		toPositiveNumber(data.total_items) || toPositiveNumber(readObject(data.progress).total);
	const share = parts > 0 ? countEndedParts(data) / parts : toPositiveNumber(data.progress) / 100;
	return share > 0 && share < 1 ? share : undefined;
}

/** Serializes the values that change when a job is continued, for comparison. */
const snapshotChanges = ({ status, messages }: IDataObject, result: unknown) =>
	JSON.stringify([status, result, readObjects(messages).length, readObjects(messages)[0]]);

/** Whether a job that was continued still reports the same values as before, so its status is stale. */
export function isUnchangedSinceContinued({ kind, before }: Job, data: IDataObject): boolean {
	if (before === undefined) return false;
	const key = kind.next?.job.id ?? '';
	return snapshotChanges(before, before[key]) === snapshotChanges(data, data[key]);
}

/** Returns the response without the result that the job had before it was continued. */
export function removeOldResult({ kind, before }: Job, data: IDataObject): IDataObject {
	const key = kind.next?.job.id;
	if (key === undefined || before?.[key] === undefined || before[key] !== data[key]) return data;
	return { ...data, [key]: null };
}

/**
 * Returns the job that follows a completed one, such as the video of a session, or undefined if
 * there is none.
 */
export function findFollowUpJob({ kind: { next } }: Job, data: IDataObject): Job | undefined {
	const id = next && readText(data[next.job.id]);
	return next && id !== undefined ? { kind: next.job, id } : undefined;
}

/**
 * Adds the result of the job that followed to the outcome of a job. URLs of that result also become
 * top-level values.
 */
export function addFollowUpResult(
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

/** Failure codes, or parts of codes, that recur with every attempt. */
const permanentCodes =
	/polic|moderat|artifact_unavailable|consent|invalid|unsupported|not_supported|not_usable|not_cloneable|not_allowed|denied|forbidden|restricted|expired|not_found|too_(short|long|large)|project_|image_processing|voice_training/i;

/** Words in the reason of a failure that recurs with every attempt, if it has no code. */
const permanentReasons = /polic|moderat|violat|consent|not allowed|inappropriate/i;

/** Whether the same request may succeed later. */
export function isTransientFailure(
	{ code, reason }: { code: string; reason: string },
	data: IDataObject,
) {
	if (/^cancell?ed$|^deleted$/i.test(String(data.status))) return false;
	return code === unknownCode ? !permanentReasons.test(reason) : !permanentCodes.test(code);
}
