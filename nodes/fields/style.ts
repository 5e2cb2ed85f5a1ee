import { z } from 'zod';
import type { Field } from '../core/form/field';
import { entry, listSearch } from '../core/form/list';

/** Pages of 50: one example of the specification refuses more than that. */
const searchStyles = listSearch({
	line: 'GET /v3/video-agents/styles',
	pageSize: 50,
	entry: (row) =>
		entry(
			row.style_id,
			row.name,
			[row.aspect_ratio, Array.isArray(row.tags) ? row.tags.join(' ') : undefined],
			row.preview_video_url,
		),
});

/** Style, by list or ID. */
export const style = {
	displayName: 'Style',
	name: 'style_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'A curated style for the look of the whole video',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchStyles', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. style_retro' },
	],
	schema: z.string().min(1),
	search: { searchStyles },
} as const satisfies Field;
