import { z } from 'zod';
import { defineOperation } from '../../core/operation';
import { buildFileField } from '../../fields/asset';
import { backgroundRemovalJob } from '../../jobKinds/catalog';
import { backgroundRemovalResultFiles } from '../../jobKinds/files';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Remove video background',
	description: 'Separate the foreground of a video from its background',
	request: 'POST /v3/background-removals',
	returns: ['status', 'layers'],
	fields: [
		{
			...buildFileField('video.mp4', 'The video'),
			displayName: 'Video',
			name: 'video',
		},
	],
	options: [
		{
			displayName: 'Layers',
			name: 'layers',
			type: 'multiOptions',
			options: [
				{
					name: 'Background',
					value: 'background',
					description: 'Everything behind the people',
				},
				{ name: 'Foreground', value: 'foreground', description: 'The people, cut out' },
				{ name: 'Mask', value: 'mask', description: 'A black-and-white mask of the people' },
			],
			default: [],
			description: 'Layers to create, at least one. If not set, all three are created.',
			schema: z.array(z.enum(['foreground', 'mask', 'background'])).min(1),
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
				`"Download" includes "${name}", which "Layers" leaves out: add it to "Layers", or remove the file`,
		),
	idempotent: { bodyField: 'request_id' },
	starts: backgroundRemovalJob,
});
