import type { Field } from '../core/form/field';
import { fileList, buildFileField } from '../fields/asset';

/** Of voices that are looked for. */
export const voiceGender = {
	displayName: 'Gender',
	name: 'gender',
	type: 'string',
	default: '',
	placeholder: 'e.g. female',
	description: 'Only voices of this gender, such as female or male',
} as const satisfies Field;

/** What a professional voice is trained with (docs/service.md, Limits). */
export const trainingRecordings = {
	displayName: 'Recordings',
	name: 'audio',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	required: true,
	placeholder: 'Add Recording',
	description: 'Recordings of one speaker, 1 to 10 files that last 20 minutes or more together',
	options: [
		{
			displayName: 'Recording',
			name: 'recording',
			values: [buildFileField('voice.mp3')],
		},
	],
	schema: fileList.min(1).max(10),
} as const satisfies Field;

/** Says what a lost answer may have left behind. */
export const uncertainTrainingHint =
	'The training may have started all the same: the service gives no way to repeat this request safely, so it was not repeated. Look with Professional Voice, Get Many before you run again: trainings are limited per month.';
