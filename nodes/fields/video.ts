import type { Field } from '../core/form/field';
import { createListItem, buildResourceLocator } from './listSearch';

/** Form field for selecting a video from a list or by ID. */
export const videoField = {
	displayName: 'Video',
	name: 'video_id',
	description: 'The video to use',
	...buildResourceLocator(
		'searchVideos',
		'video_id',
		{
			line: 'GET /v3/videos',
			filter: 'title',
			entry: (row) => createListItem(row.id, row.title, [row.status], row.video_page_url),
		},
		{ line: 'GET /v3/videos/{video_id}' },
	),
} as const satisfies Field;

/** Keys that each video in a list keeps, in addition to its IDs, if the Simplify option is on. */
export const simplifiedVideoKeys = [
	'status',
	'title',
	'created_at',
	'completed_at',
	'duration',
	'folder_id',
	'output_language',
	'failure_code',
	'failure_message',
] as const;
