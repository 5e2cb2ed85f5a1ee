import type { Field } from '../core/form/field';
import { createListItem, buildResourceLocator } from '../fields/listSearch';

/**
 * Number of styles to request per page. The specification gives both 100 and 50 as the maximum, so
 * the nodes use the smaller number (service.md, Conventions).
 */
export const stylesPerPage = 50;

export const styleField = {
	displayName: 'Style',
	name: 'style_id',
	collection: 'lookAndSound',
	description: 'Curated visual style for the whole video. If not set, the agent chooses the style.',
	...buildResourceLocator(
		'searchStyles',
		'style_id',
		{
			line: 'GET /v3/video-agents/styles',
			pageSize: stylesPerPage,
			entry: (row) =>
				createListItem(
					row.style_id,
					row.name,
					[row.aspect_ratio, Array.isArray(row.tags) ? row.tags.join(' ') : undefined],
					row.preview_video_url,
				),
		},
		{ line: 'GET /v3/video-agents/styles', listKey: 'style_id' },
	),
} as const satisfies Field;
