/**
 * Types for jobs. A job is work that the service does after a request has started it, such as
 * rendering a video.
 */
import type { IDataObject } from 'n8n-workflow';
import type { FailedReadStreak } from './statusReadErrors';

/** Type of file that a job can produce, such as a video or its subtitles. */
export interface ResultFileType {
	/**
	 * Value that workflows store when the user selects this type of file. Also the name of the
	 * output binary field for the file. For an item's first file, a setting determines the field
	 * name instead.
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
	/**
	 * Whether to include `value` in the file name, because several files of the job have the same
	 * extension.
	 */
	includesKindInName?: boolean;
	/** Key of the file's language in a status response. The default is `output_language`. */
	languageKey?: string;
	/** Returns the file's extension and media type. Defined only if they differ from job to job. */
	readType?(response: IDataObject): { extension: string; mimeType: string };
}

/**
 * Describes how the polling trigger finds jobs of one kind and creates events for those that have
 * ended.
 */
export interface PolledJobEventSource {
	/**
	 * HTTP method and path of the endpoint that lists jobs of this kind, such as `GET /v3/videos`.
	 */
	list: string;
	/**
	 * Event type without its suffix `.success` or `.fail` (docs/service.md, Events and deliveries).
	 */
	type: string;
	/**
	 * Converts an ended job's status response to event data, in the format of the events that the
	 * service delivers to webhooks.
	 */
	toEventData(response: IDataObject): IDataObject;
	/** Key for the failure reason in the event data of a failed job. */
	reasonKey: string;
}

/**
 * Kind of job that the service offers, such as rendering a video. The job catalog lists all kinds.
 */
export interface JobKind {
	/**
	 * Name of this kind of job. Items and errors contain it as `job.kind`, and workflows store it,
	 * so it must never change after a release.
	 */
	name: string;
	/**
	 * Display name in the form of VideoGen Job Status. The node cannot wait for a kind of job that has no
	 * label.
	 */
	label?: string;
	/**
	 * Name of the job ID in the API, such as `video_id`. Used as the placeholder in `read`, and as
	 * the key of the ID in the response to a create request, unless that response uses `id`.
	 */
	id: string;
	/**
	 * HTTP method and path for reading the status of one job, such as `GET /v3/videos/{video_id}`.
	 */
	read: string;
	/** Query parameters of the request that reads a job's status. */
	query?: IDataObject;
	/**
	 * HTTP method and path for reading the statuses of many jobs at once, and the name of the query
	 * parameter for their IDs.
	 */
	batchedStatus?: { line: string; query: string };
	/** Status words for jobs that have succeeded. */
	completed: readonly string[];
	/** Status words for jobs that have failed. */
	failed: readonly string[];
	/**
	 * Status words for jobs that are still running, unless the response contains a result URL. These
	 * words are in addition to those that all kinds share.
	 */
	pending?: readonly string[];
	/**
	 * Status words for jobs that cannot continue until the user acts, for example by giving
	 * consent. Waiting for such a job ends without an error.
	 */
	resting?: readonly string[];
	/**
	 * Keys of the result URLs, which a status response contains only after the job is completed.
	 */
	resultUrls?: readonly string[];
	/** Types of file that a job of this kind can produce. */
	files?: readonly ResultFileType[];
	/**
	 * Key under which a status response lists the parts of the result, such as `clips`, and the key
	 * of the URL that a finished part has. Set if each part has its own files.
	 */
	parts?: { key: string; url: string };
	/**
	 * Lists in a status response. If one of them has entries, the result can be used even if the
	 * job failed. `limits` says what is not possible then.
	 */
	usable?: { keys: readonly string[]; limits: string };
	/**
	 * Kind of job that the service starts for each row of a batch. Undefined if this kind of job is
	 * not a batch.
	 */
	rows?: JobKind;
	/**
	 * Kind of follow-up job, such as a session's video, whose outcome decides that of this job. The
	 * output item contains its result under `name`. `notWhile`: status words of this job while it
	 * may still refer to an earlier follow-up job.
	 */
	next?: { name: string; job: JobKind; notWhile?: readonly string[] };
	/**
	 * Extracts nested values from a status response. They become top-level values of the output
	 * item.
	 */
	extract?: (response: IDataObject) => IDataObject;
	/**
	 * Simulated status response of a completed job, for use in sample results. It does not contain
	 * the job's ID.
	 */
	sample?: IDataObject;
	/** Sentence in the form that says how long jobs of this kind usually take. */
	durationHint?: string;
	/**
	 * How the service reports that a job of this kind has ended. Set only for kinds that have no
	 * event (docs/service.md, Events and deliveries).
	 */
	notifiedBy?: 'callback' | 'nothing';
	/**
	 * Settings that tell the polling trigger how to find jobs of this kind. Undefined if the
	 * trigger does not support this kind.
	 */
	events?: PolledJobEventSource;
	/**
	 * Name of the limit on running jobs that applies to this kind of job. Defaults to the name of
	 * the kind.
	 */
	capacityLimit?: string;
	/**
	 * HTTP method and path of the request that stops the job, and the display name of the operation
	 * that sends it. Undefined if the service cannot stop jobs of this kind.
	 */
	stop?: { line: string; operation: string };
	/** Number of seconds to wait before the first status poll. The default is 5. */
	firstPollAfter?: number;
	/** Maximum number of seconds between two status polls. The default is 30. */
	maxPollInterval?: number;
}

