import { operation } from '../../core/operation';
import { look } from '../../fields/look';
import { refusePauses, spokenIn } from '../../fields/pauses';
import { audioBody, avatarSpeech } from '../../fields/speech';
import { checkTalking, engine, engineBody, talkingOptions } from '../../fields/videoOptions';
import { videoFiles } from '../../files';
import { videoJob } from '../../jobs';

export const createAvatar = operation({
	value: 'createAvatar',
	name: 'Create Avatar Video',
	action: 'Make an avatar speak in a video',
	description: 'An avatar speaks your text or your recording',
	request: 'POST /v3/videos',
	fields: [{ ...look, required: true }, ...avatarSpeech],
	options: [...talkingOptions, ...engine],
	check: checkTalking,
	refuse: async (values, client) => await refusePauses(client, ...spokenIn('Script', values)),
	body: ({ values, payload }) => ({
		type: 'avatar',
		...payload,
		...audioBody(values.audio),
		...engineBody(values),
	}),
	idempotent: true,
	starts: videoJob,
	files: videoFiles,
});
