/** What is different where the node is a tool of an AI agent: nobody looks, and a model decides. */
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { operationError, type NodeError } from '../errors/words';
import { jobRef, kindName, type StartedJob } from '../jobs/job';
import type { Ending } from '../jobs/wait';
import { chosenIn, isDestructive, isPaid, type Operation, type Resource } from '../operation';

/** Whether the node works as a tool of an AI agent. */
export const isTool = (n8n: Pick<IExecuteFunctions, 'getNode'>) =>
	n8n.getNode().type.endsWith('Tool');

/** How long a wait may take, in minutes, where the user says nothing. */
export const defaultWait = (n8n: Pick<IExecuteFunctions, 'getNode'>) => (isTool(n8n) ? 5 : 30);

/** The refusal of what no model may do; nothing where it may. The form does not offer it in tools. */
export function toolRefusal(node: INode, operation: Operation): NodeError | undefined {
	if (!isDestructive(operation)) return undefined;
	return operationError(
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
export function countsEachCall(
	n8n: Pick<IExecuteFunctions, 'getNodeParameter'>,
	resources: readonly Resource[],
): boolean {
	// An expression may give it as text.
	if (String(n8n.getNodeParameter('options.payEachCall', 0, false)) === 'true') return true;
	const names = ['resource', 'operation'].map((one) => n8n.getNodeParameter(one, 0, ''));
	const use = chosenIn(resources, names);
	return use === undefined || !isPaid(use.operation);
}

type Timeout = Extract<Ending, { outcome: 'timeout' }>;

/**
 * What a model is given when the time of a wait is over: a result and no error, or it would make the
 * same again.
 */
export function unfinished(started: StartedJob, { job, status }: Timeout): IDataObject {
	const name = kindName(job.job);
	return {
		[started.job.id]: started.id,
		[job.job.id]: job.id,
		status: status ?? 'processing',
		finished: false,
		note: `The ${name} is still being made, and that goes on. Do not create it again: it would be paid again. Call Get later, with ${job.job.id} "${job.id}".`,
		job: jobRef(job),
	};
}

/** Lines of a description that are for people: codes and numbers. */
const facts = /^(Field|Code|HTTP status|Request ID|More): /;

const longestMessage = 1_000;

/** The error with everything in its message that a model must know: n8n tells it nothing else. */
export function toldToModel<E extends Error & { description?: string | null }>(error: E): E {
	const message = error.message.replace(/ \[item \d+\]$/, '');
	const lines = (error.description ?? '').split('\n').filter((line) => line && !facts.test(line));
	const fresh = lines.filter((line) => !message.includes(line));
	const whole = [/[.!?]$/.test(message) ? message : `${message}.`, ...fresh].join(' ');
	error.message = whole.slice(0, longestMessage);
	return error;
}
