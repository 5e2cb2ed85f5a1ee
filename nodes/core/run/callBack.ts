/** The address at which a service can wake a suspended execution. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { objectOf } from '../json';
import { callbackField } from '../operation';

/**
 * The path behind the execution in that address. It stands for the node that waits for jobs: without
 * it a call would reach whatever else the execution may wait for, such as an approval.
 */
export const callPath = 'videogen';

/** The address of that node in an execution. Its query holds the token by which n8n lets a call in. */
export function callAddress(resumeUrl: string): string {
	const address = new URL(resumeUrl);
	address.pathname = `${address.pathname.replace(/\/+$/, '')}/${callPath}`;
	return address.href;
}

/** Whether the job is to wake this execution. One that waits in the node itself takes no calls. */
export const callsThisExecution = ({ callBackHere, waitForCompletion }: IDataObject) =>
	callBackHere === true && waitForCompletion === false;

/**
 * The body with the address of this execution, where that is wanted. It is no part of what the body
 * says: the same request of another execution is the same request.
 */
export function withCallBack(
	n8n: IExecuteFunctions,
	values: IDataObject,
	itemIndex: number,
	body: IDataObject | undefined,
): IDataObject | undefined {
	if (!callsThisExecution(values)) return body;
	const { resumeUrl } = objectOf(n8n.getWorkflowDataProxy(itemIndex).$execution);
	return { ...body, [callbackField]: callAddress(String(resumeUrl)) };
}
