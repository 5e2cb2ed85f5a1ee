import type { Field } from '../core/form/field';
import { createListItem, buildResourceLocator } from '../fields/listSearch';
import {
	dubbingOptions,
	fpsModeField,
	buildReplacementAudioField,
	buildSourceVideoField,
} from '../fields/dubbing';
import { folderField } from '../fields/folder';

/** Form field for selecting a lipsync job from a list or by ID. */
export const lipsyncJobField = {
	displayName: 'Lipsync',
	name: 'lipsync_id',
	description: 'The lipsync to use',
	...buildResourceLocator('searchLipsyncs', 'lipsync_id', {
		line: 'GET /v3/lipsyncs',
		entry: (row) => createListItem(row.id, row.title, [row.status]),
	}),
} as const satisfies Field;

export const lipsyncVideoField = buildSourceVideoField('The video to sync to the new speech');

export const lipsyncAudioField = buildReplacementAudioField('The recording with the new speech');

/** Form options for a lipsync job, whether the job is created alone or as part of a batch. */
export const lipsyncOptions = [...dubbingOptions, folderField, fpsModeField] as const;
