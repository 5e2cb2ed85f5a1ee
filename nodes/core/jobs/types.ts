/** A job is work that the service does after a request has started it, such as rendering a video. */
import type { IDataObject } from 'n8n-workflow';

export interface ResultFileType {
	/**
	 * Value stored in workflows. Also the name of the file's binary field in the output, except for
	 * the main file, whose field name users can set.
	 */
	value: string;
	name: string;
	description: string;
	/** Key of the file's URL in a status response. Dots separate nested keys. */
	key: string;
	/** File extension, without the dot, to use if the URL has no known extension. */
	extension: string;
	/** Media type of the file, used if the storage server does not return one. */
	mimeType: string;
	/** Whether file names include `value`, because other files have the same extension. */
	includesKindInName?: boolean;
	/** Key of the file's language in a status response. The default is `output_language`. */
	languageKey?: string;
	/** Returns the file's extension and media type, if they differ from job to job. */
	readType?(response: IDataObject): { extension: string; mimeType: string };
}

/** How the polling trigger finds jobs of one kind, and creates events for those that have ended. */
export interface PolledJobEventSource {
	/** Endpoint that lists jobs, such as `GET /v3/videos`. */
	list: string;
	/** Event type without `.success` or `.fail` (service.md, Events and deliveries). */
	type: string;
	/** Converts an ended job's status response to the data of a webhook event. */
	toEventData(response: IDataObject): IDataObject;
	/** Key for the failure reason in the event data of a failed job. */
	reasonKey: string;
}

/** Kind of job that the service offers, such as rendering a video. */
export interface JobKind {
	/** Name stored in items, errors and workflows, so it must never change after a release. */
	name: string;
	/** Display name in VideoGen Job Status, which offers only kinds that have one. */
	label?: string;
	/**
	 * Name of the job ID in the API, such as `video_id`: the placeholder in `read`, and the key in
	 * the response to a create request, unless that response uses `id`.
	 */
	id: string;
	/** Endpoint that returns the status, such as `GET /v3/videos/{video_id}`. */
	read: string;
	query?: IDataObject;
	/** Request for the statuses of many jobs, and its query parameter for their IDs. */
	batchedStatus?: { line: string; query: string };
	/** Statuses of jobs that have succeeded. `failed` contains those of failed jobs. */
	completed: readonly string[];
	failed: readonly string[];
	/** Additional statuses of running jobs that have no result URL yet. */
	pending?: readonly string[];
	/** Statuses of jobs that cannot continue until the user acts. They end a wait. */
	resting?: readonly string[];
	/** Keys of the result URLs. Only the status response of a completed job has these keys. */
	resultUrls?: readonly string[];
	files?: readonly ResultFileType[];
	/** Key of the list of parts, such as `clips`, if each part has its own files. */
	parts?: string;
	/**
	 * Describes the usable result of a failed job, as the end of a sentence. Returns undefined if
	 * there is none: only then does the job count as failed.
	 */
	describeUsable?(response: IDataObject): string | undefined;
	/** Kind of job that each row of a batch starts. Undefined if this kind is not a batch. */
	rows?: JobKind;
	/**
	 * Kind of follow-up job that determines the outcome of this job, such as a session's video. Its
	 * result is under `name` in the output item. `notWhile`: statuses in which this job may still
	 * refer to an earlier follow-up job.
	 */
	next?: { name: string; job: JobKind; notWhile?: readonly string[] };
	/** Returns nested values of a response that become top-level values of the output item. */
	extract?: (response: IDataObject) => IDataObject;
	/** Simulated status response of a completed job, without the job's ID, for sample results. */
	sample?: IDataObject;
	/** Sentence, shown in the form, about how long jobs of this kind usually take. */
	durationHint?: string;
	/** How the service reports the end of a job, if it sends no event for this kind. */
	notifiedBy?: 'callback' | 'nothing';
	/** How the polling trigger finds jobs of this kind. Undefined if the trigger cannot. */
	events?: PolledJobEventSource;
	/** Name of the service's limit on running jobs. Defaults to the name of the kind. */
	capacityLimit?: string;
	/** Request that stops a job, and the display name of the operation that sends it. */
	stop?: { line: string; operation: string };
	/** Seconds before the first poll. The default is 5. */
	firstPollAfter?: number;
	/** Maximum seconds between two polls. The default is 30. */
	maxPollInterval?: number;
}

