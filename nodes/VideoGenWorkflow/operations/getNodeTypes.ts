import type { IDataObject } from 'n8n-workflow';
import { readObjects } from '../../core/json';
import { defineOperation } from '../../core/operation';

/**
 * Returns the variants in a family of node types, each with the family's name. These node types
 * belong to the video service's own workflows, not to n8n.
 */
function readVariants({ variants, family, display_name }: IDataObject): IDataObject[] {
	return readObjects(variants).map((variant) => ({
		family,
		family_display_name: display_name,
		...variant,
	}));
}

export const getNodeTypes = defineOperation({
	value: 'getNodeTypes',
	name: 'Get Node Types',
	action: 'Get workflow node types',
	description: 'List the node types that a graph can use, with their settings and ports',
	request: 'GET /v3/workflows/node-types',
	returns: ['family', 'display_name', 'variants'],
	options: [
		{
			displayName: 'One Item per Variant',
			name: 'perVariant',
			type: 'boolean',
			default: true,
			description:
				'Whether to return one item per node type variant instead of one per node type family',
			in: 'local',
		},
	],
	list: 'unpaged',
	itemId: null,
	reshapeItems: (items, { perVariant }) =>
		perVariant ? items.flatMap((item) => readVariants(item.json).map((json) => ({ json }))) : items,
});
