/** Builds the URL that the service calls when a job has ended, to resume a suspended execution. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { readObject } from '../json';
import { callbackUrlKey } from '../operationTraits';

/**
 * Last path segment of the callback URL. Only this package's wait node accepts the segment, so a
 * late callback cannot resume the execution at another node, such as one that waits for an
 * approval.
 *
 * The segment does not protect against someone who knows the URL: n8n's token is valid for the
 * whole execution, and the URL without the segment resumes n8n's own Wait node.
 */
export const callbackPathSegment = 'videogen';

/**
 * Appends the callback path segment to an execution's resume URL. Keeps the query string, which
 * contains a token that n8n requires.
 */
export function buildCallbackUrl(resumeUrl: string): string {
	const url = new URL(resumeUrl);
	url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/${callbackPathSegment}`;
	return url.href;
}

/**
 * Whether the service should resume this execution with a callback when the job has ended. False if
 * the node itself waits for the job, because a running node cannot receive callbacks.
 */
export const wantsResumeCallback = ({ callBackHere, waitForCompletion }: IDataObject) =>
	callBackHere === true && waitForCompletion === false;

/**
 * Adds the current execution's callback URL to a request body if the user has requested a callback.
 * Must be called after the idempotency key has been created: the URL differs for each execution and
 * must not affect the key.
 */
export function addCallbackUrl(
	n8n: IExecuteFunctions,
	values: IDataObject,
	itemIndex: number,
	request: { body?: IDataObject },
): void {
	if (!wantsResumeCallback(values)) return;
	const { resumeUrl } = readObject(n8n.getWorkflowDataProxy(itemIndex).$execution);
	request.body = { ...request.body, [callbackUrlKey]: buildCallbackUrl(String(resumeUrl)) };
}
