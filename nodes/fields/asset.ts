import { z } from 'zod';
import type { Field } from '../core/field';

/**
 * The checked value of a file field: the API's asset input (api.md, 0.2), or a binary field of
 * the item, which the core uploads before the request is sent.
 */
export const assetInput = z.discriminatedUnion('type', [
	z.object({ type: z.literal('url'), url: z.string().url() }),
	z.object({ type: z.literal('asset_id'), asset_id: z.string().min(1) }),
	z.object({ type: z.literal('binary'), field: z.string().min(1) }),
]);

/** A picture. */
export const image = {
	displayName: 'Image',
	name: 'image',
	type: 'resourceLocator',
	default: { mode: 'url', value: '' },
	required: true,
	description: 'The picture: a public address, an asset of the service, or a file of the item',
	modes: [
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://example.com/file.png',
		},
		{ displayName: 'Asset ID', name: 'id', type: 'string', placeholder: 'e.g. asset_90ab' },
		{
			displayName: 'Binary Field',
			name: 'binary',
			type: 'string',
			hint: 'The name of the field that holds the file, without a path',
			placeholder: 'e.g. data',
		},
	],
	schema: assetInput,
	asset: true,
} as const satisfies Field;

/** A picture or a film. */
export const source = {
	...image,
	displayName: 'Source',
	name: 'source',
	description: 'The file: a public address, an asset of the service, or a file of the item',
} as const satisfies Field;

/** A file among several. */
export const file = { ...source, displayName: 'File', name: 'file' } as const satisfies Field;

/** Files for the agent (api.md, 1: at most 20; pictures, film, sound and PDF of up to 32 MB each). */
export const agentFiles = {
	displayName: 'Files',
	name: 'files',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	placeholder: 'Add File',
	description:
		'Files for the agent to use, at most 20: PNG, JPEG, MP4, WebM, MP3, WAV or PDF of up to 32 MB each',
	options: [{ displayName: 'File', name: 'file', values: [file] }],
	schema: z.array(z.object({ file: assetInput }).transform((entry) => entry.file)).max(20),
} as const satisfies Field;
