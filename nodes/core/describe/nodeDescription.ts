/** Builds the parts of a node description that all nodes share. */
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

/** Turns "Get the scenes of a video" into "Get Scenes of Video". */
const toTitle = (action: string) =>
	action
		.replace(articles, '')
		.replace(/[\w-]+/g, (word) =>
			lowercaseWords.includes(word) ? word : word[0]?.toUpperCase() + word.slice(1),
		);

/** Expression that joins the selected resource and operation. */
const selectedPair = '$parameter["resource"] + " " + $parameter["operation"]';

/**
 * Builds the expression for the line under a node on the canvas: the title of the selected action.
 * It contains all titles, because expressions can read only the values of options, not their names.
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
 * Builds the warning in the output pane that a paid operation charges each of several input items.
 */
export function buildHints(resources: readonly Resource[]): NodeHint[] {
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
 * Builds the description keys that all nodes with operations share. The subtitle is missing,
 * because the lint rules of n8n require it in the file of each node.
 */
export const buildCommonDescription = (resources: readonly Resource[]) => ({
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	credentials: credentialDescriptions,
	hints: buildHints(resources),
	properties: [authenticationField, ...buildProperties(resources)],
});
