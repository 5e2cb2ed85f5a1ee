/** Data of a failure, as the error carries it for Continue On Fail. */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../json';
import { classifyConnectionError } from './connection';

/** Data of a failure, most of it from the service. */
export interface ErrorDetails extends IDataObject {
	/** HTTP status, absent without a response; or the status of a job that did not end well. */
	status?: number | string;
	/** The service's code in lower case, `not_json`, `cut_answer`, or the code of a connection error. */
	code?: string;
	param?: string;
	doc_url?: string;
	request_id?: string;
	/** Problems of a workflow graph. */
	errors?: IDataObject[];
	/**
	 * The request may have been carried out, because no readable response came. False if the
	 * connection failed before the request was sent.
	 */
	uncertain?: boolean;
	/** Seconds after which the service accepts the request again. */
	retry_after?: number;
}

/** The longest `Retry-After` that a request waits for, in seconds. A longer one is an error. */
export const maxRetryAfter = 300;

/** The data of an error of this package; empty for any other. */
export function getErrorDetails(error: unknown): ErrorDetails {
	const context = isObject(error) ? error.context : undefined;
	const details = isObject(context) ? context.details : undefined;
	return isObject(details) ? details : {};
}

/** Whether the failure may pass on its own, so that a wait for a job continues. */
export function isTransient(error: unknown): boolean {
	const { status, code, uncertain } = getErrorDetails(error);
	if (code === 'cut_answer') return true;
	if (typeof status === 'number') return status === 429 || status >= 500;
	// Only errors of connections say whether the request may have been carried out.
	return uncertain !== undefined && classifyConnectionError(code) !== 'impossible';
}

/** Whether the service answered that what the request refers to does not exist. */
export const isNotFound = (error: unknown) => getErrorDetails(error).status === 404;
