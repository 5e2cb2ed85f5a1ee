import { z } from 'zod';
import { addProblem } from '../../core/form/validation';
import { operation } from '../../core/operation';
import { buildFileField } from '../../fields/asset';
import { callbackUrl, createCallbackId } from '../../fields/callback';
import { renderFiles } from '../../jobs/files';
import { renderJob } from '../../jobs/catalog';
import { compositionVariables } from '../variables';

/** The words that resolution once took, and what says the same now (docs/service.md, Conventions). */
const oldResolutions: Record<string, readonly [resolution: string, aspectRatio: string]> = {
	landscape: ['1080p', '16:9'],
	'landscape-4k': ['4k', '16:9'],
	portrait: ['1080p', '9:16'],
	'portrait-4k': ['4k', '9:16'],
	square: ['1080p', '1:1'],
	'square-4k': ['4k', '1:1'],
};

const compositionResolution = z.string().superRefine((value, context) => {
	if (value === '1080p' || value === '4k') return;
	const now = oldResolutions[value];
	addProblem(
		context,
		now
			? `no longer takes "${value}": use Resolution ${now[0]} with Aspect Ratio ${now[1]}`
			: `must be 1080p or 4k, but is "${value}"`,
	);
});

/**
 * A zip as text, as the API takes it. Every zip begins with "PK", and some tools put the type of the
 * file before it.
 */
const zipText = z
	.string()
	.transform((text) => text.replace(/^data:[^,]*,/, '').replace(/\s+/g, ''))
	.pipe(
		z
			.string()
			.regex(/^[A-Za-z0-9+/]+=*$/, 'must be base64 text')
			.regex(/^UE/, 'must be a zip file as base64 text'),
	)
	.transform((data) => ({ type: 'base64', media_type: 'application/zip', data }));

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Render a composition into a video',
	description: 'Render a composition project (a zip file) into a video',
	request: 'POST /v3/hyperframes/renders',
	price: 'credit of the account, for 4K 1.5 times as much as for 1080p',
	fields: [
		{
			displayName: 'Project From',
			name: 'projectFrom',
			type: 'options',
			options: [
				{
					name: 'Base64 Text',
					value: 'base64',
					description: 'The zip as text, such as another service gives it; for small projects',
				},
				{
					name: 'File',
					value: 'file',
					description: 'A public address, an asset of the service, or a file of the item',
				},
			],
			default: 'file',
			description: 'How the project is given',
			schema: z.enum(['file', 'base64']),
			in: 'local',
		},
		{
			...buildFileField('project.zip', 'The zip with the composition'),
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
			description: 'The zip with the composition as base64 text',
			schema: zipText,
			in: 'local',
		},
		{
			displayName: 'Resolution',
			name: 'resolution',
			type: 'options',
			options: [
				{ name: '1080p', value: '1080p' },
				{ name: '4K', value: '4k', description: 'Costs 1.5 times as much as 1080p' },
			],
			default: '1080p',
			description: 'How fine the picture is; its shape is set by Aspect Ratio',
			schema: compositionResolution,
		},
		{
			displayName: 'Aspect Ratio',
			name: 'aspect_ratio',
			type: 'options',
			options: [
				{ name: '1:1', value: '1:1' },
				{ name: '16:9', value: '16:9' },
				{ name: '9:16', value: '9:16' },
			],
			default: '16:9',
			description: 'The shape of the video',
			schema: z.enum(['16:9', '9:16', '1:1']),
		},
		...compositionVariables,
	],
	options: [
		callbackUrl,
		createCallbackId('render', 256),
		{
			displayName: 'Composition File',
			name: 'composition',
			type: 'string',
			default: '',
			placeholder: 'e.g. intro/index.html',
			description:
				'The file of the zip that the render starts with, at most 512 characters; without it index.html',
			schema: z.string().min(1).max(512),
		},
		{
			displayName: 'Format',
			name: 'format',
			collection: 'lookAndSound',
			type: 'options',
			options: [
				{ name: 'MOV', value: 'mov' },
				{ name: 'MP4', value: 'mp4' },
				{ name: 'WebM', value: 'webm' },
			],
			default: 'mp4',
			description: 'The kind of file',
			schema: z.enum(['mp4', 'webm', 'mov']),
		},
		{
			displayName: 'Frames per Second',
			name: 'fps',
			collection: 'lookAndSound',
			type: 'number',
			default: 30,
			description: 'How many pictures a second has, 1 to 240',
			schema: z.number().int().min(1).max(240),
		},
		{
			displayName: 'Quality',
			name: 'quality',
			collection: 'lookAndSound',
			type: 'options',
			options: [
				{ name: 'Draft', value: 'draft', description: 'Fast, to look at' },
				{ name: 'High', value: 'high' },
				{ name: 'Standard', value: 'standard' },
			],
			default: 'standard',
			description: 'How much care goes into the picture',
			schema: z.enum(['draft', 'standard', 'high']),
		},
		{
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			description: 'The title of the composition render, at most 500 characters',
			schema: z.string().min(1).max(500),
		},
	],
	body: ({ values, payload }) => ({
		...payload,
		variables: values.variables ?? values.variables_json,
		project: payload.project ?? values.project_base64,
	}),
	starts: renderJob,
	files: renderFiles,
	uncertainOutcomeHint:
		'The composition render may have been created all the same: the service gives no way to repeat this request safely, so it was not repeated. Look with the operation Get Many before you run again, or you may pay twice.',
});
