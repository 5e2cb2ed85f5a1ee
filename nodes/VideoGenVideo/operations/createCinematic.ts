import { z } from 'zod';
import { operation } from '../../core/operation';
import { callback } from '../../fields/callback';
import { folder } from '../../fields/folder';
import { aspectRatio, resolution, videoTitle } from '../../fields/videoOptions';
import { videoFiles } from '../../files';
import { videoJob } from '../../jobs';
import {
	autoDuration,
	cinematicDuration,
	cinematicLooks,
	cinematicPrompt,
	enhancePrompt,
	references,
} from '../cinematic';

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
			options: [
				{ name: '1:1', value: '1:1' },
				{ name: '16:9', value: '16:9' },
				{ name: '9:16', value: '9:16' },
			],
			schema: z.enum(['16:9', '9:16', '1:1']),
		},
		autoDuration,
		...callback,
		{ ...cinematicDuration, collection: 'lookAndSound' },
		enhancePrompt,
		folder,
		references,
		{
			...resolution,
			options: [
				{ name: '1080p', value: '1080p' },
				{ name: '720p', value: '720p' },
			],
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
