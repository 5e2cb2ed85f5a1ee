/** The line under a node on the canvas. */
import type { Resource } from '../operation';

const articles = /\b(an?|the) /g;
const small = ['and', 'as', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'to', 'with'];

/** "Get the scenes of a video" as "Get Scenes of Video". */
const titleOf = (action: string) =>
	action
		.replace(articles, '')
		.replace(/[\w-]+/g, (word) =>
			small.includes(word) ? word : word[0]?.toUpperCase() + word.slice(1),
		);

/**
 * The chosen action in words, as an expression of n8n's. It holds them all, because expressions
 * know the values of a choice and not its names.
 */
export function subtitle(resources: readonly Resource[]): string {
	const several = resources.length > 1;
	const words = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value, action }) => [
			several ? `${resource} ${value}` : value,
			titleOf(action),
		]),
	);
	const key = several
		? '$parameter["resource"] + " " + $parameter["operation"]'
		: '$parameter["operation"]';
	return `={{ (${JSON.stringify(Object.fromEntries(words))})[${key}] }}`;
}
