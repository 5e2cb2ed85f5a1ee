import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { apiLimits, apiValues } from '../../apiLimits';
import type { Field } from '../../core/form/field';
import { readObject, readText } from '../../core/json';
import { defineOperation } from '../../core/operation';
import { addSchemaIssue } from '../../core/form/validation';
import {
	addRowOperation,
	batchCallbackUrlField,
	buildBatchTitleAndCallbackUrl,
	batchTitleField,
	showFieldForBatchRowFormats,
} from '../../fields/batch';
import { folderField } from '../../fields/folder';
import { createOpenObjectSchema } from '../../fields/jsonSchemas';
import { lookField } from '../../fields/look';
import { buildLookUse, rejectUnsuitableLooks } from '../../fields/lookSuitability';
import { rejectUnsupportedPauses, findSpokenTexts } from '../../fields/pauses';
import {
	buildRecordingReference,
	avatarSpeechFields,
	imageSpeechFields,
} from '../../fields/speech';
import {
	commonSpeakingVideoOptions,
	findSpeakingVideoConflicts,
	avatarEngineFields,
	buildAvatarEngineConfig,
	deriveCaptionsFromDownload,
	listSpeakingVideoHints,
} from '../../fields/videoOptions';
import { videoBatchJob, videoJob } from '../../jobKinds/catalog';
import { cinematicResultFiles, videoResultFiles } from '../../jobKinds/files';
import {
	cinematicAutoDurationField,
	cinematicDurationField,
	cinematicLooksField,
	cinematicPrice,
	cinematicPromptField,
	cinematicEnhancePromptField,
	cinematicReferencesField,
} from '../cinematicFields';
import { speakingImageField } from '../speakingImage';

const { max: maxVideos } = apiLimits['POST /v3/videos/batches'].videos;
const batchVideoTypes = apiValues['POST /v3/videos/batches']['videos[].type'];
const cinematicRatios = apiValues.CinematicVideo.aspect_ratio;

const [speechFrom, script, voice, audio] = avatarSpeechFields;
const [, , imageVoice] = imageSpeechFields;

const batchVideoSchema = createOpenObjectSchema({ type: z.string() }).superRefine(
	({ type }, context) => {
		if (batchVideoTypes.some((known) => known === type)) return;
		addSchemaIssue(
			context,
			`must be one of ${batchVideoTypes.join(', ')}, but is "${type}"; create studio videos one by one`,
			['type'],
		);
	},
);

/**
 * Combines a video's form options with the user's JSON payload, so that both are validated
 * together. Values in the payload take precedence. The animation engine is kept only for avatar
 * videos, because other kinds of video do not use one.
 */
function mergePayload<V extends Parameters<typeof findSpeakingVideoConflicts>[0]>(
	values: V,
	payload: IDataObject,
) {
	const { engine, ...rest } = payload;
	const overrides = Object.entries(rest).filter(([, value]) => value !== null);
	const { type, reference_look_id } = readObject(engine);
	return {
		...values,
		...(engine === undefined || engine === null
			? {}
			: { engine: readText(type), reference_look_id: reference_look_id ?? undefined }),
		...(payload.type === 'avatar' ? {} : { engine: undefined, reference_look_id: undefined }),
		...Object.fromEntries(overrides),
	};
}

/** Names of the form options that apply to all kinds of videos in a batch. */
const commonOptionNames = ['aspect_ratio', 'callback_id', 'resolution', 'title'];

/** Form options for videos of a speaking person. Cinematic videos do not support these options. */
const speakingVideoOnlyOptions = commonSpeakingVideoOptions.filter(
	({ name }) => !commonOptionNames.includes(name),
);

/** Form options for cinematic videos. Videos of a speaking person do not support these options. */
const cinematicOnlyOptions = [
	cinematicAutoDurationField,
	cinematicEnhancePromptField,
	cinematicReferencesField,
];

/** Shows an option only if the rows are, or can be, cinematic videos. */
const showForCinematicRows = <const F extends Field>(field: F) => ({
	...field,
	displayOptions: { show: { '/itemIs': ['cinematic', 'json'] } },
});

