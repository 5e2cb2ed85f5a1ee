/** Builds the parts of the n8n node description that all nodes in this package have in common. */
import { NodeConnectionTypes, type NodeHint } from 'n8n-workflow';
import { authenticationField, credentialDescriptions } from '../http/credentials';
import type { Operation, Resource } from '../operation';
import { isPaid } from '../operationTraits';
import { buildNodeProperties } from './properties';

const articles = /\b(an?|the) /g;
const lowercaseWords = 'and as at by for from in of on or to with'.split(' ');

/** Converts "Get scenes of a video" to "Get Scenes of Video". */
const toTitle = (action: string) =>
	action
		.replace(articles, '')
		.replace(/[\w-]+/g, (word) =>
			lowercaseWords.includes(word) ? word : word[0]?.toUpperCase() + word.slice(1),
		);

const selectedPair = '$parameter["resource"] + " " + $parameter["operation"]';

/**
 * Contains the titles of all operations, because expressions cannot read a selected option's name.
 */
export function buildSubtitle(resources: readonly Resource[]): string {
	const hasSeveralResources = resources.length > 1;
	const titles = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value, action }) => [
			hasSeveralResources ? `${resource} ${value}` : value,
			toTitle(action),
		]),
	);
	const key = hasSeveralResources ? selectedPair : '$parameter["operation"]';
	return `={{ (${JSON.stringify(Object.fromEntries(titles))})[${key}] }}`;
}

/**
 * Builds a hint for the output pane before the node runs, if one of these operations is selected.
 *
 * @param condition further condition for showing the hint, as an n8n expression
 */
function buildHints(
	resources: readonly Resource[],
	isHinted: (operation: Operation) => boolean,
	condition: string,
	message: string,
): NodeHint[] {
	const pairs = resources.flatMap(({ value, operations }) =>
		operations.filter(isHinted).map((operation) => `${value} ${operation.value}`),
	);
	if (pairs.length === 0) return [];
	return [
		{
			message,
			location: 'outputPane',
			whenToDisplay: 'beforeExecution',
			displayCondition: `={{ ${JSON.stringify(pairs)}.includes(${selectedPair}) && ${condition} }}`,
		},
	];
}

/** Warns that a paid operation charges for every input item. */
export const buildChargeHints = (resources: readonly Resource[]) =>
	buildHints(
		resources,
		isPaid,
		'$input.all().length > 1',
		'Each input item creates its own result, and you are charged for each result. To set a limit, use <b>Most Jobs per Run</b> under Options.',
	);

/** Shown next to the spinner while an operation waits for its job. */
export const buildWaitHints = (resources: readonly Resource[]) =>
	buildHints(
		resources,
		({ starts }) => starts !== undefined,
		'$parameter["waitForCompletion"] === true',
		'This node waits until the result is finished. <b>Wait for Completion</b> says how long that usually takes.',
	);

/** Omits the subtitle, which n8n's lint rules require in each node's own file. */
export const buildCommonDescription = (resources: readonly Resource[]) => ({
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	credentials: credentialDescriptions,
	hints: [...buildChargeHints(resources), ...buildWaitHints(resources)],
	properties: [authenticationField, ...buildNodeProperties(resources)],
});
