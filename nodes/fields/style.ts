import type { Field } from '../core/form/field';
import { entry, type ListSource } from '../core/form/list';
import { locator } from '../core/form/locator';

/** Pages of 50: one example of the specification refuses more (docs/service.md, Conventions). */
const styles: ListSource = {
	line: 'GET /v3/video-agents/styles',
	pageSize: 50,
	entry: (row) =>
		entry(
			row.style_id,
			row.name,
			[row.aspect_ratio, Array.isArray(row.tags) ? row.tags.join(' ') : undefined],
			row.preview_video_url,
		),
};

/** Style, by list or ID. */
export const style = {
	displayName: 'Style',
	name: 'style_id',
	collection: 'lookAndSound',
	description: 'A curated style for the look of the whole video',
	...locator('searchStyles', styles, 'style_id'),
} as const satisfies Field;
