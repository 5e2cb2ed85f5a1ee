import { apiLimits, otherLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createNumberSchema } from '../../core/form/validation';
import { agentFilesField, toAssetId } from '../../fields/asset';
import { callbackFields } from '../../fields/callback';
import { createRemovalExplanations, legacyNotice } from '../../fields/legacy';
import { lookField } from '../../fields/look';
import { voiceField } from '../../fields/voice';
import { videoJob } from '../../jobKinds/catalog';
import { incognitoModeField, orientationField, agentPromptField } from '../generationFields';

const { duration_sec: duration, files: assets } = apiLimits['POST /v1/video_agent/generate'];

export const generateLegacy = defineOperation({
	value: 'generateLegacy',
	name: 'Generate Video (Legacy)',
	action: 'Generate video from prompt (Legacy)',
	description:
		'Turn a prompt into a video with the legacy API, which the service is retiring; use Generate Video instead',
	request: 'POST /v1/video_agent/generate',
	fields: [legacyNotice, agentPromptField],
	options: [
		lookField,
		...callbackFields,
		{
			displayName: 'Duration (Seconds)',
			name: 'duration_sec',
			collection: 'lookAndSound',
			type: 'number',
			default: 0,
			unset: 0,
			description: `Target length of the video, at least ${duration.min} seconds. Use 0 to let the agent choose.`,
			schema: createNumberSchema(duration).int().safe(),
		},
		{
			...agentFilesField,
			description: `Up to ${assets.max} assets or binary fields for the agent to use: PNG, JPEG, MP4, WebM, MP3, WAV or PDF, at most ${otherLimits.agentFileMegabytes} MB each`,
		},
		incognitoModeField,
		orientationField,
		voiceField,
	],
	check: ({ files = [] }) =>
		files.map(
			({ type }, i) =>
				type === 'url' &&
				`"Files → entry ${i + 1}" must be an asset or a binary field: the legacy API accepts no URLs`,
		),
	// The legacy API takes asset IDs without a `type`.
	body: ({ payload, values: { files } }) =>
		files === undefined
			? payload
			: {
					...payload,
					files: files.map((file) => ({ asset_id: toAssetId(file) })),
				},
	starts: videoJob,
	sample: { reply: { session_id: 'sample_session_{n}' } },
	explanations: createRemovalExplanations('the operation Generate Video'),
	uncertainOutcomeHint:
		'The video may have been created anyway. This request cannot be repeated safely, so the node did not retry it. Look for the video with Get Many in the VideoGen Video node before you run the workflow again, or you may pay twice.',
});
