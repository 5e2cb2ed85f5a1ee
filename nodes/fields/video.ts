import type { Field } from '../core/form/field';
import { entry } from '../core/form/list';
import { locator } from '../core/form/locator';

/** Video, by list or ID. */
export const video = {
	displayName: 'Video',
	name: 'video_id',
	description: 'The video to use',
	...locator('searchVideos', 'video_id', {
		line: 'GET /v3/videos',
		filter: 'title',
		entry: (row) => entry(row.id, row.title, [row.status], row.video_page_url),
	}),
} as const satisfies Field;

/** What Simplify leaves of a video in a list, beside its ids. */
export const simpleVideo = [
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
