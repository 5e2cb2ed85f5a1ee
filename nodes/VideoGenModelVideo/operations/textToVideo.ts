import { defineOperation } from '../../core/operation';
import { modelVideoFields, modelVideoOptions, modelVideoAspectRatioField } from '../modelVideo';
import { modelVideoJob } from '../../jobKinds/catalog';

export const textToVideo = defineOperation({
	value: 'textToVideo',
	name: 'Text to Video',
	action: 'Create short video from text',
	description: 'Create a short video from a prompt',
	request: 'POST /v3/models/videos',
	fields: modelVideoFields,
	options: [modelVideoAspectRatioField, ...modelVideoOptions],
	body: ({ payload }) => ({ mode: 'text_to_video', ...payload }),
	idempotent: true,
	starts: modelVideoJob,
});
