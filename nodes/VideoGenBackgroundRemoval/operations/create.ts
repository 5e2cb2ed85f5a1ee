import { z } from 'zod';
import { apiValues } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { buildFileField } from '../../fields/asset';
import { nameValues } from '../../fields/namedValues';
import { backgroundRemovalJob } from '../../jobKinds/catalog';
import { backgroundRemovalResultFiles } from '../../jobKinds/files';

const { 'layers[]': layerNames } = apiValues['POST /v3/background-removals'];

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Remove video background',
	description: 'Separate the foreground of a video from its background',
	request: 'POST /v3/background-removals',
	returns: ['status', 'layers'],
	fields: [
		{
			...buildFileField('video.mp4', 'The video', 'searchVideos'),
			displayName: 'Video',
			name: 'video',
		},
	],
	options: [
		{
			displayName: 'Layers',
			name: 'layers',
			type: 'multiOptions',
			options: nameValues(layerNames, {
				background: { name: 'Background', description: 'Everything behind the people' },
				foreground: { name: 'Foreground', description: 'The people, cut out' },
				mask: { name: 'Mask', description: 'A black-and-white mask of the people' },
			}),
			default: [],
			description: 'Layers to create, at least one. If not set, all three are created.',
			schema: z.array(z.enum(layerNames)).min(1),
		},
		{
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			description: 'Title of the result in the service. If not set, the service chooses one.',
		},
	],
	check: ({ layers, download = [] }) =>
		backgroundRemovalResultFiles.map(
			({ value, name }) =>
				layers !== undefined &&
				download.includes(value) &&
				!layers.some((layer) => layer === value) &&
				`"Download" includes "${name}", but "Layers" does not: add it to "Layers", or remove it from "Download"`,
		),
	idempotent: { bodyField: 'request_id' },
	starts: backgroundRemovalJob,
});
