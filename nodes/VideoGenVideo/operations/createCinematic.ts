import { z } from 'zod';
import { apiValues } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { callbackFields } from '../../fields/callback';
import { folderField } from '../../fields/folder';
import { listValues } from '../../fields/namedValues';
import { aspectRatioField, resolutionField, videoTitleField } from '../../fields/videoOptions';
import { videoJob } from '../../jobKinds/catalog';
import { cinematicResultFiles } from '../../jobKinds/files';
import {
	cinematicAutoDurationField,
	cinematicDurationField,
	cinematicLooksField,
	cinematicPrice,
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
	price: cinematicPrice,
	fields: [cinematicPromptField, cinematicLooksField],
	options: [
		{
			...aspectRatioField,
			options: listValues(apiValues.CinematicVideo.aspect_ratio),
			schema: z.enum(apiValues.CinematicVideo.aspect_ratio),
		},
		cinematicAutoDurationField,
		...callbackFields,
		{ ...cinematicDurationField, collection: 'lookAndSound' },
		cinematicEnhancePromptField,
		folderField,
		cinematicReferencesField,
		{
			...resolutionField,
			options: listValues(apiValues.CinematicVideo.resolution),
			default: '720p',
			schema: z.enum(apiValues.CinematicVideo.resolution),
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
