/** Decides from status responses whether a job has completed or failed, or waits for the user. */
import type { IDataObject } from 'n8n-workflow';
import { createDigest } from '../digest';
import {
	insertAfterKey,
	isObject,
	readId,
	readObject,
	readObjects,
	readText,
	toNumber,
	toText,
} from '../json';
import {
	describeJobKind,
	type FailedOutcome,
	type Job,
	type JobKind,
	type JobSnapshot,
	type JobState,
	type SuccessfulOutcome,
} from './types';

/** Statuses that mean the same for all kinds of jobs. A kind can define additional ones. */
const statusWords = {
	completed: ['completed', 'complete', 'success', 'succeeded', 'done', 'finished'],
	failed: ['failed', 'fail', 'error', 'cancelled', 'canceled'],
	/** Statuses of a job that is still pending (service.md, States). */
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
		'pending_consent',
		'pending_upload',
	],
} as const;

/**
 * Matches statuses that mean success for kinds of jobs without a result URL. For other kinds, only
 * the URL proves that there is a result.
 */
const readyPattern = /^(ready|available|published|completed_with_.*)$/;

/** Matches additional statuses of failed jobs, such as `rejected` or `timed_out`. */
const failurePattern = /fail|error|reject|expire|abort|cancel|timed?[ _-]?out|block|terminat|delet/;

const readStatusWord = (data: IDataObject) => readText(data.status)?.trim().toLowerCase();

const includesWord = (list: readonly string[] | undefined, word: string | undefined) =>
	word !== undefined && (list ?? []).some((one) => one.toLowerCase() === word);

export function hasKnownStatus(kind: JobKind, data: IDataObject): boolean {
	const word = readStatusWord(data);
	const ofKind = [kind.completed, kind.failed, kind.resting, kind.pending];
	return [...ofKind, ...Object.values(statusWords)].some((list) => includesWord(list, word));
}

/** Returns a chat session's messages, newest first. Without times, keeps the original order. */
function sortMessages({ messages }: IDataObject): IDataObject[] {
	const time = ({ created_at }: IDataObject) => (typeof created_at === 'number' ? created_at : 0);
	return readObjects(messages).sort((a, b) => time(b) - time(a));
}

/**
 * Returns why a chat session failed: the newest error message or, if the last message is the
 * agent's, its text (service.md, Outcomes).
 */
function findReasonInChat(session: IDataObject): string | undefined {
	const messages = sortMessages(session);
	const error = readText(messages.find(({ type }) => type === 'error')?.content);
	const [newest] = messages;
	const last = newest?.role === 'user' ? undefined : readText(newest?.content);
	return error ?? (last && `The service gave no reason. The last message is: "${last}"`);
}

/** Values of an error field that indicate no error. */
const noFailure = ['', '0', 'none', 'ok', 'null', 'success'];

function readFailureText(value: unknown): string | undefined {
	const text = readText(value)?.trim();
	return text === undefined || noFailure.includes(text.toLowerCase()) ? undefined : text;
}

/** Returns a failed job's error code and reason, whose keys depend on the kind of job. */
export function readFailureCodeAndReason(data: IDataObject): { code?: string; reason?: string } {
	const error = readObject(data.error);
	return {
		code: readFailureText(error.code) ?? readFailureText(data.failure_code),
		reason:
			readFailureText(error.message) ??
			readFailureText(data.failure_message) ??
			readFailureText(data.failure_reason) ??
			readFailureText(data.error_message) ??
			readFailureText(data.error),
	};
}

/** Error code for failed jobs if the service returned no code. */
export const unknownFailureCode = 'unknown';

/**
 * Returns why a job failed, with defaults for missing values.
 *
 * @param next status response of the job's follow-up job, whose reason takes precedence
 */
export function readFailureWithDefaults(
	data: IDataObject,
	next: IDataObject = {},
): { code: string; reason: string } {
	const [first, second] = [readFailureCodeAndReason(next), readFailureCodeAndReason(data)];
	return {
		code: first.code ?? second.code ?? unknownFailureCode,
		reason: first.reason ?? second.reason ?? findReasonInChat(data) ?? 'The service gave no reason',
	};
}

/** Whether all rows of a batch have ended, according to the counts in its status response. */
function haveAllItemsEnded({ counts_by_status: counts, total_items: total }: IDataObject): boolean {
	if (!isObject(counts) || typeof total !== 'number' || total <= 0) return false;
	const ended = Object.entries(counts)
		.filter(([status]) => ['completed', 'failed'].includes(status.toLowerCase()))
		.reduce((sum, [, count]) => sum + toNumber(count), 0);
	return ended >= total;
}

