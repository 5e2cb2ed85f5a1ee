import { z } from 'zod';
import { defineOperation } from '../../core/operation';
import { callbackFields } from '../../fields/callback';
import { folderField } from '../../fields/folder';
import {
	aspectRatioField,
	createOptionsFromValues,
	resolutionField,
	videoTitleField,
} from '../../fields/videoOptions';
import { videoJob } from '../../jobKinds/catalog';
import { cinematicResultFiles } from '../../jobKinds/files';
import {
	cinematicAutoDurationField,
	cinematicDurationField,
	cinematicLooksField,
	cinematicPromptField,
	cinematicEnhancePromptField,
	cinematicReferencesField,
} from '../cinematicFields';

export const createCinematic = defineOperation({
	value: 'createCinematic',
	name: 'Create Cinematic Video',
	action: 'Create cinematic avatar video',
	description:
		'Create a video of one to three avatars that act out a prompt without speech, for 7.00 USD regardless of length',
	request: 'POST /v3/videos',
	price: '7.00 USD per video of any length',
	fields: [cinematicPromptField, cinematicLooksField],
	options: [
		{
			...aspectRatioField,
			options: createOptionsFromValues('1:1', '16:9', '9:16'),
			schema: z.enum(['16:9', '9:16', '1:1']),
		},
		cinematicAutoDurationField,
		...callbackFields,
		{ ...cinematicDurationField, collection: 'lookAndSound' },
		cinematicEnhancePromptField,
		folderField,
		cinematicReferencesField,
		{
			...resolutionField,
			options: createOptionsFromValues('1080p', '720p'),
			default: '720p',
			schema: z.enum(['720p', '1080p']),
		},
		videoTitleField,
	],
	check: (values) => [
		values.auto_duration === true &&
			values.duration !== undefined &&
			'"Duration (Seconds)" cannot be used with "Automatic Duration": remove one of the two',
	],
	body: ({ payload }) => ({ type: 'cinematic_avatar', ...payload }),
	idempotent: true,
	starts: videoJob,
	files: cinematicResultFiles,
	sample: { reply: { output_format: 'mp4' } },
});
