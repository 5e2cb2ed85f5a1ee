/** nodes/apiLimits.ts: the limits and values of simulator/openapi.yaml, for the forms of the nodes. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readApi } from '../simulator/api';
import { listDescribedProperties, type DescribedProperty } from './describedProperties';
import { nodesFolder } from './nodeFolders';

export const nodeLimitsFile = join(nodesFolder, 'apiLimits.ts');

/** By owner and path. The values of a schema that is itself a list of values have no path. */
type ByOwner = Record<string, unknown>;

function groupByOwner(pick: (property: DescribedProperty) => unknown): ByOwner {
	const groups: Record<string, Record<string, unknown>> = {};
	for (const property of listDescribedProperties()) {
		const picked = pick(property);
		if (picked === undefined) continue;
		const group = (groups[property.owner] ??= {});
		const known = (group[property.path] ??= picked);
		if (isDeepStrictEqual(known, picked)) continue;
		throw new Error(
			`simulator/openapi.yaml: variants of ${property.owner} differ in ${property.path}. Name one of them in components.schemas`,
		);
	}
	return Object.fromEntries(
		Object.entries(groups).map(([owner, { '': itself, ...group }]) => [owner, itself ?? group]),
	);
}

/** The constants of the module, by name. */
export const collectNodeLimits = () => ({
	apiLimits: groupByOwner(({ limit }) => limit),
	otherLimits: Object.assign({}, ...readApi()['x-limits'].map(({ numbers }) => numbers)) as ByOwner,
	apiValues: groupByOwner(({ values }) => (values.length > 0 ? values : undefined)),
});

/** The module before formatting. */
export function renderNodeLimits(): string {
	const { apiLimits, otherLimits, apiValues } = collectNodeLimits();
	const render = (constant: ByOwner) => `${JSON.stringify(constant)} as const`;
	return `/** Limits and values of the service. Generated from simulator/openapi.yaml by npm run generate. */

/**
 * Limits of numbers, of the characters of texts, and of the entries of lists, by request line or name of the
 * schema. \`[]\` is an entry of a list, \`*\` a key that users choose. \`above\` is a minimum that is not allowed itself.
 */
export const apiLimits = ${render(apiLimits)};

/** Limits that no schema can express. */
export const otherLimits = ${render(otherLimits)};

/** Values of lists, by request line or name of the schema. */
export const apiValues = ${render(apiValues)};
`;
}
