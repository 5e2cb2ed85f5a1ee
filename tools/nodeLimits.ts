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
	return `/**
 * Limits and values that the service's API defines. Generated from simulator/openapi.yaml by npm
 * run generate.
 */

/**
 * Limits of the service: ranges of numbers, lengths of texts in characters, and numbers of list
 * entries. The top-level keys are endpoints or names of schemas. In the keys below them, \`[]\`
 * stands for a list entry and \`*\` for a key that the user chooses. \`above\` is an exclusive minimum.
 */
export const apiLimits = ${render(apiLimits)};

/** Limits of the service that an OpenAPI schema cannot express. */
export const otherLimits = ${render(otherLimits)};

/**
 * Values that the API defines for properties with a fixed set of values. The top-level keys are
 * endpoints or names of schemas.
 */
export const apiValues = ${render(apiValues)};
`;
}
