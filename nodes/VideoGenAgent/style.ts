import type { Field } from '../core/form/field';
import { createListItem } from '../core/form/listSearch';
import { resourceLocator } from '../core/form/resourceLocator';

/** Style, by list or ID. */
export const style = {
	displayName: 'Style',
	name: 'style_id',
	collection: 'lookAndSound',
	description: 'A curated style for the look of the whole video',
	...resourceLocator('searchStyles', 'style_id', {
		line: 'GET /v3/video-agents/styles',
		// One example of the specification refuses more (docs/service.md, Conventions).
		pageSize: 50,
		entry: (row) =>
			createListItem(
				row.style_id,
				row.name,
				[row.aspect_ratio, Array.isArray(row.tags) ? row.tags.join(' ') : undefined],
				row.preview_video_url,
			),
	}),
} as const satisfies Field;
