/** Details that errors carry as data, for workflows that use Continue On Fail. */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../json';
import { classifyConnectionError } from './connection';

/** Details of a failure, most of them from the service. */
export interface ErrorDetails extends IDataObject {
	/** HTTP status, undefined without a response; or the status of a job that did not end well. */
	status?: number | string;
	/**
	 * The service's code in lower case, `not_json`, `cut_answer`, or the code of a connection error.
	 */
	code?: string;
	param?: string;
	doc_url?: string;
	request_id?: string;
	/** Problems in a workflow graph. */
	errors?: IDataObject[];
	/**
	 * Whether the service may have carried out the request although no good response arrived.
	 * False if the connection failed before the request was sent.
	 */
	uncertain?: boolean;
	/** Seconds after which the service accepts the request again. */
	retry_after?: number;
}

/** Longest `Retry-After` in seconds that a request waits for. A longer one is an error. */
export const maxRetryAfter = 300;

/** Returns the details of an error that this package created; an empty object for other errors. */
export function getErrorDetails(error: unknown): ErrorDetails {
	const context = isObject(error) ? error.context : undefined;
	const details = isObject(context) ? context.details : undefined;
	return isObject(details) ? details : {};
}

/** Whether the error is temporary, so that a wait for a job can continue. */
export function isTransient(error: unknown): boolean {
	const { status, code, uncertain } = getErrorDetails(error);
	if (code === 'cut_answer') return true;
	if (typeof status === 'number') return status === 429 || status >= 500;
	// Only connection errors record whether the request may have been carried out.
	return uncertain !== undefined && classifyConnectionError(code) !== 'impossible';
}

/** Whether the service responded that the requested resource does not exist. */
export const isNotFound = (error: unknown) => getErrorDetails(error).status === 404;
