import { z } from 'zod';
import { defineOperation } from '../../core/operation';

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
			displayName: 'Kind',
			name: 'type',
			type: 'options',
			options: [
				{ name: 'Icon', value: 'icon' },
				{ name: 'Image', value: 'image' },
			],
			default: 'image',
			required: true,
			description: 'Kind of asset to find; use an expression for other kinds',
			schema: z.string().min(1),
		},
		{
			displayName: 'Where',
			name: 'scope',
			type: 'options',
			options: [
				{ name: 'Own Files', value: 'personal', description: 'Assets in your account' },
				{ name: 'Public Catalog', value: 'public', description: 'Images that anyone can use' },
			],
			default: 'public',
			description: 'Collection to search; use an expression for other collections',
			schema: z.string().min(1),
		},
	],
	list: { pageSize: 50 },
	// Only the account's own files are assets (service.md, Guesses).
	itemId: null,
	reshapeItems: (items, { scope }) =>
		scope === 'personal'
			? items.map(({ json }) => ({ json: { asset_id: json.id, ...json } }))
			: items,
});
