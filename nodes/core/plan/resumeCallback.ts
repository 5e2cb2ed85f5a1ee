/** Builds the callback URL, which the service calls to resume a suspended execution. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { readObject } from '../json';
import { callbackUrlKey } from '../operationTraits';

/**
 * Last path segment of the callback URL, which only the wait node accepts, so that a late callback
 * does not resume the execution at another node, such as one that waits for an approval.
 *
 * It protects from late callbacks, not from whoever holds the URL: n8n's token is valid for the whole
 * execution, and the URL without this segment resumes n8n's own Wait node.
 */
export const callbackPathSegment = 'videogen';

/**
 * Appends the callback path to the resume URL of an execution. The query contains a token that n8n
 * requires.
 */
export function buildCallbackUrl(resumeUrl: string): string {
	const url = new URL(resumeUrl);
	url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/${callbackPathSegment}`;
	return url.href;
}

/**
 * Whether a callback resumes this execution when the job ends. False if the node itself waits for
 * the job, because a running node receives no callback.
 */
export const wantsResumeCallback = ({ callBackHere, waitForCompletion }: IDataObject) =>
	callBackHere === true && waitForCompletion === false;

/**
 * Adds the callback URL of this execution to the request body if the user wants a callback. Call
 * this after creating the idempotency key, because the URL differs for each execution and must not
 * change the key.
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
