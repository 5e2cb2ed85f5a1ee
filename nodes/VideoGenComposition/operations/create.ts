import { z } from 'zod';
import { apiLimits, apiValues } from '../../apiLimits';
import { getOwnProperty } from '../../core/json';
import { defineOperation } from '../../core/operation';
import {
	addSchemaIssue,
	createNumberSchema,
	createTextSchema,
	formatRange,
} from '../../core/form/validation';
import { buildFileField } from '../../fields/asset';
import { callbackUrlField, createCallbackIdField } from '../../fields/callback';
import { listValues, nameValues } from '../../fields/namedValues';
import { compositionRenderJob } from '../../jobKinds/catalog';
import { compositionVariableFields } from '../variables';

const {
	callback_id: callbackId,
	composition,
	fps,
	title,
} = apiLimits['POST /v3/hyperframes/renders'];
const rendered = apiValues['POST /v3/hyperframes/renders'];

/**
 * Values that the Resolution field used to accept, each mapped to the resolution and aspect ratio
 * that replace it (service.md, Conventions).
 */
const oldResolutions: Record<string, readonly [resolution: string, aspectRatio: string]> = {
	landscape: ['1080p', '16:9'],
	'landscape-4k': ['4k', '16:9'],
	portrait: ['1080p', '9:16'],
	'portrait-4k': ['4k', '9:16'],
	square: ['1080p', '1:1'],
	'square-4k': ['4k', '1:1'],
};

const compositionResolution = z.string().superRefine((value, context) => {
	if (rendered.resolution.some((known) => known === value)) return;
	const replacement = getOwnProperty(oldResolutions, value);
	addSchemaIssue(
		context,
		replacement
			? `no longer accepts "${value}": use Resolution ${replacement[0]} with Aspect Ratio ${replacement[1]}`
			: `must be ${rendered.resolution.join(' or ')}, but is "${value}"`,
	);
});

/**
 * Maximum length of a Base64-encoded zip file, in characters. Allows zip files of up to about
 * 37.5 MB.
 */
const maxZipLength = 50_000_000;

/**
 * Schema for a Base64-encoded zip file. Removes the data URL prefix that some tools add. The text
 * must begin with `UE`, the Base64 encoding of the "PK" at the start of every zip file.
 */
const zipText = createTextSchema({ max: maxZipLength })
	.transform((text) => text.replace(/^data:[^,]*,/, '').replace(/\s+/g, ''))
	.pipe(
		z
			.string()
			.regex(/^[A-Za-z0-9+/]+=*$/, 'must be base64 text')
			.regex(/^UE/, 'must be a zip file as base64 text'),
	)
	.transform((data) => ({ type: 'base64', media_type: 'application/zip', data }));

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Render composition into video',
	description: 'Render a composition project (a zip file) into a video',
	request: 'POST /v3/hyperframes/renders',
	price: 'the price is not published, but 4K costs 1.5 times as much as 1080p',
	fields: [
		{
			displayName: 'Project Source',
			name: 'projectFrom',
			type: 'options',
			options: [
				{
					name: 'Base64 Text',
					value: 'base64',
					description: 'A small zip file as base64 text, for example from another service',
				},
				{
					name: 'File',
					value: 'file',
					description: 'A public URL, an asset in the service, or a binary field of the item',
				},
			],
			default: 'file',
			description: 'How to provide the project',
			schema: z.enum(['file', 'base64']),
			in: 'local',
		},
		{
			...buildFileField('project.zip', 'The zip file with the composition'),
			displayName: 'Project',
			name: 'project',
			displayOptions: { show: { projectFrom: ['file'] } },
		},
		{
			displayName: 'Project (Base64)',
			name: 'project_base64',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { projectFrom: ['base64'] } },
			description: 'Zip file with the composition, as base64 text',
			schema: zipText,
			in: 'local',
		},
		{
			displayName: 'Resolution',
			name: 'resolution',
			type: 'options',
			options: nameValues(rendered.resolution, {
				'1080p': '1080p',
				'4k': { name: '4K', description: 'Costs 1.5 times as much as 1080p' },
			}),
			default: '1080p',
			description:
				'Resolution of the video. Together with the "Aspect Ratio" field, it determines the width and height.',
			schema: compositionResolution,
		},
		{
			displayName: 'Aspect Ratio',
			name: 'aspect_ratio',
			type: 'options',
			options: listValues(rendered.aspect_ratio),
			default: '16:9',
			description: 'Aspect ratio of the video',
			schema: z.enum(rendered.aspect_ratio),
		},
		...compositionVariableFields,
	],
	options: [
		callbackUrlField,
		createCallbackIdField('render', callbackId),
		{
			displayName: 'Composition File',
			name: 'composition',
			type: 'string',
			default: '',
			placeholder: 'e.g. intro/index.html',
			description: `Path of the entry file in the zip, at most ${composition.max} characters. If not set, index.html is used.`,
			schema: createTextSchema(composition),
		},
		{
			displayName: 'Format',
			name: 'format',
			collection: 'lookAndSound',
			type: 'options',
			options: nameValues(rendered.format, { mov: 'MOV', mp4: 'MP4', webm: 'WebM' }),
			default: 'mp4',
			description: 'File format of the video',
			schema: z.enum(rendered.format),
		},
		{
			displayName: 'Frames per Second',
			name: 'fps',
			collection: 'lookAndSound',
			type: 'number',
			default: 30,
			description: `Frames per second, ${formatRange(fps)}. The default is 30.`,
			schema: createNumberSchema(fps).int(),
		},
		{
			displayName: 'Quality',
			name: 'quality',
			collection: 'lookAndSound',
			type: 'options',
			options: nameValues(rendered.quality, {
				draft: { name: 'Draft', description: 'Fast, for a preview' },
				high: 'High',
				standard: 'Standard',
			}),
			default: 'standard',
			description: 'Quality of the render',
			schema: z.enum(rendered.quality),
		},
		{
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			description: `Title of the composition render, at most ${title.max} characters. If not set, the service chooses one.`,
			schema: createTextSchema(title),
		},
	],
	body: ({ values, payload }) => ({
		...payload,
		variables: values.variables ?? values.variables_json,
		project: payload.project ?? values.project_base64,
	}),
	starts: compositionRenderJob,
	idempotent: 'unconfirmed',
	uncertainOutcomeHint:
		'Look for the composition render with Get Many before you run the workflow again.',
});
