import { defineOperation } from '../../core/operation';
import { lookField } from '../../fields/look';
import { buildLookUse, rejectUnsuitableLooks } from '../../fields/lookSuitability';
import { rejectUnsupportedPauses, findSpokenTexts } from '../../fields/pauses';
import { buildRecordingReference, avatarSpeechFields } from '../../fields/speech';
import {
	findSpeakingVideoConflicts,
	avatarEngineFields,
	buildAvatarEngineConfig,
	deriveCaptionsFromDownload,
	listSpeakingVideoHints,
	standaloneSpeakingVideoOptions,
} from '../../fields/videoOptions';
import { videoJob } from '../../jobKinds/catalog';

export const createAvatar = defineOperation({
	value: 'createAvatar',
	name: 'Create Avatar Video',
	action: 'Create video of speaking avatar',
	description: 'Create a video of an avatar that speaks your text or lip-syncs to your recording',
	request: 'POST /v3/videos',
	fields: [{ ...lookField, required: true }, ...avatarSpeechFields],
	options: [...standaloneSpeakingVideoOptions, ...avatarEngineFields],
	check: findSpeakingVideoConflicts,
	listHints: listSpeakingVideoHints,
	reject: async (values, client) => {
		await rejectUnsupportedPauses(client, ...findSpokenTexts('Script', values));
		await rejectUnsuitableLooks(client, buildLookUse(values));
	},
	body: ({ values, payload }) => ({
		type: 'avatar',
		caption: deriveCaptionsFromDownload(values.caption, values.download),
		...payload,
		...buildRecordingReference(values.audio),
		...buildAvatarEngineConfig(values),
	}),
	idempotent: true,
	starts: videoJob,
	sample: { reply: { output_format: 'mp4' } },
});