/**
 * Returns a job's state as the service reports it. A failed job is `failed` even if it has left a
 * usable result.
 */
function readState(kind: JobKind, data: IDataObject): JobState {
	const word = readStatusWord(data);
	const { resultUrls = [], parts, rows } = kind;
	const hasResultUrl = resultUrls.some((key) => readText(data[key]) !== undefined);
	// The status of a batch may lag behind its rows (service.md, G7).
	if (rows && haveAllItemsEnded(data)) return 'completed';
	// A kind's own statuses come first: a `failed` batch has ended, but its rows may have succeeded.
	if (includesWord(kind.failed, word)) return 'failed';
	if (includesWord(kind.resting, word)) return 'resting';
	if (includesWord(kind.completed, word)) return 'completed';
	if (includesWord(kind.pending, word)) return hasResultUrl ? 'completed' : 'pending';
	// A job that is still `processing` has not failed, even if the response contains an error.
	if (includesWord(statusWords.completed, word)) return 'completed';
	if (includesWord(statusWords.failed, word)) return 'failed';
	if (includesWord(statusWords.pending, word)) return 'pending';
	const isReady = word !== undefined && readyPattern.test(word);
	if (isReady && resultUrls.length === 0 && !rows) return 'completed';
	if (!isReady && word !== undefined && failurePattern.test(word)) return 'failed';
	const { code, reason } = readFailureCodeAndReason(data);
	if (code !== undefined || reason !== undefined) return 'failed';
	if (haveAllItemsEnded(data)) return 'completed';
	if (hasResultUrl) return 'completed';
	if (resultUrls.length === 0 && data.completed_at) return 'completed';
	const hasParts = parts !== undefined && readObjects(data[parts]).length > 0;
	return hasParts && toNumber(data.progress) >= 100 ? 'completed' : 'pending';
}

/**
 * Returns the state of a job according to its own status response (service.md, States). A mistake
 * is expensive: a job that wrongly counts as failed may be created and paid for again. An unknown
 * status therefore counts as pending unless something else shows that the job has ended.
 */
export function decideJobState(kind: JobKind, data: IDataObject): JobState {
	const state = readState(kind, data);
	return state === 'failed' && kind.describeUsable?.(data) !== undefined ? 'completed' : state;
}

/** Returns a warning that says what is missing if a job failed but left a usable result. */
function describePartialResult(kind: JobKind, data: IDataObject): string | undefined {
	const usable = kind.describeUsable?.(data);
	if (usable === undefined || readState(kind, data) !== 'failed') return undefined;
	const { reason } = readFailureCodeAndReason(data);
	const cause = reason === undefined ? '' : ` (${reason})`;
	return `The ${describeJobKind(kind)} ended with the status "${toText(data.status)}"${cause}, but ${usable}`;
}

export interface JobEvidence {
	/** Status response of the job itself. A chat session's response contains its messages. */
	response: IDataObject;
	/** Status response of the follow-up job. Undefined if there is none or it cannot be read. */
	next?: IDataObject;
}

/**
 * Decides the outcome of a job from the status responses of the job and of its follow-up job
 * (service.md, Outcomes). Returns undefined if the job is still pending. No other code decides
 * this: a callback or an event only causes a status request.
 */
export function resolveOutcome(
	job: Job,
	{ response, next }: JobEvidence,
	removeSecrets: (text: string) => string,
): SuccessfulOutcome | FailedOutcome | undefined {
	const { kind } = job;
	const data = removeOldResult(job, response);
	const own = decideJobState(kind, data);
	const followUp = findFollowUpJob(job, response);
	const nextState = followUp && (next ? decideJobState(followUp.kind, next) : 'pending');
	// A job that has failed does not wait for its follow-up job.
	const isOwn = own === 'failed' && nextState === 'pending';
	const state = isOwn ? own : (nextState ?? own);
	if (state === 'pending') return undefined;
	if (state === 'failed') {
		const { code, reason } = readFailureWithDefaults(data, followUp && next);
		const failed = { code: removeSecrets(code), reason: removeSecrets(reason) };
		if (own !== 'failed' && followUp && next) {
			return { outcome: 'failed', job: followUp, data: next, parent: data, ...failed };
		}
		const running = next && nextState === 'pending' ? { running: followUp } : {};
		return { outcome: 'failed', job, data, ...failed, ...running };
	}
	const warning = describePartialResult(kind, data);
	const full: IDataObject = {
		...data,
		...kind.extract?.(data),
		...(warning !== undefined && { warning: removeSecrets(warning) }),
	};
	const outcome = { outcome: state, job, data: full };
	if (!followUp || !next) return outcome;
	// The status of a session may lag behind its video.
	if (own !== state) full.status = next.status;
	const result = { ...followUp, data: next };
	return addFollowUpJobResult(outcome, { outcome: state, job: followUp, data: next, result });
}

