/** Builds the URL that the service calls to resume a suspended execution. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { readObject } from '../json';
import { callbackField } from '../operationTraits';

/**
 * Last segment of the callback URL. Only the wait node accepts it. Without it, a call could resume
 * another node that the execution is waiting in, such as an approval.
 */
export const callbackPath = 'videogen';

/**
 * Builds the callback URL from the resume URL of the execution. Its query contains the token that
 * n8n requires.
 */
export function buildCallbackUrl(resumeUrl: string): string {
	const url = new URL(resumeUrl);
	url.pathname = `${url.pathname.replace(/\/+$/, '')}/${callbackPath}`;
	return url.href;
}

/**
 * Whether this execution resumes when the job ends. False if the node itself waits for the job,
 * because it receives no callback then.
 */
export const resumesThisExecution = ({ callBackHere, waitForCompletion }: IDataObject) =>
	callBackHere === true && waitForCompletion === false;

/**
 * Adds the callback URL of this execution to a request, if the user wants it. Must run after the
 * idempotency key was created: the same request of another execution must have the same key.
 */
export function addCallbackUrl(
	n8n: IExecuteFunctions,
	values: IDataObject,
	itemIndex: number,
	request: { body?: IDataObject },
): void {
	if (!resumesThisExecution(values)) return;
	const { resumeUrl } = readObject(n8n.getWorkflowDataProxy(itemIndex).$execution);
	request.body = { ...request.body, [callbackField]: buildCallbackUrl(String(resumeUrl)) };
}
