import type { Field } from '../core/form/field';
import { createListItem } from '../core/form/listSearch';
import { resourceLocator } from '../core/form/resourceLocator';
import { sourceVideo, sourceAudio } from '../fields/dubbing';

/** Lipsync, by list or ID. */
export const lipsync = {
	displayName: 'Lipsync',
	name: 'lipsync_id',
	description: 'The lipsync to use',
	...resourceLocator('searchLipsyncs', 'lipsync_id', {
		line: 'GET /v3/lipsyncs',
		entry: (row) => createListItem(row.id, row.title, [row.status]),
	}),
} as const satisfies Field;

export const lipsyncVideo = sourceVideo('The video whose lips are to move');

export const lipsyncAudio = sourceAudio('The recording to speak');