/**
 * State of a job before the user continued it, for example with a chat message. A status response
 * with the same state is outdated, and its follow-up job does not belong to the continuation. Items
 * contain the snapshot, so that another node can wait for the job.
 */
export interface JobSnapshot {
	/** Digest of the values that change when the user continues the job. */
	digest: string;
	/** ID of the follow-up job at that time, such as the session's previous video. */
	follow_up_id?: string;
}

export interface Job {
	kind: JobKind;
	id: string;
	/** Job's state before the user continued the job. Undefined if the user has not continued it. */
	before?: JobSnapshot;
	/** Zero-based index of a batch's row, if only that row is meant. Undefined for all rows. */
	row?: number;
	/** Parent job, such as the session of a draft. The node stops the parent to stop the job. */
	partOf?: Job;
}

/** Job that has ended without failing, with its status response. */
export interface FinishedJob extends Job {
	data: IDataObject;
	/** Whether this is a fake job of a sample result, which has only placeholder files. */
	isSample?: true;
}

/** State of a job. `resting`: the job cannot continue until the user acts. */
export type JobState = 'completed' | 'failed' | 'resting' | 'pending';

export interface SuccessfulOutcome {
	outcome: 'completed' | 'resting';
	job: Job;
	/** The job's status response, including the result of its follow-up job if there is one. */
	data: IDataObject;
	/** Job whose status response has the files' URLs: this job or its follow-up job. */
	result?: FinishedJob;
}

export interface FailedOutcome {
	outcome: 'failed';
	job: Job;
	data: IDataObject;
	code: string;
	reason: string;
	/** Status response of the original job, if its follow-up job failed. */
	parent?: IDataObject;
	/** Follow-up job that is still running although the original job has failed. */
	running?: Job;
}

/** Outcome of a wait that timed out before the job had ended. */
export interface TimedOutOutcome {
	outcome: 'timeout';
	job: Job;
	/** Status in the last status response. Undefined if the response contained none. */
	status?: string;
	/** Whether `status` is a value that this package knows. */
	known: boolean;
	/** Whether the job's status has not changed since the user continued the job. */
	isUnchanged?: boolean;
	/** Length of the wait, in seconds. */
	waited: number;
	/** Sentence that says since when the service has been unreachable. Undefined if it responds. */
	unreachable?: string;
}

export type JobWaitOutcome = SuccessfulOutcome | FailedOutcome | TimedOutOutcome;

/** Record of a job's status requests that have failed since the last successful one. */
export interface FailedReadStreak {
	/** Time of the first failure, in Unix milliseconds like all times here. */
	since: number;
	/** HTTP status or code of the most recent failure, such as `503`. */
	cause: string;
	/** Number of consecutive doubtful responses (see `StatusReadErrorType`). */
	doubtful: number;
	doubtfulSince: number;
	warnedAt?: number;
}

/** How long to wait for a job and how often to poll, in seconds. */
export interface WaitPolicy {
	timeout: number;
	/** Minimum pause before each poll, as set by the user. The default depends on the job's kind. */
	interval?: number;
	/** Whether to send the first poll of the job immediately instead of after a pause. */
	immediately?: boolean;
	/** When the wait began, in Unix milliseconds. The default is now. */
	since?: number;
	/** Number of earlier polls. After a few, a job that is not found no longer counts as too new. */
	earlierPolls?: number;
	/** Record of earlier polls that have failed since the last successful one. */
	failedReads?: FailedReadStreak;
	/** Called after each poll if the job has not ended. `failedReads` is set if the poll failed. */
	onPending?: (failedReads?: FailedReadStreak) => void;
}

/** Returns the kind, ID and `before` of a job. Items and errors use them to refer to the job. */
export const toJobReference = ({ kind, id, before }: Job): IDataObject => ({
	kind: kind.name,
	id,
	...(before && { before }),
});

/** Describes a job in messages and n8n's log, such as `video v1`. */
export const describeJob = ({ kind, id }: Job) => `${kind.name} ${id}`;

/** Describes a kind of job in messages, such as `video batch`. */
export const describeJobKind = ({ name }: JobKind) => name.replace(/_/g, ' ');
