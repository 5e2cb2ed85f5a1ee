/** The address at which a service can wake a suspended execution. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { readObject } from '../json';
import { callbackField } from '../operation';

/**
 * The path behind the execution in that address. It stands for the node that waits for jobs: without
 * it a call would reach whatever else the execution may wait for, such as an approval.
 */
export const callbackPath = 'videogen';

/** The address of that node in an execution. Its query holds the token by which n8n lets a call in. */
export function buildCallbackUrl(resumeUrl: string): string {
	const address = new URL(resumeUrl);
	address.pathname = `${address.pathname.replace(/\/+$/, '')}/${callbackPath}`;
	return address.href;
}

/** Whether the job is to wake this execution. One that waits in the node itself takes no calls. */
export const resumesThisExecution = ({ callBackHere, waitForCompletion }: IDataObject) =>
	callBackHere === true && waitForCompletion === false;

/**
 * The body with the address of this execution, where that is wanted. It is no part of what the body
 * says: the same request of another execution is the same request.
 */
export function addCallbackUrl(
	n8n: IExecuteFunctions,
	values: IDataObject,
	itemIndex: number,
	body: IDataObject | undefined,
): IDataObject | undefined {
	if (!resumesThisExecution(values)) return body;
	const { resumeUrl } = readObject(n8n.getWorkflowDataProxy(itemIndex).$execution);
	return { ...body, [callbackField]: buildCallbackUrl(String(resumeUrl)) };
}
