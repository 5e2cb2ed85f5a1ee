import { z } from 'zod/v4';
import { assetInput, callbackFields, characters, optionalText, webUrl } from '../../schemas';

const promptField = characters(1, 10_000);
const filesField = z.array(assetInput).max(20).nullish();

export const createBody = z
	.object({
		prompt: promptField,
		mode: z.enum(['generate', 'chat']).optional(),
		style_id: optionalText,
		brand_kit_id: optionalText,
		brand_glossary_id: z.string().min(1).nullish(),
		avatar_id: optionalText,
		voice_id: optionalText,
		orientation: z.enum(['landscape', 'portrait']).nullish(),
		files: filesField,
		incognito_mode: z.boolean().optional(),
		// Values other than `private` are undocumented.
		visibility: z.string().optional(),
		...callbackFields,
	})
	.strict();

const legacyConfig = {
	duration_sec: z.number().int().min(5).nullish(),
	orientation: z.enum(['landscape', 'portrait']).nullish(),
	avatar_id: optionalText,
	voice_id: optionalText,
};

export const legacyBody = z
	.object({
		prompt: promptField,
		...legacyConfig,
		files: z
			.array(z.object({ asset_id: z.string().min(1) }).strict())
			.max(20)
			.nullish(),
		callback_url: webUrl.nullish(),
		callback_id: optionalText,
		incognito_mode: z.boolean().nullish(),
		config: z.object(legacyConfig).strict().nullish(),
	})
	.strict();

export const turnBody = z
	.object({
		message: promptField.optional(),
		edit_plan: z
			.array(
				z
					.object({
						scene_id: z.string().min(1),
						text: z.string().min(1),
						scene_snapshot_video_id: z.string().min(1),
						edit_version: z.string().min(1),
					})
					.strict(),
			)
			.min(1)
			.max(50)
			.optional(),
		brand_kit_id: optionalText,
		avatar_id: optionalText,
		voice_id: optionalText,
		files: filesField,
	})
	.strict()
	.refine((body) => body.message !== undefined || body.edit_plan !== undefined, {
		message: 'is required unless an edit_plan is sent',
		path: ['message'],
	});

export type EditPlan = NonNullable<z.infer<typeof turnBody>['edit_plan']>;
