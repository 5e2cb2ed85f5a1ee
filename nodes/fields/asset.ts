import type { IDataObject, ILoadOptionsFunctions, INodePropertyMode } from 'n8n-workflow';
import { z } from 'zod';
import type { BinaryInput } from '../core/files/binaryInputs';
import type { Field, ListSearch } from '../core/form/field';
import { createListItem, createListSearch } from '../core/form/listSearch';
import { resourceLocator } from '../core/form/resourceLocator';
import { createClient } from '../core/http/client';
import { readText } from '../core/json';

/** Pages that one look at the list may read while none holds a picture. */
const maxImagePages = 20;

/** The account's own files, newest first. The list endpoint wants the user's name while in beta. */
const searchAssets: ListSearch = async function (this: ILoadOptionsFunctions, filter, token) {
	const client = await createClient(this);
	const { username } = await client.fetchData({ line: 'GET /v3/users/me' });
	const search = createListSearch({
		line: 'GET /v3/assets',
		queries: [{ username }],
		entry: (row) => ({
			...createListItem(row.id, row.name, [row.type], row.url),
			description: readText(row.type),
		}),
	});
	return await search.call(this, filter, token);
};

/** What the service itself finds for these words among the account's own pictures. */
async function searchServiceImages(
	host: ILoadOptionsFunctions,
	query: string,
): Promise<IDataObject[]> {
	const client = await createClient(host);
	const pages = client.fetchPages(
		{ line: 'GET /v3/assets/search', query: { query, type: 'image', scope: 'personal' } },
		50,
	);
	for await (const { rows } of pages) return rows;
	return [];
}

/** The account's own pictures: those with the words in their name, then what the service finds. */
const searchImages: ListSearch = async function (this: ILoadOptionsFunctions, filter, token) {
	const words = filter?.trim() ?? '';
	const found = words !== '' && token === undefined ? await searchServiceImages(this, words) : [];
	let next = token;
	for (let pages = 1; ; pages++) {
		const page = await searchAssets.call(this, filter, next);
		const named = page.results.filter(
			({ description: type }) => type === undefined || type === 'image',
		);
		next = readText(page.paginationToken);
		const more = found
			.filter(({ id }) => named.every(({ value }) => value !== id))
			.map((row) => {
				const size = row.width && row.height ? `${String(row.width)} × ${String(row.height)}` : '';
				return createListItem(row.id, row.name, [size], row.url);
			});
		const results = [...named, ...more];
		if (results.length > 0 || next === undefined || pages >= maxImagePages) {
			return { results, paginationToken: next };
		}
	}
};

/**
 * The checked value of a file field: the API's asset input (docs/service.md, Files and assets), or
 * a binary field of the item, which the core uploads before the request is sent.
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
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchImages', searchable: true },
		},
		{
			displayName: 'Asset ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. {{ $json.asset_id }}',
		},
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
	search: { searchImages },
} as const satisfies Field;

const [byUrl, fromList, ...byIdOrField] = image.modes;

/** The modes of a file, with an address as an example of what belongs there. */
const buildAssetModes = (example: string, list: INodePropertyMode) =>
	({
		modes: [{ ...byUrl, placeholder: `e.g. https://example.com/${example}` }, list, ...byIdOrField],
	}) as const;

/** The modes of a picture, with such an example. */
export const imageModes = (example: string) => buildAssetModes(example, fromList);

/** Any file, with such an example, and what it is. */
export const buildFileField = (example: string, what = 'The file') =>
	({
		...image,
		...buildAssetModes(example, {
			...fromList,
			typeOptions: { searchListMethod: 'searchAssets', searchable: true },
		}),
		displayName: 'File',
		name: 'file',
		description: `${what}: a public address, an asset of the service, or a file of the item`,
		search: { searchAssets },
	}) as const satisfies Field;

/** The checked value of a list of files. */
export const fileList = z.array(z.object({ file: assetInput }).transform((entry) => entry.file));

/** Files for the agent (docs/service.md, Limits: at most 20, of up to 32 MB each). */
export const agentFiles = {
	displayName: 'Files',
	name: 'files',
	collection: 'lookAndSound',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	placeholder: 'Add File',
	description:
		'Files for the agent to use, at most 20: PNG, JPEG, MP4, WebM, MP3, WAV or PDF of up to 32 MB each',
	options: [{ displayName: 'File', name: 'file', values: [buildFileField('brief.pdf')] }],
	schema: fileList.max(20),
} as const satisfies Field;

/** Asset, by list or ID. */
export const asset = {
	displayName: 'Asset',
	name: 'asset_id',
	...resourceLocator('searchAssets', 'asset_id', searchAssets),
} as const satisfies Field;

/** The binary field of the item that holds the file to send. */
export const inputField = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	hint: 'The name of the input binary field containing the file to be uploaded',
	description: 'The name of the binary field that holds the file',
	schema: z
		.string()
		.min(1)
		.transform((field): BinaryInput => ({ type: 'binary', field })),
	in: 'local',
} as const satisfies Field;
