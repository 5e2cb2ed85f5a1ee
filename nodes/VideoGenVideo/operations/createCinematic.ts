import { z } from 'zod';
import { operation } from '../../core/operation';
import { callbackFields } from '../../fields/callback';
import { folder } from '../../fields/folder';
import { aspectRatio, createValueOptions, resolution, videoTitle } from '../../fields/videoOptions';
import { videoFiles } from '../../jobs/files';
import { videoJob } from '../../jobs/catalog';
import {
	cinematicAutoDuration,
	cinematicDuration,
	cinematicLooks,
	cinematicPrompt,
	cinematicEnhancePrompt,
	cinematicReferences,
} from '../cinematicFields';

export const createCinematic = operation({
	value: 'createCinematic',
	name: 'Create Cinematic Video',
	action: 'Make a cinematic video of avatars',
	description:
		'One to three avatars act out a prompt, without speech; each video costs 7.00 USD, whatever its length',
	request: 'POST /v3/videos',
	price: '7.00 USD for each video, however long it is',
	fields: [cinematicPrompt, cinematicLooks],
	options: [
		{
			...aspectRatio,
			options: createValueOptions('1:1', '16:9', '9:16'),
			schema: z.enum(['16:9', '9:16', '1:1']),
		},
		cinematicAutoDuration,
		...callbackFields,
		{ ...cinematicDuration, collection: 'lookAndSound' },
		cinematicEnhancePrompt,
		folder,
		cinematicReferences,
		{
			...resolution,
			options: createValueOptions('1080p', '720p'),
			default: '720p',
			schema: z.enum(['720p', '1080p']),
		},
		videoTitle,
	],
	check: (values) => [
		values.auto_duration === true &&
			values.duration !== undefined &&
			'"Duration (Seconds)" cannot be used with "Automatic Duration": remove one of the two',
	],
	body: ({ payload }) => ({ type: 'cinematic_avatar', ...payload }),
	idempotent: true,
	starts: videoJob,
	files: videoFiles,
});
