import { z } from 'zod';
import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createNumberSchema, createTextSchema } from '../../core/form/validation';
import { checksumField } from '../checksum';

const file = apiLimits.DirectUploadRequest;

export const createDirectUpload = defineOperation({
	value: 'createDirectUpload',
	name: 'Create Direct Upload',
	action: 'Get upload URL for another tool',
	description:
		'Get a URL where another tool can upload a file. After the upload, use the "Complete Direct Upload" operation. For files in n8n, use the "Upload" operation, which handles all the steps.',
	request: 'POST /v3/assets/direct-uploads',
	returns: ['upload_url', 'upload_headers', 'expires_in_seconds'],
	fields: [
		{
			displayName: 'File Name',
			name: 'filename',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. talk.mp4',
			description: 'Name of the file',
			schema: createTextSchema(file.filename),
		},
		{
			displayName: 'Media Type',
			name: 'content_type',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. video/mp4',
			description: 'MIME type of the file',
			schema: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type such as video/mp4'),
		},
		{
			displayName: 'Size (Bytes)',
			name: 'size_bytes',
			type: 'number',
			// The default is invalid, so that the user must enter a size. The service accepts only
			// the exact size.
			default: 0,
			required: true,
			description: 'Exact size of the file in bytes',
			schema: createNumberSchema(file.size_bytes).int().safe(),
		},
	],
	options: [checksumField],
	// Safe to retry: an upload becomes an asset only when it is completed.
	repeatable: true,
});
