import { defineOperation } from '../../core/operation';
import { rejectUnsupportedPauses, findSpokenTexts } from '../../fields/pauses';
import { buildRecordingReference, imageSpeechFields } from '../../fields/speech';
import {
	findSpeakingVideoConflicts,
	deriveCaptionsFromDownload,
	listSpeakingVideoHints,
	standaloneSpeakingVideoOptions,
} from '../../fields/videoOptions';
import { videoJob } from '../../jobKinds/catalog';
import { speakingImageField } from '../speakingImage';

export const createImage = defineOperation({
	value: 'createImage',
	name: 'Create Image Video',
	action: 'Create video of speaking image',
	description:
		'Create a video in which the person in an image speaks your text or lip-syncs to your recording',
	request: 'POST /v3/videos',
	fields: [speakingImageField, ...imageSpeechFields],
	options: standaloneSpeakingVideoOptions,
	check: findSpeakingVideoConflicts,
	listHints: listSpeakingVideoHints,
	reject: async (values, client) =>
		await rejectUnsupportedPauses(client, ...findSpokenTexts('Script', values)),
	body: ({ values, payload }) => ({
		type: 'image',
		caption: deriveCaptionsFromDownload(values.caption, values.download),
		...payload,
		...buildRecordingReference(values.audio),
	}),
	idempotent: true,
	starts: videoJob,
	sample: { reply: { output_format: 'mp4' } },
});
