/**
 * What an AI model is told of an operation when the node is its tool: what it does, what it costs,
 * whether it waits, and what comes back. Pure.
 */
import type { Operation, Resource } from '../operation';
import { isPaid, getItemIdKey, getMethod } from '../operationTraits';

/** Longest text that every provider of models takes as the description of a tool. */
export const maxToolDescription = 1024;

const endSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What it costs. */
function describeCost(operation: Operation): string[] {
	if (!isPaid(operation)) return getMethod(operation) === 'GET' ? ['Only reads.'] : [];
	const { price } = operation;
	return [
		`Costs money${price === undefined ? ', taken from the credit of the account' : `: ${price}`}.`,
		'Every call with other values makes another one, which is paid again; the same call again gives the first result.',
	];
}

/** What comes back. */
function describeOutput(id: string | undefined, { list, starts }: Operation): string {
	const named = id === undefined ? '' : `, each with ${id}`;
	if (list !== undefined) return `Returns a short list${named}.`;
	if (starts !== undefined) {
		const { resultUrls: results = [] } = typeof starts === 'object' ? starts : {};
		const files = results.length > 0 ? `; when it is finished, also ${results.join(' and ')}` : '';
		return `Returns ${id ?? 'its id'} and status${files}.`;
	}
	return id === undefined ? 'Returns what the service answers.' : `Returns ${id} and its facts.`;
}

const waitingText =
	'Waits until it is finished, for 5 minutes at most unless set otherwise. When the result says "finished": false, it is still being made: do not create it again; call Get later';
const notWaitingText =
	'Does not wait: it is ready some minutes after the call. Do not create it again; call Get later';

/**
 * The texts of an operation, each with the values of the form that it is for: one, or two where the
 * user chooses whether a call waits.
 */
export function buildToolDescriptions(resource: Resource, operation: Operation) {
	const id = getItemIdKey(resource, operation);
	const before = [endSentence(operation.action), endSentence(operation.description)];
	const after = [...describeCost(operation), describeOutput(id, operation)];
	const whole = (...more: string[]) => [...before, ...after, ...more].join(' ');
	if (operation.starts === undefined) return [{ text: whole(), show: {} }];
	const withId = `with ${id ?? 'its id'}.`;
	return [
		{ text: whole(`${waitingText} ${withId}`), show: { waitForCompletion: [true] } },
		{ text: whole(`${notWaitingText} ${withId}`), show: { waitForCompletion: [false] } },
	];
}
