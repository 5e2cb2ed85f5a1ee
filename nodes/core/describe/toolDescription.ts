/**
 * Builds tool descriptions for AI agents. They tell the language model what a tool does, what it
 * costs, what it returns and whether it waits for the result.
 */
import type { Operation, Resource } from '../operation';
import { isPaid, getItemIdKey, getMethod } from '../operationTraits';

/**
 * Maximum length of a tool description, in characters. All language model providers accept
 * descriptions of this length.
 */
export const maxToolDescription = 1024;

const endSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Returns sentences that tell a language model what a tool call costs. */
function describeCost(operation: Operation): string[] {
	if (!isPaid(operation)) return getMethod(operation) === 'GET' ? ['Only reads.'] : [];
	const { price } = operation;
	return [
		`Costs money${price === undefined ? ', taken from the credit of the account' : `: ${price}`}.`,
		'Every call with other values creates another one, which is charged again; repeating a call returns the first result.',
	];
}

/** Returns a sentence that tells a language model what a tool call returns. */
function describeOutput(id: string | undefined, { list, starts }: Operation): string {
	const withId = id === undefined ? '' : `, each with ${id}`;
	if (list !== undefined) return `Returns a short list${withId}.`;
	if (starts !== undefined) {
		const { resultUrls = [] } = typeof starts === 'object' ? starts : {};
		const urls =
			resultUrls.length > 0 ? `; when it is finished, also ${resultUrls.join(' and ')}` : '';
		return `Returns ${id ?? 'its id'} and status${urls}.`;
	}
	return id === undefined
		? 'Returns the response of the service.'
		: `Returns ${id} and its details.`;
}

const waitingText =
	'Waits until it is finished, for 5 minutes at most unless set otherwise. If the result has "finished": false, it is still in progress: do not create it again; call Get later';
const notWaitingText =
	'Does not wait: the result is ready some minutes after the call. Do not create it again; call Get later';

/**
 * Builds an operation's tool descriptions, each with the form values that it applies to. There are
 * two if the user can choose whether calls wait for completion.
 */
export function buildToolDescriptions(resource: Resource, operation: Operation) {
	const id = getItemIdKey(resource, operation);
	const description = [
		endSentence(operation.action),
		endSentence(operation.description),
		...describeCost(operation),
		describeOutput(id, operation),
	].join(' ');
	if (operation.starts === undefined) return [{ description, conditions: {} }];
	const withId = `with ${id ?? 'its id'}.`;
	return [
		{
			description: `${description} ${waitingText} ${withId}`,
			conditions: { waitForCompletion: [true] },
		},
		{
			description: `${description} ${notWaitingText} ${withId}`,
			conditions: { waitForCompletion: [false] },
		},
	];
}
