/** Types for jobs. A job is work in the service that a create starts, such as rendering a video. */
import type { IDataObject } from 'n8n-workflow';

/** File that the result of a job may contain. */
export interface ResultFile {
	/** Option value stored in workflows, and the binary field of every file but the first. */
	value: string;
	name: string;
	description: string;
	/** Key of the file's URL in a status response. Dots separate nested keys. */
	key: string;
	/** Extension of the file name if the URL has none. */
	extension: string;
	/** Media type if the storage sends none. */
	mimeType: string;
	/** Returns the extension and the media type if they depend on the status response. */
	readType?(response: IDataObject): { extension: string; mimeType: string };
}

/** Describes how the polling trigger finds jobs of a kind and reports their end. */
export interface JobEvents {
	/** Request line of the list of jobs. */
	list: string;
	/**
	 * Event type without the suffix `.success` or `.fail` (docs/service.md, Events and deliveries).
	 */
	type: string;
	/** Converts a status response to the data of the event that the service would deliver. */
	toEventData(response: IDataObject): IDataObject;
	/** Key of the failure reason in the event data. */
	reasonKey: string;
}

/** Kind of job: one entry of the job catalog. */
export interface JobKind {
	/**
	 * Name of the kind, which items and errors have as `job.kind`. Workflows store it: never change it
	 * after a release.
	 */
	name: string;
	/** Name in the form of the wait node. Kinds without a label cannot be waited for there. */
	label?: string;
	/** Key of the ID in the reply that starts the job (or `id`), and the placeholder in `read`. */
	id: string;
	/** Request line that reads the status of one job. */
	read: string;
	/** Query of the request that reads the status. */
	query?: IDataObject;
	/**
	 * Request line that looks up the statuses of many jobs, and the query parameter for their IDs.
	 */
	batchedStatus?: { line: string; query: string };
	/** Status words that mean success. */
	completed: readonly string[];
	/** Status words that mean failure. */
	failed: readonly string[];
	/** Status words of a job that rests until the user acts. A wait ends there without a failure. */
	resting?: readonly string[];
	/** Keys of the URLs that a status response contains once the job is completed. */
	resultUrls?: readonly string[];
	/** Files that the result may contain. */
	files?: readonly ResultFile[];
	/** Key of the list of parts, if the files belong to the parts instead of the job. */
	parts?: string;
	/** Kind of the jobs in a batch. Each row has one or more of them. */
	rows?: JobKind;
	/** Job that follows once this one is completed. Its result is added under `name`. */
	next?: { name: string; job: JobKind };
	/** Returns nested values of a status response that are copied to the top level of the item. */
	extract?: (response: IDataObject) => IDataObject;
	/** Sentence for the form about how long such a job usually takes, as an order of magnitude. */
	durationHint?: string;
	/** What reports the end of the job if no event does (docs/service.md, Events and deliveries). */
	notifiedBy?: 'callback' | 'nothing';
	/** How the polling trigger finds such jobs. Undefined if it cannot. */
	events?: JobEvents;
	/**
	 * Name of the limit of running jobs that such jobs count for. The default is the name of the kind.
	 */
	capacityLimit?: string;
	/** Seconds before the first poll. The default is 5. */
	firstPollAfter?: number;
	/** Maximum number of seconds between two polls. The default is 30. */
	maxPollInterval?: number;
}

/** Job that exists in the service. */
export interface Job {
	kind: JobKind;
	id: string;
	/** Status response from before the job was continued. What it shows is not a new result. */
	before?: IDataObject;
}

/** Job that has ended well, with its status response. */
export interface FinishedJob extends Job {
	data: IDataObject;
}

/** State of a job, as far as it matters for waiting. */
export type JobState = 'completed' | 'failed' | 'resting' | 'pending';

/** Outcome of a job that ended well. */
export interface SuccessfulOutcome {
	outcome: 'completed' | 'resting';
	job: Job;
	/** Status response, including the result of the follow-up job if there is one. */
	data: IDataObject;
	/** Job whose response contains the files: this job, or the one that followed. */
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

/** Outcome of a wait that ended before the job did. */
export interface TimeoutOutcome {
	outcome: 'timeout';
	job: Job;
	/** Last status word; undefined if the service sent none. */
	status?: string;
	/** Whether this package knows the status word. */
	known: boolean;
	/** Duration of the wait in seconds. */
	waited: number;
}

/** Outcome of waiting for a job. */
export type JobOutcome = SuccessfulOutcome | FailedOutcome | TimeoutOutcome;

/** How long to wait for a job and how often to poll, in seconds. */
export interface WaitPolicy {
	timeout: number;
	/** Seconds before the first poll, as set by the user. The default depends on the kind of job. */
	interval?: number;
	/** Maximum number of seconds between two polls. The default depends on the kind of job. */
	maxInterval?: number;
	/** Whether to poll for the first time without a pause. */
	immediately?: boolean;
}

/** Returns the reference to a job on items and errors: `{ kind, id }`. */
export const toJobReference = ({ kind, id }: Job): IDataObject => ({ kind: kind.name, id });

/** Returns the unique name of a job for sentences and n8n's log, such as `video v1`. */
export const describeJob = ({ kind, id }: Job) => `${kind.name} ${id}`;

/** Returns the name of a kind of job for sentences, such as `video batch`. */
export const describeKind = ({ name }: JobKind) => name.replace(/_/g, ' ');