interface VideoOptions {
	engine?: string;
	aspect_ratio?: string;
	resolution?: string;
	download?: string[];
	[name: string]: unknown;
}

/**
 * Checks that a kind of video supports the selected options. Returns an error message for each
 * unsupported option, and `false` for each supported one.
 */
function checkOptionsForKind(kind: string, values: VideoOptions): Array<string | false> {
	const { engine: selectedEngine, aspect_ratio: ratio, resolution } = values;
	const isCinematic = kind === 'cinematic';
	const rejectOption = (name: string, kind: string) =>
		`"${name}" cannot be used with ${kind}: remove the option`;
	return [
		...videoResultFiles.map(
			(file) =>
				isCinematic &&
				!cinematicResultFiles.includes(file) &&
				values.download?.includes(file.value) === true &&
				`"Download" includes "${file.name}", which cinematic videos do not have: remove the file from "Download"`,
		),
		(isCinematic || kind === 'image') &&
			selectedEngine !== undefined &&
			rejectOption('Engine', isCinematic ? 'cinematic videos' : 'image videos'),
		...speakingVideoOnlyOptions.map(
			({ name, displayName }) =>
				isCinematic && values[name] !== undefined && rejectOption(displayName, 'cinematic videos'),
		),
		...cinematicOnlyOptions.map(
			({ name, displayName }) =>
				!isCinematic &&
				values[name] !== undefined &&
				`"${displayName}" is for cinematic videos only: remove the option`,
		),
		isCinematic &&
			ratio !== undefined &&
			!cinematicRatios.some((known) => known === ratio) &&
			`"Aspect Ratio" of a cinematic video must be one of ${cinematicRatios.join(', ')}, but is ${ratio}`,
		isCinematic &&
			resolution === '4k' &&
			'"Resolution" of a cinematic video must be 1080p or 720p, but is 4K',
	];
}

