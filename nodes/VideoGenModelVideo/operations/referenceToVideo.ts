import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { defineOperation } from '../../core/operation';
import { fileListSchema, buildFileField } from '../../fields/asset';
import { modelVideoFields, modelVideoOptions, modelVideoAspectRatioField } from '../modelVideo';
import { modelVideoJob } from '../../jobKinds/catalog';

const maxReferences = { images: 9, videos: 3, audio: 3, total: 12 };

/**
 * Builds the settings for a form field where users list reference images, videos or audio files for
 * the model to follow.
 */
const buildReferenceList = (entry: string, exampleFile: string, max: number) =>
	({
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		default: {},
		placeholder: `Add ${entry}`,
		options: [
			{
				displayName: entry,
				name: entry.toLowerCase(),
				values: [buildFileField(exampleFile)],
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
			...buildReferenceList('Image', 'product.png', maxReferences.images),
			description: 'Up to 9 reference images, and up to 12 references in total',
		},
		{
			displayName: 'Reference Videos',
			name: 'reference_videos',
			...buildReferenceList('Video', 'walk.mp4', maxReferences.videos),
			description: 'Up to 3 reference videos with an aspect ratio between 1:4 and 4:1',
		},
		{
			displayName: 'Reference Audio',
			name: 'reference_audio',
			...buildReferenceList('Audio', 'song.mp3', maxReferences.audio),
			description:
				'Up to 3 reference audio files. Also add an image or video: audio alone is not enough.',
		},
	],
	options: [
		{
			...modelVideoAspectRatioField,
			options: [
				...modelVideoAspectRatioField.options,
				{ name: 'Adaptive', value: 'adaptive', description: 'The aspect ratio of the references' },
			],
			default: 'adaptive',
			schema: z.enum(['21:9', '16:9', '4:3', '1:1', '3:4', '9:16', 'adaptive']),
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
			checkCount('Reference Images', images, maxReferences.images),
			checkCount('Reference Videos', videos, maxReferences.videos),
			checkCount('Reference Audio', audio, maxReferences.audio),
			total > maxReferences.total &&
				`"Reference Images", "Reference Videos" and "Reference Audio" may have at most ${maxReferences.total} entries together, but have ${total}`,
		];
	},
	body: ({ payload }) => ({ mode: 'reference_to_video', ...payload }),
	idempotent: true,
	starts: modelVideoJob,
});
