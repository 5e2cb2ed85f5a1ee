/** Defines an error's structured details, which workflows can read with Continue On Fail. */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../json';
import { getRequestSendState } from './connection';

/** What has happened to the row of an input item. `unknown`: its job may exist. */
export type RowOutcome = 'finished' | 'running' | 'failed' | 'not_started' | 'unknown';

/** Most details come from the error response of the service. */
export interface ErrorDetails extends IDataObject {
	/** HTTP status, or the status of a job such as `failed`. Undefined without a response. */
	status?: number | string;
	/** In lower case. From the service, a connection error or this package, such as `not_json`. */
	code?: string;
	param?: string;
	doc_url?: string;
	request_id?: string;
	/** Problems in the request's workflow definition. */
	errors?: IDataObject[];
	/** A sentence for each invalid value. */
	complaints?: string[];
	/** Whether the service may have carried out the request. False if it was never sent. */
	uncertain?: boolean;
	/** Undefined if it follows from the other details. */
	outcome?: RowOutcome;
	/** Seconds to wait, as requested by the service. */
	retry_after?: number;
}

/** Seconds. If the service asks for a longer wait, the request fails. */
export const maxRetryAfter = 300;

/** Returns an empty object for errors that this package has not created. */
export function getErrorDetails(error: unknown): ErrorDetails {
	const context = isObject(error) ? error.context : undefined;
	const details = isObject(context) ? context.details : undefined;
	return isObject(details) ? details : {};
}

/** Whether a later attempt may succeed. A node that waits for a job keeps waiting. */
export function isTransientError(error: unknown): boolean {
	const { status, code, uncertain } = getErrorDetails(error);
	if (code === 'cut_answer') return true;
	if (typeof status === 'number') return status === 429 || status >= 500;
	// Only connection errors record whether the request may have been carried out.
	return uncertain !== undefined && getRequestSendState(code) !== 'impossible';
}

export const isNotFoundError = (error: unknown) => getErrorDetails(error).status === 404;
