/** Defines an error's structured details, which workflows can read with Continue On Fail. */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../json';
import { getRequestSendState } from './connection';

/** What has happened to the row of an input item. `unknown` means that its job may exist. */
export type RowOutcome = 'finished' | 'running' | 'failed' | 'not_started' | 'unknown';

/** Structured details of an error. Most of them come from the service's error response. */
export interface ErrorDetails extends IDataObject {
	/**
	 * HTTP status of the response, or the status of a job that failed or timed out, such as
	 * `failed`. Undefined if there was no response.
	 */
	status?: number | string;
	/**
	 * Error code in lower case, from the service, from a connection error, or from this package
	 * (for example `not_json`).
	 */
	code?: string;
	param?: string;
	doc_url?: string;
	request_id?: string;
	/** Problems that the service found in the request's workflow definition. */
	errors?: IDataObject[];
	/** Sentences that explain which of the item's values are invalid, one for each value. */
	complaints?: string[];
	/**
	 * Whether the service may have carried out the request although no usable response arrived.
	 * False if the request was never sent.
	 */
	uncertain?: boolean;
	/** What has happened to the row. Undefined if it follows from the other details. */
	outcome?: RowOutcome;
	/** Number of seconds to wait before sending the request again, as requested by the service. */
	retry_after?: number;
}

/**
 * Longest `Retry-After` time in seconds that the node accepts. If the service asks for a longer
 * wait, the request fails.
 */
export const maxRetryAfter = 300;

/**
 * Returns the structured details of an error that this package created, or an empty object for any
 * other error.
 */
export function getErrorDetails(error: unknown): ErrorDetails {
	const context = isObject(error) ? error.context : undefined;
	const details = isObject(context) ? context.details : undefined;
	return isObject(details) ? details : {};
}

/**
 * Returns whether an error is temporary, which means that a later attempt may succeed. A node that
 * is waiting for a job keeps waiting after such an error.
 */
export function isTransientError(error: unknown): boolean {
	const { status, code, uncertain } = getErrorDetails(error);
	if (code === 'cut_answer') return true;
	if (typeof status === 'number') return status === 429 || status >= 500;
	// Only connection errors record whether the request may have been carried out.
	return uncertain !== undefined && getRequestSendState(code) !== 'impossible';
}

/**
 * Returns whether an error has HTTP status 404, which means that the requested resource does not
 * exist.
 */
export const isNotFoundError = (error: unknown) => getErrorDetails(error).status === 404;
