/** Facts of a failure: what the service said, as data that rides on the error. */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../json';
import { classifyConnectionError } from './connection';

/** Facts of a failure, as the service gave them. */
export interface ErrorDetails extends IDataObject {
	/** HTTP status, absent where no answer came; or the status word of a job that did not end well. */
	status?: number | string;
	/** The service's code in lower case, `not_json`, `cut_answer`, or the name of a connection error. */
	code?: string;
	param?: string;
	doc_url?: string;
	request_id?: string;
	/** Problems of a graph, all of them. */
	errors?: IDataObject[];
	/**
	 * No answer came, or none that could be read: the request may have been carried out. False where
	 * the connection failed before.
	 */
	uncertain?: boolean;
	/** Seconds after which the service wants to be asked again. */
	retry_after?: number;
}

/** Waits are never longer than this, in seconds: a longer `retry_after` is an error that says so. */
export const maxRetryAfter = 300;

/** The facts that an error carries, if it is one of ours. */
export function getErrorDetails(error: unknown): ErrorDetails {
	const context = isObject(error) ? error.context : undefined;
	const details = isObject(context) ? context.details : undefined;
	return isObject(details) ? details : {};
}

/** Whether the failure passes by itself, so that a wait that is under way goes on. */
export function isTransient(error: unknown): boolean {
	const { status, code, uncertain } = getErrorDetails(error);
	if (code === 'cut_answer') return true;
	if (typeof status === 'number') return status === 429 || status >= 500;
	// Only where the connection failed is it told whether the request may have got through.
	return uncertain !== undefined && classifyConnectionError(code) !== 'impossible';
}

/** Whether the service does not know what was asked for. */
export const isNotFound = (error: unknown) => getErrorDetails(error).status === 404;
