/** The URL at which the service resumes a suspended execution. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { readObject } from '../json';
import { callbackField } from '../operationTraits';

/**
 * The last part of that URL. It belongs to the node that waits for jobs: without it, a call would
 * reach whatever else the execution may be waiting for, such as an approval.
 */
export const callbackPath = 'videogen';

/** The resume URL of the waiting node. Its query holds the token without which n8n answers 401. */
export function buildCallbackUrl(resumeUrl: string): string {
	const url = new URL(resumeUrl);
	url.pathname = `${url.pathname.replace(/\/+$/, '')}/${callbackPath}`;
	return url.href;
}

/** Whether the job must resume this execution. A node that waits in place takes no calls. */
export const resumesThisExecution = ({ callBackHere, waitForCompletion }: IDataObject) =>
	callBackHere === true && waitForCompletion === false;

/**
 * Adds the callback URL of this execution to a request, if the user wants it. Call it after the
 * idempotency key is made: the same request of another execution must have the same key.
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
