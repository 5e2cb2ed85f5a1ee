/** What is different where the node is a tool of an AI agent: nobody looks, and a model decides. */
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { createOperationError, type NodeError } from '../errors/nodeErrors';
import { toJobReference, describeKind, type Job, type TimeoutOutcome } from '../jobs/types';
import { findOperation, isDestructive, isPaid, type Operation, type Resource } from '../operation';

/** Whether the node works as a tool of an AI agent. */
export const isTool = (n8n: Pick<IExecuteFunctions, 'getNode'>) =>
	n8n.getNode().type.endsWith('Tool');

/** How long a wait may take, in minutes, where the user says nothing. */
export const getDefaultWait = (n8n: Pick<IExecuteFunctions, 'getNode'>) => (isTool(n8n) ? 5 : 30);

/** The refusal of what no model may do; nothing where it may. The form does not offer it in tools. */
export function refuseInTool(node: INode, operation: Operation): NodeError | undefined {
	if (!isDestructive(operation)) return undefined;
	return createOperationError(
		node,
		`"${operation.action}" cannot be done by an AI agent: nothing was changed. Tell the user to do it, or to put it into the workflow as a step of its own`,
		'An AI model can be mistaken, and this cannot be taken back. Use the node outside of the agent, for instance behind an approval, where a person decides.',
		{ code: 'refused_in_tool' },
	);
}

/**
 * Whether a call that asks for the same as an earlier one is carried out all the same: it costs
 * nothing, or the user wants it.
 */
export function repeatsIdenticalCalls(
	n8n: Pick<IExecuteFunctions, 'getNodeParameter'>,
	resources: readonly Resource[],
): boolean {
	// An expression may give it as text.
	if (String(n8n.getNodeParameter('options.payEachCall', 0, false)) === 'true') return true;
	const names = ['resource', 'operation'].map((one) => n8n.getNodeParameter(one, 0, ''));
	const use = findOperation(resources, names);
	return use === undefined || !isPaid(use.operation);
}

/**
 * What a model is given when the time of a wait is over: a result and no error, or it would make the
 * same again.
 */
export function createUnfinishedResult(started: Job, { job, status }: TimeoutOutcome): IDataObject {
	const name = describeKind(job.kind);
	return {
		[started.kind.id]: started.id,
		[job.kind.id]: job.id,
		status: status ?? 'processing',
		finished: false,
		note: `The ${name} is still being made, and that goes on. Do not create it again: it would be paid again. Call Get later, with ${job.kind.id} "${job.id}".`,
		job: toJobReference(job),
	};
}

/** Lines of a description that are for people: codes and numbers. */
const detailLines = /^(Field|Code|HTTP status|Request ID|More): /;

const maxModelMessage = 1_000;

/** The error with everything in its message that a model must know: n8n tells it nothing else. */
export function describeErrorForModel<E extends Error & { description?: string | null }>(
	error: E,
): E {
	const message = error.message.replace(/ \[item \d+\]$/, '');
	const lines = (error.description ?? '')
		.split('\n')
		.filter((line) => line && !detailLines.test(line));
	const fresh = lines.filter((line) => !message.includes(line));
	const whole = [/[.!?]$/.test(message) ? message : `${message}.`, ...fresh].join(' ');
	error.message = whole.slice(0, maxModelMessage);
	return error;
}
