import { z } from 'zod';
import type { Field } from '../core/form/field';
import { entry, listSearch } from '../core/form/list';

/** Videos of the account; the service filters by title. */
const searchVideos = listSearch({
	line: 'GET /v3/videos',
	pageSize: 100,
	filter: 'title',
	entry: (row) => entry(row.id, row.title, [row.status], row.video_page_url),
});

/** Video, by list or ID. */
export const video = {
	displayName: 'Video',
	name: 'video_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'The video to use',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchVideos', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. {{ $json.video_id }}' },
	],
	schema: z.string().min(1),
	search: { searchVideos },
} as const satisfies Field;
