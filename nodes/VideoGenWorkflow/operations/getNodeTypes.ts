import type { IDataObject } from 'n8n-workflow';
import { readObjects } from '../../core/json';
import { operation } from '../../core/operation';

/** The variants of a family, each with what it is a variant of. */
function readVariants({ variants, family, display_name: name }: IDataObject): IDataObject[] {
	return readObjects(variants).map((variant) => ({
		family,
		family_display_name: name,
		...variant,
	}));
}

export const getNodeTypes = operation({
	value: 'getNodeTypes',
	name: 'Get Node Types',
	action: 'Get the kinds of steps of workflows',
	description: 'List the nodes that a graph can be made of, with their settings and ports',
	request: 'GET /v3/workflows/node-types',
	options: [
		{
			displayName: 'One Item per Variant',
			name: 'perVariant',
			type: 'boolean',
			default: false,
			description:
				'Whether each variant of a family becomes an item of its own, instead of one item per family',
			in: 'local',
		},
	],
	list: 'unpaged',
	itemId: null,
	reshapeItems: (items, { perVariant }) =>
		perVariant
			? items.flatMap(({ json }) => readVariants(json).map((one) => ({ json: one })))
			: items,
});
