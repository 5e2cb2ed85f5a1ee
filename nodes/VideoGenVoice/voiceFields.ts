import { apiLimits, otherLimits } from '../apiLimits';
import type { Field } from '../core/form/field';
import { formatRange } from '../core/form/validation';
import { fileListSchema, buildFileField } from '../fields/asset';

const { audio: recordings } = apiLimits['POST /v3/models/audio/voices'];

export const voiceGenderField = {
	displayName: 'Gender',
	name: 'gender',
	type: 'string',
	default: '',
	placeholder: 'e.g. female',
	description:
		'Gender of the voices, such as female or male. If not set, voices of all genders are included.',
} as const satisfies Field;

/** Form field for the recordings used to train a professional voice (service.md, Limits). */
export const trainingRecordingsField = {
	displayName: 'Recordings',
	name: 'audio',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	required: true,
	placeholder: 'Add Recording',
	description: `Recordings of one speaker: ${formatRange(recordings)} files with a total length of at least ${otherLimits.recordedMinutes} minutes`,
	options: [
		{
			displayName: 'Recording',
			name: 'recording',
			values: [buildFileField('voice.mp3', 'The recording', 'searchAudioFiles')],
		},
	],
	schema: fileListSchema.min(recordings.min).max(recordings.max),
} as const satisfies Field;

/**
 * Advice for the user if the connection breaks during a request to train a voice. The training may
 * or may not have started.
 */
export const uncertainTrainingHint =
	'The training may have started anyway. This request cannot be repeated safely, so the node did not retry it. Check the list from Professional Voice: Get Many before you run the workflow again: the number of training runs per month is limited.';
