import type { Field } from '../core/form/field';
import { entry } from '../core/form/list';
import { locator } from '../core/form/locator';
import { sourceVideo, sourceAudio } from './dubbing';

/** Lipsync, by list or ID. */
export const lipsync = {
	displayName: 'Lipsync',
	name: 'lipsync_id',
	description: 'The lipsync to use',
	...locator('searchLipsyncs', 'lipsync_id', {
		line: 'GET /v3/lipsyncs',
		entry: (row) => entry(row.id, row.title, [row.status]),
	}),
} as const satisfies Field;

export const lipsyncVideo = sourceVideo('The video whose lips are to move');

export const lipsyncAudio = sourceAudio('The recording to speak');
