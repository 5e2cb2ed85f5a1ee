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

export const lipsyncVideo = {
	...sourceVideo,
	description:
		'The video whose lips are to move: a public address, an asset of the service, or a file of the item',
} as const satisfies Field;

export const lipsyncAudio = {
	...sourceAudio,
	description:
		'The recording to speak: a public address, an asset of the service, or a file of the item',
} as const satisfies Field;
