import type { Field } from '../core/form/field';
import { entry } from '../core/form/list';
import { locator } from '../core/form/locator';

/** Style, by list or ID. */
export const style = {
	displayName: 'Style',
	name: 'style_id',
	collection: 'lookAndSound',
	description: 'A curated style for the look of the whole video',
	...locator('searchStyles', 'style_id', {
		line: 'GET /v3/video-agents/styles',
		// One example of the specification refuses more (docs/service.md, Conventions).
		pageSize: 50,
		entry: (row) =>
			entry(
				row.style_id,
				row.name,
				[row.aspect_ratio, Array.isArray(row.tags) ? row.tags.join(' ') : undefined],
				row.preview_video_url,
			),
	}),
} as const satisfies Field;
