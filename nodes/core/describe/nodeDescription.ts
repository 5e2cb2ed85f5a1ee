/** Builds the parts of a node's description that are the same in all nodes. */
import { NodeConnectionTypes, type NodeHint } from 'n8n-workflow';
import { authenticationField, credentialDescriptions } from '../http/credentials';
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

/**
 * Converts an action such as "Get the scenes of a video" to a title such as "Get Scenes of Video".
 */
const toTitle = (action: string) =>
	action
		.replace(articles, '')
		.replace(/[\w-]+/g, (word) =>
			lowercaseWords.includes(word) ? word : word[0]?.toUpperCase() + word.slice(1),
		);

/** n8n expression that joins the selected resource and operation with a space. */
const selectedPair = '$parameter["resource"] + " " + $parameter["operation"]';

/**
 * Builds the n8n expression for the subtitle of a node on the canvas, which is the title of the
 * selected action. It contains all titles, because expressions can read the values of options but
 * not their names.
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
 * Builds a hint for the output pane. Before execution, the hint warns that a paid operation charges
 * for each input item.
 */
export function buildChargeHints(resources: readonly Resource[]): NodeHint[] {
	const paid = resources.flatMap(({ value, operations }) =>
		operations.filter(isPaid).map((operation) => `${value} ${operation.value}`),
	);
	if (paid.length === 0) return [];
	return [
		{
			message:
				'Each input item creates its own result, and each is charged. <b>Most Jobs per Run</b> under Options sets a limit.',
			location: 'outputPane',
			whenToDisplay: 'beforeExecution',
			displayCondition: `={{ ${JSON.stringify(paid)}.includes(${selectedPair}) && $input.all().length > 1 }}`,
		},
	];
}

/**
 * Builds the parts of a node's description that all nodes with operations share. It excludes the
 * subtitle, which n8n's lint rules require in the file of each node.
 */
export const buildCommonDescription = (resources: readonly Resource[]) => ({
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	credentials: credentialDescriptions,
	hints: buildChargeHints(resources),
	properties: [authenticationField, ...buildProperties(resources)],
});
