import { z } from 'zod';
import { apiLimits, apiValues } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { nameValues } from '../../fields/namedValues';

const searched = apiValues['GET /v3/assets/search'];

export const search = defineOperation({
	value: 'search',
	name: 'Search',
	action: 'Find images by keyword',
	description: 'Search for images and icons by keyword, in the public catalog or in your account',
	request: 'GET /v3/assets/search',
	returns: ['id', 'url', 'width', 'height', 'type'],
	fields: [
		{
			displayName: 'Search For',
			name: 'query',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. lighthouse at night',
			description: 'Keywords that describe the image',
		},
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: nameValues(searched.type, { icon: 'Icon', image: 'Image' }),
			default: 'image',
			required: true,
			description: 'Type of asset to find; use an expression for other types',
			schema: z.string().min(1),
		},
		{
			displayName: 'Search In',
			name: 'scope',
			type: 'options',
			options: nameValues(searched.scope, {
				personal: { name: 'My Files', description: 'Assets in your account' },
				public: { name: 'Public Catalog', description: 'Images that anyone can use' },
			}),
			default: 'public',
			description: 'Collection to search; use an expression for other collections',
			schema: z.string().min(1),
		},
	],
	list: { pageSize: apiLimits['GET /v3/assets/search'].limit.max },
	// Only files of the account are assets (service.md, Guesses).
	itemId: null,
	reshapeItems: (items, { scope }) =>
		scope === 'personal'
			? items.map(({ json }) => ({ json: { asset_id: json.id, ...json } }))
			: items,
});
