import { z } from 'zod';
import { operation } from '../../core/operation';

export const search = operation({
	value: 'search',
	name: 'Search',
	action: 'Find pictures by words',
	description: 'Find pictures and icons by words, of everybody or of the account',
	request: 'GET /v3/assets/search',
	fields: [
		{
			displayName: 'Search For',
			name: 'query',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. lighthouse at night',
			description: 'What the picture shows',
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
			description: 'What to look for; an expression may give another kind',
			schema: z.string().min(1),
		},
		{
			displayName: 'Where',
			name: 'scope',
			type: 'options',
			options: [
				{ name: 'Own Files', value: 'personal', description: 'The assets of the account' },
				{ name: 'Public Catalog', value: 'public', description: 'Pictures that everybody may use' },
			],
			default: 'public',
			description: 'Where to look; an expression may give another place',
			schema: z.string().min(1),
		},
	],
	list: { pageSize: 50 },
	// Only what the account owns is an asset (docs/service.md, Guesses).
	itemId: null,
	reshapeItems: (items, { scope }) =>
		scope === 'personal'
			? items.map(({ json }) => ({ json: { asset_id: json.id, ...json } }))
			: items,
});
