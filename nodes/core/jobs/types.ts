/**
 * Types for jobs. A job is work that the service does after a request has started it, such as
 * rendering a video.
 */
import type { IDataObject } from 'n8n-workflow';

/** Type of file that a job can produce, such as a video or its subtitles. */
export interface ResultFile {
	/**
	 * Value that workflows store when the user selects this file. Every file except the first is also
	 * output in a binary field of this name.
	 */
	value: string;
	name: string;
	description: string;
	/** Key of the file's URL in a status response. Dots separate nested keys. */
	key: string;
	/** File extension without the dot, for URLs that have none. */
	extension: string;
	/** Media type of the file, used if the storage does not return one. */
	mimeType: string;
	/** Whether `value` is part of the file name, because the extension does not show the type. */
	isKindInName?: boolean;
	/** Key of the language of the file in a status response. The default is `output_language`. */
	languageKey?: string;
	/** Returns the extension and the media type of a file whose format varies between jobs. */
	readType?(response: IDataObject): { extension: string; mimeType: string };
}

/**
 * Describes how the polling trigger finds jobs of one kind and converts the ended ones to events.
 */
export interface JobEventMapping {
	/** Request line of the endpoint that lists jobs of this kind, such as `GET /v3/videos`. */
	list: string;
	/**
	 * Event type without its suffix `.success` or `.fail` (docs/service.md, Events and deliveries).
	 */
	type: string;
	/**
	 * Converts the status response of an ended job to the event data that the service would deliver.
	 */
	toEventData(response: IDataObject): IDataObject;
	/** Key in the event data for the reason why a job failed. */
	reasonKey: string;
}

/**
 * Kind of job that the service offers, such as rendering a video. The job catalog lists all kinds.
 */
export interface JobKind {
	/**
	 * Name of the kind. Items and errors contain it as `job.kind`, and workflows store it, so it must
	 * never change after a release.
	 */
	name: string;
	/**
	 * Display name in the form of the wait node. The node cannot wait for a kind of job without a
	 * label.
	 */
	label?: string;
	/**
	 * Name of the job ID, such as `video_id`. It is the placeholder in `read` and the key in the
	 * reply that starts the job, unless that reply uses `id`.
	 */
	id: string;
	/** Request line that reads the status of one job, such as `GET /v3/videos/{video_id}`. */
	read: string;
	/** Query parameters of the request that reads the status. */
	query?: IDataObject;
	/**
	 * Request line that looks up the statuses of many jobs, and the name of its query parameter for
	 * their IDs.
	 */
	batchedStatus?: { line: string; query: string };
	/** Status words of a job that has succeeded. */
	completed: readonly string[];
	/** Status words of a job that has failed. */
	failed: readonly string[];
	/**
	 * Status words of a job that cannot continue until the user acts, for example by giving consent.
	 * Waiting for such a job ends without an error.
	 */
	resting?: readonly string[];
	/** Keys of the result URLs, which a status response contains only after the job is completed. */
	resultUrls?: readonly string[];
	/** Types of file that a job of this kind can produce. */
	files?: readonly ResultFile[];
	/**
	 * Key of the list of parts in a status response, such as `clips`. Set if the files belong to the
	 * parts instead of the job.
	 */
	parts?: string;
	/**
	 * Kind of the jobs that a batch starts: one or more for each of its rows. Undefined for kinds
	 * that are not batches.
	 */
	rows?: JobKind;
	/**
	 * Kind of the follow-up job, which is awaited after this job is completed. Its result is added to
	 * the item under `name`.
	 */
	next?: { name: string; job: JobKind };
	/**
	 * Returns values for the top level of the item, taken from nested values in the status response.
	 */
	extract?: (response: IDataObject) => IDataObject;
	/** Status response of an imaginary finished job, without its ID, for samples. */
	sample?: IDataObject;
	/** Sentence for the form about how long such a job usually takes. */
	durationHint?: string;
	/**
	 * How the service reports that such a job has ended, if it sends no event for this kind
	 * (docs/service.md, Events and deliveries).
	 */
	notifiedBy?: 'callback' | 'nothing';
	/**
	 * How the polling trigger finds jobs of this kind. Undefined if the trigger does not support
	 * them.
	 */
	events?: JobEventMapping;
	/**
	 * Name of the limit on running jobs that jobs of this kind count toward. Defaults to the name
	 * of the kind.
	 */
	capacityLimit?: string;
	/**
	 * Request line that stops the job, and the operation that sends it, as users see it. Undefined
	 * for kinds of job that the service cannot stop.
	 */
	stop?: { line: string; operation: string };
	/** Seconds to wait before the first status poll. The default is 5. */
	firstPollAfter?: number;
	/** Maximum number of seconds between two status polls. The default is 30. */
	maxPollInterval?: number;
}

/** Job in the service, identified by its kind and ID. */
export interface Job {
	kind: JobKind;
	id: string;
	/**
	 * Status response from before the user continued the job, for example with a chat message.
	 * Results that it already contains are not new.
	 */
	before?: IDataObject;
}

/** Job that has ended without failing, with its status response. */
export interface FinishedJob extends Job {
	data: IDataObject;
}

/** State of a job. A job that is `resting` cannot continue until the user acts. */
export type JobState = 'completed' | 'failed' | 'resting' | 'pending';

/** Outcome of a job that is completed, or that cannot continue until the user acts. */
export interface SuccessfulOutcome {
	outcome: 'completed' | 'resting';
	job: Job;
	/** Status response of the job, including the result of its follow-up job if there is one. */
	data: IDataObject;
	/** Job whose status response has the URLs of the result files: this job or its follow-up job. */
	result?: FinishedJob;
}

/** Outcome of a job that failed. */
export interface FailedOutcome {
	outcome: 'failed';
	job: Job;
	data: IDataObject;
	code: string;
	reason: string;
}

/** Outcome of a wait that timed out before the job ended. */
export interface TimeoutOutcome {
	outcome: 'timeout';
	job: Job;
	/** Status word of the last response. Undefined if the response had none. */
	status?: string;
	/** Whether this package recognizes the status word. */
	known: boolean;
	/** Duration of the wait in seconds. */
	waited: number;
	/** Sentence that the service could not be reached when the wait ended. */
	unreachable?: string;
}

/** Result of waiting for a job: success, failure or timeout. */
export type JobOutcome = SuccessfulOutcome | FailedOutcome | TimeoutOutcome;

/** How long to wait for a job and how often to poll, in seconds. */
export interface WaitPolicy {
	timeout: number;
	/**
	 * Minimum number of seconds before each poll, if the user sets one. The default depends on the
	 * kind of job.
	 */
	interval?: number;
	/** Maximum number of seconds between two polls. The default depends on the kind of job. */
	maxInterval?: number;
	/** Whether to send the first poll immediately instead of after a pause. */
	immediately?: boolean;
}

/** Returns a reference to a job, `{ kind, id }`, as items and errors contain it. */
export const toJobReference = ({ kind, id }: Job): IDataObject => ({ kind: kind.name, id });

/** Returns a short description of a job for messages and n8n's log, such as `video v1`. */
export const describeJob = ({ kind, id }: Job) => `${kind.name} ${id}`;

/** Returns the readable name of a kind of job for messages, such as `video batch`. */
export const describeJobKind = ({ name }: JobKind) => name.replace(/_/g, ' ');
