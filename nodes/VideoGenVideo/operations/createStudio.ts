import { z } from 'zod';
import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { formatRange } from '../../core/form/validation';
import { brandGlossaryField } from '../../fields/brandGlossary';
import { callbackFields } from '../../fields/callback';
import { folderField } from '../../fields/folder';
import { jsonObjectSchema, jsonValueSchema } from '../../fields/jsonSchemas';
import { rejectUnsupportedPauses, findSpokenTexts } from '../../fields/pauses';
import { findLookUses, rejectUnsuitableLooks } from '../../fields/lookSuitability';
import { studioSceneListFields } from '../studioScenes';
import {
	aspectRatioField,
	captionField,
	findCaptionConflict,
	deriveCaptionsFromDownload,
	listSpeakingVideoHints,
	resolutionField,
	videoTitleField,
	watermarkField,
} from '../../fields/videoOptions';
import { videoJob } from '../../jobKinds/catalog';

export const createStudio = defineOperation({
	value: 'createStudio',
	name: 'Create Studio Video',
	action: 'Create video with several scenes',
	description: `Create a video of ${formatRange(apiLimits.StudioVideo.scenes)} scenes with avatars, images and videos`,
	request: 'POST /v3/videos',
	fields: studioSceneListFields,
	options: [
		aspectRatioField,
		brandGlossaryField,
		...callbackFields,
		{ ...captionField, name: 'captions' },
		folderField,
		resolutionField,
		videoTitleField,
		watermarkField,
		{
			displayName: 'Webhooks (JSON)',
			name: 'webhooks',
			collection: 'advanced',
			type: 'json',
			default: '{}',
			description: 'Webhooks that the service calls for this video, as an object in API format',
			schema: z.union([jsonObjectSchema, z.array(jsonValueSchema)]),
		},
	],
	check: ({ captions, download }) => [findCaptionConflict(captions, download)],
	listHints: ({ captions: caption, download }) => listSpeakingVideoHints({ caption, download }),
	reject: async ({ scenes, scenes_json }, client) => {
		const texts = (scenes ?? scenes_json ?? []).flatMap((scene, i) =>
			findSpokenTexts(`Script of scene ${i + 1}`, scene),
		);
		await rejectUnsupportedPauses(client, ...texts);
		await rejectUnsuitableLooks(client, ...findLookUses(scenes ?? scenes_json));
	},
	body({ values, payload }) {
		const captions =
			values.captions ?? deriveCaptionsFromDownload(values.captions, values.download);
		return {
			type: 'studio',
			...payload,
			// `captions` in the specification, `caption` in other sources (service.md, G19).
			...(captions === undefined ? {} : { captions, caption: captions }),
			scenes: values.scenes ?? values.scenes_json,
		};
	},
	idempotent: true,
	starts: videoJob,
	sample: { reply: { output_format: 'mp4' } },
});
