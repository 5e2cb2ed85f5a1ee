import { z } from 'zod';
import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createTextSchema } from '../../core/form/validation';
import { uploadBinary } from '../../shared/upload';
import { inputBinaryField } from '../../fields/asset';

export const upload = defineOperation({
	value: 'upload',
	name: 'Upload',
	action: 'Upload file',
	description: 'Upload a file of any size from the item and create an asset',
	request: 'POST /v3/assets',
	returns: ['url', 'mime_type'],
	fields: [inputBinaryField],
	options: [
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. logo.png',
			description: 'Name of the asset. If not set, the file name is used.',
			// The service keeps only the part after the last slash.
			schema: createTextSchema(apiLimits.DirectUploadRequest.filename).pipe(
				z.string().regex(/[^/\\.\s]$/, 'must be a file name'),
			),
			in: 'local',
		},
		{
			displayName: 'Media Type',
			name: 'mimeType',
			type: 'string',
			default: '',
			placeholder: 'e.g. image/png',
			description: 'MIME type of the file. If not set, the type in the binary data is used.',
			schema: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type such as image/png'),
			in: 'local',
		},
	],
	idempotent: true,
	async execute({ payload, values, ...context }) {
		const { binaryPropertyName: file, additionalBodyFields, fileName: name, mimeType } = values;
		const fields = { ...payload, ...additionalBodyFields };
		const source = { ...context, field: file.field, isRequest: true };
		return [{ json: await uploadBinary(source, { name, mimeType }, fields) }];
	},
});
