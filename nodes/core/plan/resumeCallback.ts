/** Builds the URL that the service calls when a job has ended, to resume a suspended execution. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { readObject } from '../json';
import { callbackUrlKey } from '../operationTraits';

/**
 * Last path segment of the callback URL. Only this package's wait node accepts it, so a late
 * callback cannot resume the execution at another node, such as one that waits for an approval.
 *
 * It does not protect against someone who knows the URL: n8n's token is valid for the whole
 * execution, and the URL without this segment resumes n8n's own Wait node.
 */
export const callbackPathSegment = 'videogen';

/**
 * Appends the callback path to the resume URL of an execution. Keeps the query, which contains a
 * token that n8n requires.
 */
export function buildCallbackUrl(resumeUrl: string): string {
	const url = new URL(resumeUrl);
	url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/${callbackPathSegment}`;
	return url.href;
}

/**
 * Whether the service should call back to resume this execution when the job has ended. False if
 * the node itself waits for the job, because a running node receives no callbacks.
 */
export const wantsResumeCallback = ({ callBackHere, waitForCompletion }: IDataObject) =>
	callBackHere === true && waitForCompletion === false;

/**
 * Adds the callback URL of the current execution to a request body if the user has chosen to be
 * called back. Must run after the idempotency key was created: the URL differs for each execution
 * and must not change the key.
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