/**
 * State of a job before the user continued it. A status response with the same state is outdated,
 * and the follow-up job that it refers to does not belong to the continuation. Items contain the
 * snapshot, so that another node can wait for the job.
 */
export interface JobSnapshot {
	/** Digest of the values that change when the user continues the job. */
	digest: string;
	/**
	 * ID of the follow-up job when the snapshot was taken, such as the video that the agent session
	 * had created before the user continued it. Undefined if there was none.
	 */
	follow_up_id?: string;
}

/** Job in the service, identified by its kind and ID. */
export interface Job {
	kind: JobKind;
	id: string;
	/** State of the job before the user continued it, for example with a chat message. */
	before?: JobSnapshot;
	/** Zero-based index of the row that is meant, if the job is a batch. Undefined for the whole batch. */
	row?: number;
	/**
	 * Parent job that contains this job, such as the session that a draft belongs to. To stop this
	 * job, the node stops the parent.
	 */
	partOf?: Job;
}

/** Job that has ended without failing, with its status response. */
export interface FinishedJob extends Job {
	data: IDataObject;
}

/** State of a job. `resting`: the job cannot continue until the user acts. */
export type JobState = 'completed' | 'failed' | 'resting' | 'pending';

/** Outcome of a job that is completed, or that cannot continue until the user acts. */
export interface SuccessfulOutcome {
	outcome: 'completed' | 'resting';
	job: Job;
	/** The job's status response, including the result of its follow-up job if there is one. */
	data: IDataObject;
	/**
	 * Job whose status response contains the URLs of the result files: the job itself or its
	 * follow-up job.
	 */
	result?: FinishedJob;
}

/** Outcome of a job that failed. */
export interface FailedOutcome {
	outcome: 'failed';
	job: Job;
	data: IDataObject;
	code: string;
	reason: string;
	/** Status response of the original job, if its follow-up job failed. */
	parent?: IDataObject;
	/** Follow-up job that is still running although the job has failed. */
	running?: Job;
}

/** Outcome of a wait that timed out before the job had ended. */
export interface TimedOutOutcome {
	outcome: 'timeout';
	job: Job;
	/** Status word in the last status response. Undefined if the response had none. */
	status?: string;
	/** Whether this package knows the status word in the last response. */
	known: boolean;
	/** Whether the job still looks as it did before the user continued it. */
	isUnchanged?: boolean;
	/** Number of seconds that the node waited for the job. */
	waited: number;
	/**
	 * Sentence that says how long the service has been unreachable. Undefined if it was reachable
	 * when the wait ended.
	 */
	unreachable?: string;
}

/** Result of waiting for a job: success, failure or timeout. */
export type JobWaitOutcome = SuccessfulOutcome | FailedOutcome | TimedOutOutcome;

/** How long to wait for a job and how often to poll, in seconds. */
export interface WaitPolicy {
	timeout: number;
	/**
	 * Minimum number of seconds before each poll, as set by the user. Undefined to use the default
	 * for the kind of job.
	 */
	interval?: number;
	/** Maximum number of seconds between two polls. The default depends on the kind of job. */
	maxInterval?: number;
	/** Whether to send the first poll immediately instead of after a pause. */
	immediately?: boolean;
	/** When the wait began, in Unix milliseconds. The default is now. */
	since?: number;
	/**
	 * Number of polls before this wait, for example before a suspension. After a few of them, a job
	 * that is not found is not too new any more.
	 */
	earlierPolls?: number;
	/** Earlier polls that have failed since the last successful one. */
	failedReads?: FailedReadStreak;
	/** Called after each poll if the job has not ended. `failedReads` is set if the poll failed. */
	onPending?: (failedReads?: FailedReadStreak) => void;
}

/** Returns the reference to a job that items and errors contain: its kind, ID and snapshot. */
export const toJobReference = ({ kind, id, before }: Job): IDataObject => ({
	kind: kind.name,
	id,
	...(before && { before }),
});

/** Returns a short description of a job for use in messages and n8n's log, such as `video v1`. */
export const describeJob = ({ kind, id }: Job) => `${kind.name} ${id}`;

/** Returns a readable name for a kind of job for use in messages, such as `video batch`. */
export const describeJobKind = ({ name }: JobKind) => name.replace(/_/g, ' ');
