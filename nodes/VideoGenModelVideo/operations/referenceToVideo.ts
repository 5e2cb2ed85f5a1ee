import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { operation } from '../../core/operation';
import { fileList, buildFileField } from '../../fields/asset';
import { modelVideoFields, modelVideoOptions, modelVideoAspectRatio } from '../modelVideo';
import { modelVideoFiles } from '../../jobs/files';
import { modelVideoJob } from '../../jobs/catalog';

const maxReferences = { images: 9, videos: 3, audio: 3, together: 12 };

/** What the lists of references have in common. */
const buildReferenceList = (entry: string, example: string, max: number) =>
	({
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		default: {},
		placeholder: `Add ${entry}`,
		options: [
			{
				displayName: entry,
				name: entry.toLowerCase(),
				values: [buildFileField(example)],
			},
		],
		schema: fileList.max(max),
	}) as const;

const countReferences = (value: unknown) => (Array.isArray(value) ? value.length : 0);

export const referenceToVideo = operation({
	value: 'referenceToVideo',
	name: 'Reference to Video',
	action: 'Make a short video from references',
	description: 'Make a short video after the example of pictures, films and sound',
	request: 'POST /v3/models/videos',
	fields: [
		...modelVideoFields,
		{
			displayName: 'Reference Images',
			name: 'reference_images',
			...buildReferenceList('Image', 'product.png', maxReferences.images),
			description: 'Pictures to follow, at most 9, and at most 12 references in all',
		},
		{
			displayName: 'Reference Videos',
			name: 'reference_videos',
			...buildReferenceList('Video', 'walk.mp4', maxReferences.videos),
			description: 'Films to follow, at most 3, between 1:4 and 4:1 in shape',
		},
		{
			displayName: 'Reference Audio',
			name: 'reference_audio',
			...buildReferenceList('Audio', 'song.mp3', maxReferences.audio),
			description: 'Sound to follow, at most 3, beside at least one picture or film',
		},
	],
	options: [
		{
			...modelVideoAspectRatio,
			options: [
				...modelVideoAspectRatio.options,
				{ name: 'Adaptive', value: 'adaptive', description: 'The ratio of the references' },
			],
			default: 'adaptive',
			schema: z.enum(['21:9', '16:9', '4:3', '1:1', '3:4', '9:16', 'adaptive']),
		},
		...modelVideoOptions,
	],
	check: (values) => {
		// A list that was put together elsewhere comes in through Additional Body Fields.
		const given: IDataObject = { ...values, ...values.additionalBodyFields };
		const images = countReferences(given.reference_images);
		const videos = countReferences(given.reference_videos);
		const audio = countReferences(given.reference_audio);
		const all = images + videos + audio;
		const tooMany = (name: string, has: number, takes: number) =>
			has > takes && `"${name}" must have at most ${takes} entries, but has ${has}`;
		return [
			images + videos === 0 &&
				'"Reference Images" or "Reference Videos" needs at least one entry: sound alone is not enough',
			tooMany('Reference Images', images, maxReferences.images),
			tooMany('Reference Videos', videos, maxReferences.videos),
			tooMany('Reference Audio', audio, maxReferences.audio),
			all > maxReferences.together &&
				`"Reference Images", "Reference Videos" and "Reference Audio" may have at most ${maxReferences.together} entries together, but have ${all}`,
		];
	},
	body: ({ payload }) => ({ mode: 'reference_to_video', ...payload }),
	idempotent: true,
	starts: modelVideoJob,
	files: modelVideoFiles,
});