const createVideoBatch = defineOperation({
	value: 'createBatch',
	name: 'Create Batch',
	action: 'Create many videos at once',
	description: `Create one video for each incoming item, up to ${maxVideos} items in one request`,
	request: 'POST /v3/videos/batches',
	// Cinematic videos alone have a published price, which their fields show.
	price: 'the price depends on the kind of video',
	getPrice: ({ itemIs, video_json: row }) =>
		itemIs === 'cinematic' || row?.type === 'cinematic_avatar' ? cinematicPrice : undefined,
	returns: ['video_id', 'status', 'video_url'],
	fields: [
		{
			displayName: 'Video Type',
			name: 'itemIs',
			type: 'options',
			options: [
				{
					name: 'Avatar Video',
					value: 'avatar',
					description:
						'A speaking avatar as configured below, with expressions evaluated for each item',
				},
				{
					name: 'Image Video',
					value: 'image',
					description:
						'A speaking image as configured below, with expressions evaluated for each item',
				},
				{
					name: 'Cinematic Video',
					value: 'cinematic',
					description: 'Avatars that act out a prompt, for 7.00 USD per video',
				},
				{
					name: 'JSON',
					value: 'json',
					description: 'A video in API format, of type avatar, image or cinematic_avatar',
				},
			],
			default: 'avatar',
			description: 'Type of video to create from each input item',
			schema: z.enum(['avatar', 'image', 'cinematic', 'json']),
			in: 'local',
		},
		showFieldForBatchRowFormats({ ...lookField, required: true }, 'avatar'),
		showFieldForBatchRowFormats(speakingImageField, 'image'),
		showFieldForBatchRowFormats(speechFrom, 'avatar', 'image'),
		showFieldForBatchRowFormats(script, 'avatar', 'image'),
		showFieldForBatchRowFormats(voice, 'avatar'),
		showFieldForBatchRowFormats(imageVoice, 'image'),
		showFieldForBatchRowFormats(audio, 'avatar', 'image'),
		showFieldForBatchRowFormats(cinematicPromptField, 'cinematic'),
		// The API also uses the name `avatar_id` for the single look of an avatar video.
		showFieldForBatchRowFormats(
			{ ...cinematicLooksField, name: 'cinematic_looks', in: 'local' },
			'cinematic',
		),
		showFieldForBatchRowFormats(
			{ ...cinematicDurationField, hint: 'Each video costs 7.00 USD, regardless of length' },
			'cinematic',
		),
		{
			displayName: 'Video (JSON)',
			name: 'video_json',
			type: 'json',
			typeOptions: { rows: 6 },
			default: '={{ $json }}',
			required: true,
			displayOptions: { show: { itemIs: ['json'] } },
			description: 'One video, as an object whose type is avatar, image or cinematic_avatar',
			schema: batchVideoSchema,
			in: 'local',
		},
	],
	options: [
		...commonSpeakingVideoOptions,
		...avatarEngineFields,
		showForCinematicRows(cinematicAutoDurationField),
		showForCinematicRows(cinematicEnhancePromptField),
		showForCinematicRows(cinematicReferencesField),
		batchTitleField,
		batchCallbackUrlField,
		{
			...folderField,
			description:
				'The folder for all videos in the batch. If not set, the videos are not put into a folder. Items with different folders go into separate batches.',
			in: 'local',
		},
	],
	check: (values) => {
		const { itemIs = 'avatar', video_json: row } = values;
		if (!row)
			return [...findSpeakingVideoConflicts(values), ...checkOptionsForKind(itemIs, values)];
		const merged = mergePayload(values, row);
		const { engine, aspect_ratio, resolution } = merged;
		const options = { ...values, engine, aspect_ratio, resolution };
		return row.type === 'cinematic_avatar'
			? checkOptionsForKind('cinematic', options)
			: [...findSpeakingVideoConflicts(merged), ...checkOptionsForKind(row.type, options)];
	},
	listHints: (values) =>
		listSpeakingVideoHints(values.video_json ? mergePayload(values, values.video_json) : values),
	reject: async (values, client) => {
		await rejectUnsupportedPauses(client, ...findSpokenTexts('Script', values));
		const { itemIs = 'avatar', video_json: row } = values;
		if (row?.type === 'avatar' || itemIs === 'avatar')
			await rejectUnsuitableLooks(client, buildLookUse(row ? mergePayload(values, row) : values));
	},
	combine: {
		list: 'videos',
		rows: videoJob,
		maxSize: maxVideos,
		sharedBy: ['callback_url', 'folder_id'],
		body: (all) => {
			const { folder_id } = all[0]?.values ?? {};
			return {
				...buildBatchTitleAndCallbackUrl(all),
				folder_id,
				videos: all.map(({ values, payload }): IDataObject => {
					const caption = deriveCaptionsFromDownload(values.caption, values.download);
					switch (values.itemIs) {
						case 'json': {
							const engineBody =
								values.video_json?.type === 'avatar' ? buildAvatarEngineConfig(values) : {};
							const isSpoken = values.video_json?.type !== 'cinematic_avatar';
							const captions = isSpoken && caption ? { caption } : {};
							return { ...captions, ...payload, ...engineBody, ...values.video_json };
						}
						case 'cinematic': {
							const { duration, ...rest } = payload;
							return {
								type: 'cinematic_avatar',
								avatar_id: values.cinematic_looks,
								...rest,
								...(values.auto_duration === true ? {} : { duration }),
							};
						}
						case 'image':
							return {
								type: 'image',
								caption,
								...payload,
								...buildRecordingReference(values.audio),
							};
						default: {
							const speech = buildRecordingReference(values.audio);
							return {
								type: 'avatar',
								caption,
								...payload,
								...speech,
								...buildAvatarEngineConfig(values),
							};
						}
					}
				}),
			};
		},
	},
	idempotent: true,
	starts: videoBatchJob,
});

export const createBatch = addRowOperation(createVideoBatch, {
	request: 'POST /v3/videos',
	starts: videoJob,
});