const toPositiveNumber = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0);

/** Counts the rows of a batch, or the nodes of a workflow run, that have ended. */
function countEndedParts({ counts_by_status: counts, progress }: IDataObject): number {
	const byStatus = isObject(counts) ? counts : readObject(progress);
	const ended = ['completed', 'succeeded', 'failed', 'skipped', 'canceled'];
	return ended.reduce((sum, status) => sum + toPositiveNumber(byStatus[status]), 0);
}

/** Returns a job's progress, between 0 and 1. Undefined if its status response shows none. */
export function readProgressFraction(data: IDataObject): number | undefined {
	const parts =
		toPositiveNumber(data.total_items) || toPositiveNumber(readObject(data.progress).total);
	const share = parts > 0 ? countEndedParts(data) / parts : toPositiveNumber(data.progress) / 100;
	return share > 0 && share < 1 ? share : undefined;
}

const readFollowUpId = ({ next }: JobKind, data: IDataObject) => next && readId(data[next.job.id]);

export function createJobSnapshot(kind: JobKind, data: IDataObject): JobSnapshot {
	// The user's message may be listed before the service has reacted to it.
	const messages = readObjects(data.messages).filter(({ role }) => role !== 'user');
	const followUpId = readFollowUpId(kind, data);
	const changing = [data.status, followUpId, messages.length, messages[0]];
	return {
		digest: createDigest(JSON.stringify(changing)),
		...(followUpId !== undefined && { follow_up_id: followUpId }),
	};
}

/** Whether a job's status has not changed since the user continued the job. */
export const isStatusBeforeContinuation = ({ kind, before }: Job, data: IDataObject): boolean =>
	before !== undefined && before.digest === createJobSnapshot(kind, data).digest;

/** Removes a follow-up job from a response if it existed before the user continued the job. */
export function removeOldResult({ kind, before }: Job, data: IDataObject): IDataObject {
	const oldId = before?.follow_up_id;
	if (!kind.next || oldId === undefined || oldId !== readFollowUpId(kind, data)) return data;
	return { ...data, [kind.next.job.id]: null };
}

/**
 * Returns the follow-up job that a status response refers to, such as a session's video. Undefined
 * if there is none, or if the ID may still be that of an earlier follow-up job.
 */
export function findFollowUpJob(job: Job, response: IDataObject): Job | undefined {
	const { kind } = job;
	const id = readFollowUpId(kind, removeOldResult(job, response));
	if (!kind.next || id === undefined || decideJobState(kind, response) === 'resting')
		return undefined;
	if (includesWord(kind.next.notWhile, readStatusWord(response))) return undefined;
	return { kind: kind.next.job, id };
}

/** Adds a follow-up job's result to the original job's outcome. Its URLs follow the job's ID. */
export function addFollowUpJobResult(
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
		data: { ...insertAfterKey(data, kind.id, Object.fromEntries(urls)), [name]: next.data },
		result,
	};
}

/** Matches the error codes of permanent failures: another attempt would fail too. */
const permanentCodes =
	/polic|moderat|artifact_unavailable|consent|invalid|unsupported|not_supported|not_usable|not_cloneable|not_allowed|denied|forbidden|restricted|expired|not_found|too_(short|long|large)|project_|image_processing|voice_training/i;

/** Matches the reasons of permanent failures, used if the service sent no code. */
const permanentReasons = /polic|moderat|violat|consent|not allowed|inappropriate/i;

/** Whether a job failed with a temporary error. If so, the same request may succeed later. */
export function isTransientFailure(
	{ code, reason }: { code: string; reason: string },
	data: IDataObject,
) {
	if (/^(cancell?ed|deleted)$/.test(readStatusWord(data) ?? '')) return false;
	return code === unknownFailureCode ? !permanentReasons.test(reason) : !permanentCodes.test(code);
}
