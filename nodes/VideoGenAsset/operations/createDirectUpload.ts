import { z } from 'zod';
import { operation } from '../../core/operation';
import { checksum } from '../checksum';

export const createDirectUpload = operation({
	value: 'createDirectUpload',
	name: 'Create Direct Upload',
	action: 'Get an address for an upload by another tool',
	description:
		'Get an address to which another tool sends a file itself; then use Complete Direct Upload. For files in n8n, Upload does all of it.',
	request: 'POST /v3/assets/direct-uploads',
	fields: [
		{
			displayName: 'File Name',
			name: 'filename',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. talk.mp4',
			description: 'The name of the file',
		},
		{
			displayName: 'Media Type',
			name: 'content_type',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. video/mp4',
			description: 'The kind of file',
			schema: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type such as video/mp4'),
		},
		{
			displayName: 'Size (Bytes)',
			name: 'size_bytes',
			type: 'number',
			// A forgotten size must be noticed: the service takes only the exact one.
			default: 0,
			required: true,
			description: 'The exact size of the file in bytes',
			schema: z.number().int().min(1),
		},
	],
	options: [checksum],
	// Opening another does no harm: it is no asset until it is completed.
	repeatable: true,
});
