/** Defines the structured details of an error, which workflows can read with Continue On Fail. */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../json';
import { classifyConnectionError } from './connection';

/** Structured details of an error. Most of them come from the service. */
export interface ErrorDetails extends IDataObject {
	/**
	 * HTTP status of the response, or the status of a job that failed or timed out. Undefined if
	 * there was no response.
	 */
	status?: number | string;
	/**
	 * The service's error code in lower case, the code of a connection error, or a code of this
	 * package such as `not_json`.
	 */
	code?: string;
	param?: string;
	doc_url?: string;
	request_id?: string;
	/** Problems that the service found in a workflow graph. */
	errors?: IDataObject[];
	/**
	 * Whether the service may have carried out the request, although its response was lost or
	 * unusable. False if the request was never sent.
	 */
	uncertain?: boolean;
	/** Seconds to wait before the service accepts the request again. */
	retry_after?: number;
}

/**
 * Maximum number of seconds that the node waits if a response has a `Retry-After` header. If the
 * service asks for more, the request fails.
 */
export const maxRetryAfter = 300;

/**
 * Returns the details of an error that this package created, or an empty object for any other
 * error.
 */
export function getErrorDetails(error: unknown): ErrorDetails {
	const context = isObject(error) ? error.context : undefined;
	const details = isObject(context) ? context.details : undefined;
	return isObject(details) ? details : {};
}

/** Returns whether an error is temporary. A wait for a job continues after a temporary error. */
export function isTransient(error: unknown): boolean {
	const { status, code, uncertain } = getErrorDetails(error);
	if (code === 'cut_answer') return true;
	if (typeof status === 'number') return status === 429 || status >= 500;
	// Only connection errors record whether the request may have been carried out.
	return uncertain !== undefined && classifyConnectionError(code) !== 'impossible';
}

/** Returns whether the service responded that the requested resource does not exist. */
export const isNotFound = (error: unknown) => getErrorDetails(error).status === 404;
