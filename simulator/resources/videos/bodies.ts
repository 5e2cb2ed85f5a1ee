import { z } from 'zod/v4';
import {
	assetInput,
	callbackFields,
	characters,
	fraction,
	glossaryFields,
	hexColor,
	optionalText,
	publicUrl,
} from '../../schemas';

const voiceSettings = z
	.object({
		speed: z.number().min(0.5).max(1.5).nullish(),
		pitch: z.number().min(-50).max(50).nullish(),
		volume: fraction.nullish(),
		locale: optionalText,
		// The vendors are undocumented, so any engine type passes with any known setting.
		engine_settings: z
			.object({
				engine_type: z.string().min(1),
				model: optionalText,
				stability: fraction.nullish(),
				similarity_boost: fraction.nullish(),
				similarity: fraction.nullish(),
				style: fraction.nullish(),
				use_speaker_boost: z.boolean().nullish(),
			})
			.strict()
			.nullish(),
	})
	.strict();

export const speechFields = {
	script: characters(1, 5000).nullish(),
	audio_url: publicUrl.nullish(),
	audio_asset_id: z.string().min(1).nullish(),
	voice_id: z.string().min(1).nullish(),
	voice_settings: voiceSettings.nullish(),
};

const motionFields = {
	motion_prompt: optionalText,
	expressiveness: z.enum(['high', 'medium', 'low']).nullish(),
};

// The engine types are an open list. `checkAvatar` checks whether the look supports the type.
const engine = z
	.object({ type: z.string().min(1), reference_look_id: z.string().min(1).nullish() })
	.strict()
	.refine(({ type, reference_look_id }) => type === 'avatar_v' || reference_look_id == null, {
		message: 'is only for the engine avatar_v',
		path: ['reference_look_id'],
	});

const background = z
	.object({
		type: z.enum(['color', 'image']),
		value: hexColor.nullish(),
		url: publicUrl.nullish(),
		asset_id: z.string().min(1).nullish(),
	})
	.strict();

const watermark = z
	.object({
		image: assetInput,
		scale: z.number().min(0).max(2).nullish(),
		opacity: fraction.nullish(),
		placement: z
			.object({
				position: z.enum(['top_left', 'top_right', 'bottom_left', 'bottom_right']).optional(),
				offset_x: z.number().min(-1).max(1).nullish(),
				offset_y: z.number().min(-1).max(1).nullish(),
			})
			.strict()
			.nullish(),
	})
	.strict();

const caption = z
	.object({
		file_format: z.enum(['srt']).optional(),
		style: z.enum(['default']).nullish(),
	})
	.strict();

const resolution = z.enum(['4k', '1080p', '720p']).nullish();
const aspectRatio = z.enum(['16:9', '9:16', '4:5', '5:4', '1:1', 'auto']).nullish();

const commonFields = {
	...speechFields,
	...motionFields,
	...callbackFields,
	...glossaryFields,
	title: optionalText,
	folder_id: optionalText,
	resolution,
	aspect_ratio: aspectRatio,
	fit: z.enum(['contain', 'cover']).nullish(),
	background: background.nullish(),
	remove_background: z.boolean().nullish(),
	output_format: z.enum(['mp4', 'webm']).optional(),
	caption: caption.nullish(),
	watermark: watermark.nullish(),
};

const avatar = z
	.object({
		type: z.literal('avatar'),
		avatar_id: z.string().min(1),
		engine: engine.nullish(),
		...commonFields,
	})
	.strict();

const image = z.object({ type: z.literal('image'), image: assetInput, ...commonFields }).strict();

const cinematic = z
	.object({
		type: z.literal('cinematic_avatar'),
		avatar_id: z.array(z.string().min(1)).min(1).max(3),
		prompt: characters(1, 10_000),
		references: z.array(assetInput).max(12).nullish(),
		duration: z.number().int().min(4).max(15).nullish(),
		auto_duration: z.boolean().optional(),
		aspect_ratio: z.enum(['16:9', '9:16', '1:1']).optional(),
		resolution: z.enum(['720p', '1080p']).optional(),
		enhance_prompt: z.boolean().optional(),
		title: optionalText,
		folder_id: optionalText,
		...callbackFields,
	})
	.strict();

const sceneInput = z.discriminatedUnion('type', [
	z
		.object({
			type: z.literal('avatar'),
			avatar_id: z.string().min(1),
			engine: engine.nullish(),
			background: z
				.object({ type: z.literal('color'), color: hexColor })
				.strict()
				.nullish(),
			...speechFields,
			...motionFields,
		})
		.strict(),
	z
		.object({ type: z.literal('image'), image: assetInput, ...speechFields, ...motionFields })
		.strict(),
]);

const studioScene = z.discriminatedUnion('type', [
	z.object({ type: z.literal('avatar_video'), input: sceneInput }).strict(),
	z
		.object({
			type: z.literal('image'),
			source: assetInput,
			duration: z.number().positive().max(300).nullish(),
			...speechFields,
		})
		.strict(),
	z
		.object({
			type: z.literal('video'),
			source: assetInput,
			playback: z
				.object({
					mode: z.enum(['freeze', 'loop', 'fit_to_scene']).optional(),
					volume: fraction.nullish(),
					mute: z.boolean().nullish(),
				})
				.strict()
				.nullish(),
			voiceover: z.object(speechFields).strict().nullish(),
		})
		.strict(),
]);

const studio = z
	.object({
		type: z.literal('studio'),
		scenes: z.array(studioScene).min(1).max(50),
		title: optionalText,
		folder_id: optionalText,
		aspect_ratio: aspectRatio,
		resolution,
		captions: caption.nullish(),
		// The name that other sources give to `captions`.
		caption: caption.nullish(),
		// The shape is undocumented, so any value passes.
		webhooks: z.unknown().optional(),
		watermark: watermark.nullish(),
		...glossaryFields,
		...callbackFields,
	})
	.strict();

export const videoBody = z.discriminatedUnion('type', [avatar, image, cinematic, studio]);
export type VideoBody = z.infer<typeof videoBody>;
export type StudioScene = z.infer<typeof studioScene>;

/** Batches accept no studio videos, and one folder for all items (service.md, Limits). */
export const batchBody = z
	.object({
		videos: z
			.array(z.discriminatedUnion('type', [avatar, image, cinematic]))
			.min(1)
			.max(100),
		title: optionalText,
		folder_id: optionalText,
		callback_url: callbackFields.callback_url,
	})
	.strict();
