import { operation } from '../../core/operation';
import { refusePauses, spokenIn } from '../../fields/pauses';
import { audioBody, imageSpeech } from '../../fields/speech';
import { checkTalking, talkingOptions } from '../../fields/videoOptions';
import { videoFiles } from '../../files';
import { videoJob } from '../../jobs';
import { speakingImage } from '../speakingImage';

export const createImage = operation({
	value: 'createImage',
	name: 'Create Image Video',
	action: 'Make a picture speak in a video',
	description: 'A picture of a person comes alive and speaks',
	request: 'POST /v3/videos',
	fields: [speakingImage, ...imageSpeech],
	options: talkingOptions,
	check: checkTalking,
	refuse: async (values, client) => await refusePauses(client, ...spokenIn('Script', values)),
	body: ({ values, payload }) => ({ type: 'image', ...payload, ...audioBody(values.audio) }),
	idempotent: true,
	starts: videoJob,
	files: videoFiles,
});
