/** What the description of a node says around its form. */
import { NodeConnectionTypes, type NodeHint } from 'n8n-workflow';
import { authentication, credentials } from '../http/credentials';
import type { Resource } from '../operation';
import { isPaid } from '../operationTraits';
import { buildProperties } from './properties';

const articles = /\b(an?|the) /g;
const lowercaseWords = [
	'and',
	'as',
	'at',
	'by',
	'for',
	'from',
	'in',
	'of',
	'on',
	'or',
	'to',
	'with',
];

/** "Get the scenes of a video" as "Get Scenes of Video". */
const toTitle = (action: string) =>
	action
		.replace(articles, '')
		.replace(/[\w-]+/g, (word) =>
			lowercaseWords.includes(word) ? word : word[0]?.toUpperCase() + word.slice(1),
		);

/** The chosen pair, as an expression of n8n's. */
const selectedPair = '$parameter["resource"] + " " + $parameter["operation"]';

/**
 * The line under a node on the canvas: the chosen action in words, as an expression of n8n's. It
 * holds them all, because expressions know the values of a choice and not its names.
 */
export function buildSubtitle(resources: readonly Resource[]): string {
	const several = resources.length > 1;
	const words = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value, action }) => [
			several ? `${resource} ${value}` : value,
			toTitle(action),
		]),
	);
	const key = several ? selectedPair : '$parameter["operation"]';
	return `={{ (${JSON.stringify(Object.fromEntries(words))})[${key}] }}`;
}

/**
 * What stands in the output pane before and during a run: several items are paid one by one, where
 * the chosen operation costs something.
 */
export function buildHints(resources: readonly Resource[]): NodeHint[] {
	const paid = resources.flatMap(({ value, operations }) =>
		operations.filter(isPaid).map((operation) => `${value} ${operation.value}`),
	);
	if (paid.length === 0) return [];
	return [
		{
			message:
				'Several items come in: each makes a result of its own, and each is charged. <b>Most Jobs per Run</b> under Options refuses more than you expect.',
			location: 'outputPane',
			whenToDisplay: 'beforeExecution',
			displayCondition: `={{ ${JSON.stringify(paid)}.includes(${selectedPair}) && $input.all().length > 1 }}`,
		},
	];
}

/**
 * What all nodes with operations share in their descriptions. The subtitle is not in it: n8n's rules
 * want to see one in each.
 */
export const buildCommonDescription = (resources: readonly Resource[]) => ({
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	credentials,
	hints: buildHints(resources),
	properties: [authentication, ...buildProperties(resources)],
});
