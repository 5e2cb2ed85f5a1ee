/** What a job is: work at the service that a create starts, such as the rendering of a video. */
import type { IDataObject } from 'n8n-workflow';

/** A file that the result of a job may hold. */
export interface ResultFile {
	/** Stored in workflows; also the binary field of every file but the first. */
	value: string;
	name: string;
	description: string;
	/** Key of the file's URL in a status response; dots separate nested keys. */
	key: string;
	/** Extension of the file name if the URL has none. */
	extension: string;
	/** Media type if the storage names none. */
	mimeType: string;
	/** Extension and media type where they depend on the status response. */
	readType?(response: IDataObject): { extension: string; mimeType: string };
}

/** How the polling trigger finds jobs of a kind and reports their end. */
export interface JobEvents {
	/** Request line of the list of jobs. */
	list: string;
	/** Event type without its ending `.success` or `.fail` (docs/service.md, Events and deliveries). */
	type: string;
	/** Data of the event that the service would deliver, from a status response. */
	toEventData(response: IDataObject): IDataObject;
	/** Key of the failure reason in that data. */
	reasonKey: string;
}

/** A kind of job: one row of the job catalog. */
export interface JobKind {
	/** Name on items and errors, as `job.kind`. Stored in workflows: never change it once released. */
	name: string;
	/** Name in the form of the wait node. Kinds without a label cannot be waited for there. */
	label?: string;
	/** Key of the ID in the reply that starts the job (or `id`), and the placeholder in `read`. */
	id: string;
	/** Request line that reads the status of one job. */
	read: string;
	/** Query of that request. */
	query?: IDataObject;
	/** Request line that looks up the statuses of many jobs, and the query parameter for their IDs. */
	batchedStatus?: { line: string; query: string };
	/** Status words that mean success. */
	completed: readonly string[];
	/** Status words that mean failure. */
	failed: readonly string[];
	/** Status words for a job that rests until the user acts: the wait ends there, without a failure. */
	resting?: readonly string[];
	/** Keys of URLs that a status response has once the job is completed. */
	resultUrls?: readonly string[];
	/** Files that the result may hold. */
	files?: readonly ResultFile[];
	/** Key of the list of parts, where each part has files of its own instead of the job. */
	parts?: string;
	/** Kind of the jobs in a batch, one or more for each row. */
	rows?: JobKind;
	/** The job that follows once this one is completed; its result goes under `name`. */
	next?: { name: string; job: JobKind };
	/** Values that a status response has in its depth, for the top level of the item. */
	extract?: (response: IDataObject) => IDataObject;
	/** How long such a job takes, as a sentence for the form; an order of magnitude. */
	durationHint?: string;
	/** What reports the end if no event does (docs/service.md, Events and deliveries). */
	notifiedBy?: 'callback' | 'nothing';
	/** Where the polling trigger finds such jobs, if it can. */
	events?: JobEvents;
	/** Seconds before the first poll, if not 5. */
	firstPollAfter?: number;
	/** Most seconds between two polls, if less than 30. */
	maxPollInterval?: number;
}

/** One job that exists at the service. */
export interface Job {
	kind: JobKind;
	id: string;
	/** The status response from before the job was continued: what it showed then is not a result. */
	before?: IDataObject;
}

/** A job that has ended well, with its status response. */
export interface FinishedJob extends Job {
	data: IDataObject;
}

/** What the status of a job means for the wait. */
export type JobState = 'completed' | 'failed' | 'resting' | 'pending';

/** How a job ended well. */
export interface SuccessfulOutcome {
	outcome: 'completed' | 'resting';
	job: Job;
	/** Its status response, with the result of the job that followed. */
	data: IDataObject;
	/** The job whose response holds the files: this one, or the one that followed. */
	result?: FinishedJob;
}

/** How a job failed. */
export interface FailedOutcome {
	outcome: 'failed';
	job: Job;
	data: IDataObject;
	code: string;
	reason: string;
}

/** A wait that ended before its job. */
export interface TimeoutOutcome {
	outcome: 'timeout';
	job: Job;
	/** The last status word; undefined if the service sent none. */
	status?: string;
	/** Whether this package knows the word. */
	known: boolean;
	/** Seconds. */
	waited: number;
}

/** How a wait ended. */
export type JobOutcome = SuccessfulOutcome | FailedOutcome | TimeoutOutcome;

/** How long to wait for a job and how often to poll, in seconds. */
export interface WaitPolicy {
	timeout: number;
	/** Seconds before the first poll, as the user wants it; that of the kind by default. */
	interval?: number;
	/** Most seconds between two polls; that of the kind by default. */
	maxInterval?: number;
	/** Whether the first poll comes without a pause. */
	immediately?: boolean;
}

/** The reference to a job on items and errors: `{ kind, id }`. */
export const toJobReference = ({ kind, id }: Job): IDataObject => ({ kind: kind.name, id });

/** The name of a job in sentences and in n8n's log, such as `video v1`. It is unique. */
export const describeJob = ({ kind, id }: Job) => `${kind.name} ${id}`;

/** The kind of job in sentences, such as `video batch`. */
export const describeKind = ({ name }: JobKind) => name.replace(/_/g, ' ');
