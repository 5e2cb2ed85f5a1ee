import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { apiLimits, apiValues, otherLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { type AssetSearchName, fileListSchema, buildFileField } from '../../fields/asset';
import { nameValues } from '../../fields/namedValues';
import { modelVideoFields, modelVideoOptions, modelVideoAspectRatioField } from '../modelVideo';
import { modelVideoJob } from '../../jobKinds/catalog';

const {
	reference_images: { max: maxImages },
	reference_videos: { max: maxVideos },
	reference_audio: { max: maxAudio },
} = apiLimits.ReferenceVideo;
const maxReferences = otherLimits.modelVideoReferences;

/**
 * Builds the settings for a form field where users list reference images, videos or audio files for
 * the model to follow.
 */
const buildReferenceList = (
	entry: string,
	exampleFile: string,
	max: number,
	search: AssetSearchName,
) =>
	({
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		default: {},
		placeholder: `Add ${entry}`,
		options: [
			{
				displayName: entry,
				name: entry.toLowerCase(),
				values: [buildFileField(exampleFile, 'The reference', search)],
			},
		],
		schema: fileListSchema.max(max),
	}) as const;

const countReferences = (value: unknown) => (Array.isArray(value) ? value.length : 0);

export const referenceToVideo = defineOperation({
	value: 'referenceToVideo',
	name: 'Reference to Video',
	action: 'Create short video from references',
	description: 'Create a short video based on reference images, videos and audio',
	request: 'POST /v3/models/videos',
	fields: [
		...modelVideoFields,
		{
			displayName: 'Reference Images',
			name: 'reference_images',
			...buildReferenceList('Image', 'product.png', maxImages, 'searchImages'),
			description: `Up to ${maxImages} reference images, and up to ${maxReferences} references in total`,
		},
		{
			displayName: 'Reference Videos',
			name: 'reference_videos',
			...buildReferenceList('Video', 'walk.mp4', maxVideos, 'searchVideos'),
			description: `Up to ${maxVideos} reference videos with an aspect ratio between 1:4 and 4:1`,
		},
		{
			displayName: 'Reference Audio',
			name: 'reference_audio',
			...buildReferenceList('Audio', 'song.mp3', maxAudio, 'searchAudioFiles'),
			description: `Up to ${maxAudio} reference audio files. Also add an image or video: audio alone is not enough.`,
		},
	],
	options: [
		{
			...modelVideoAspectRatioField,
			options: nameValues(apiValues.ReferenceVideo.aspect_ratio, {
				'1:1': '1:1',
				'16:9': '16:9',
				'21:9': '21:9',
				'3:4': '3:4',
				'4:3': '4:3',
				'9:16': '9:16',
				adaptive: { name: 'Adaptive', description: 'The aspect ratio of the references' },
			}),
			default: 'adaptive',
			schema: z.enum(apiValues.ReferenceVideo.aspect_ratio),
		},
		...modelVideoOptions,
	],
	check: (values) => {
		// Additional Body Fields may replace the lists of the form.
		const sent: IDataObject = { ...values, ...values.additionalBodyFields };
		const images = countReferences(sent.reference_images);
		const videos = countReferences(sent.reference_videos);
		const audio = countReferences(sent.reference_audio);
		const total = images + videos + audio;
		const checkCount = (name: string, count: number, max: number) =>
			count > max && `"${name}" must have at most ${max} entries, but has ${count}`;
		return [
			images + videos === 0 &&
				'"Reference Images" or "Reference Videos" needs at least one entry: audio alone is not enough',
			checkCount('Reference Images', images, maxImages),
			checkCount('Reference Videos', videos, maxVideos),
			checkCount('Reference Audio', audio, maxAudio),
			total > maxReferences &&
				`"Reference Images", "Reference Videos" and "Reference Audio" may have at most ${maxReferences} entries together, but have ${total}`,
		];
	},
	body: ({ payload }) => ({ mode: 'reference_to_video', ...payload }),
	idempotent: true,
	starts: modelVideoJob,
});
