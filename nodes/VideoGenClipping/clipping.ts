import type { Field } from '../core/form/field';
import { createListItem, buildResourceLocator } from '../fields/listSearch';
import { toNumber } from '../core/json';
import { createDependentListSearch } from '../fields/dependentLists';

export const clippingJobField = {
	displayName: 'Clipping Job',
	name: 'job_id',
	required: true,
	description: 'Job that cuts a video into clips',
	...buildResourceLocator('searchClippings', 'job_id', {
		line: 'GET /v3/ai-clipping',
		entry: (row) => createListItem(row.id, row.title, [row.status, row.callback_id]),
	}),
} as const satisfies Field;

/**
 * Name of the form field for selecting a clipping job, and the endpoint that returns the selected
 * job. The Clip dropdown lists that job's clips.
 */
const selectedClipping = { field: 'job_id', line: 'GET /v3/ai-clipping/{job_id}' };

const searchClips = createDependentListSearch(selectedClipping, 'clips', (clip) => {
	const seconds = toNumber(clip.duration_seconds ?? NaN);
	const length = Number.isFinite(seconds) ? `${Math.round(seconds)} s` : undefined;
	const status = clip.status === 'completed' ? undefined : clip.status;
	return createListItem(clip.id, clip.title, [length, status], clip.video_url);
});

export const clipField = {
	displayName: 'Clip',
	name: 'clip_id',
	required: true,
	description: "One of the job's clips",
	...buildResourceLocator('searchClips', 'clip_id', searchClips),
	in: 'local',
} as const satisfies Field;

export const oneItemPerClipField = {
	displayName: 'One Item per Clip',
	name: 'splitIntoClips',
	type: 'boolean',
	default: false,
	description:
		'Whether to return one item per clip instead of one item with all clips. The item for each clip contains the fields of the clip, "clip_id", "job_id", and the job under "clipping".',
	in: 'local',
} as const satisfies Field;
