import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyMode,
} from 'n8n-workflow';
import { z } from 'zod';
import { apiLimits, otherLimits } from '../apiLimits';
import type { AssetFieldValue, BinaryInput } from '../core/files/binaryInputs';
import type { Field, ListSearchMethod, IdLookUp } from '../core/form/field';
import { createListItem, createListSearch, buildResourceLocator } from './listSearch';
import { createClient } from '../core/http/client';
import { readText, toText } from '../core/json';
import { idSchema } from '../core/form/validation';

/** File types that the service reports for assets, and that form fields accept. */
type AssetType = 'image' | 'video' | 'audio';

/**
 * Maximum number of pages of assets that a search loads without finding an asset of a suitable
 * type. Limits the search time in accounts with many assets of other types.
 */
const maxPagesWithoutMatch = 20;

/**
 * Creates the function that searches the account's assets, newest first. The service's list of
 * assets is in beta and requires the user name in each request.
 */
async function createAssetSearch(host: ILoadOptionsFunctions): Promise<ListSearchMethod> {
	const client = await createClient(host);
	const { username } = await client.fetchData({ line: 'GET /v3/users/me' });
	return createListSearch({
		line: 'GET /v3/assets',
		queries: [{ username }],
		entry: (row) => ({
			...createListItem(row.id, row.name, [row.type], row.url),
			description: readText(row.type),
		}),
	});
}

/** Fills a dropdown with the assets of the account, newest first. */
const searchAssets: ListSearchMethod = async function (this: ILoadOptionsFunctions, filter, token) {
	const search = await createAssetSearch(this);
	return await search.call(this, filter, token);
};

/**
 * Returns the account's assets of the given types, newest first. Assets of unknown type are
 * included. Loads more pages until a suitable asset is found, unless `isOnePageEnough` is set.
 */
async function loadAssetsOfTypes(
	host: ILoadOptionsFunctions,
	types: readonly AssetType[],
	{ filter, token }: { filter?: string; token?: string },
	isOnePageEnough = false,
): Promise<INodeListSearchResult> {
	const search = await createAssetSearch(host);
	const isSuitable = ({ description: type }: INodeListSearchItems) =>
		type === undefined || types.some((one) => one === type);
	let results: INodeListSearchItems[] = [];
	let next = token;
	let pages = 0;
	do {
		const page = await search.call(host, filter, next);
		results = page.results.filter(isSuitable);
		next = readText(page.paginationToken);
		pages++;
	} while (
		results.length === 0 &&
		!isOnePageEnough &&
		next !== undefined &&
		pages < maxPagesWithoutMatch
	);
	return { results, paginationToken: next };
}

/** Creates the function that fills a dropdown with the account's assets of the given types. */
const createAssetSearchByType = (...types: AssetType[]): ListSearchMethod =>
	async function (this: ILoadOptionsFunctions, filter, token) {
		return await loadAssetsOfTypes(this, types, { filter, token });
	};

/**
 * Returns the account's images that match a query, found by the service's own search. Loads only
 * the first page.
 */
async function searchServiceImages(
	host: ILoadOptionsFunctions,
	query: string,
): Promise<IDataObject[]> {
	const client = await createClient(host);
	const pages = client.fetchPages(
		{ line: 'GET /v3/assets/search', query: { query, type: 'image', scope: 'personal' } },
		apiLimits['GET /v3/assets/search'].limit.max,
	);
	for await (const { rows } of pages) return rows;
	return [];
}

/**
 * Fills a dropdown with the account's images: first those whose name contains the search text, then
 * further images found by the service's own search.
 */
const searchImages: ListSearchMethod = async function (this: ILoadOptionsFunctions, filter, token) {
	const query = filter?.trim() ?? '';
	const rows = query !== '' && token === undefined ? await searchServiceImages(this, query) : [];
	const { results: images, paginationToken } = await loadAssetsOfTypes(
		this,
		['image'],
		{ filter, token },
		rows.length > 0,
	);
	const moreImages = rows
		.filter(({ id }) => images.every(({ value }) => value !== id))
		.map((row) => {
			const size = row.width && row.height ? `${toText(row.width)} × ${toText(row.height)}` : '';
			return createListItem(row.id, row.name, [size], row.url);
		});
	return { results: [...images, ...moreImages], paginationToken };
};

/**
 * Functions that fill the dropdowns of file fields. Each field uses the function for the file types
 * that it accepts.
 */
const assetSearches = {
	searchAssets,
	searchImages,
	searchVideos: createAssetSearchByType('video'),
	searchAudioFiles: createAssetSearchByType('audio'),
	searchImagesAndVideos: createAssetSearchByType('image', 'video'),
} as const satisfies Record<string, ListSearchMethod>;

export type AssetSearchName = keyof typeof assetSearches;

const videoSearches: readonly AssetSearchName[] = ['searchVideos', 'searchImagesAndVideos'];

/**
 * Hint for fields that accept videos. Finished videos are not assets, so the field's list does not
 * contain them.
 */
const finishedVideoHint =
	'For a video made with this service, choose By URL and enter its video_url';

/**
 * Matches file URLs that users may enter. The URLs must use HTTPS. HTTP is allowed only for
 * localhost, because a simulated service on the same machine returns HTTP URLs for its files.
 */
const acceptedFileUrl = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)[:/])/i;

/**
 * Schema for the value of a file field: a URL, an asset ID, or the name of a binary field. A file
 * in a binary field is uploaded before the request is sent (service.md, Files and assets).
 */
export const fileFieldSchema = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('url'),
		url: z.string().trim().url().regex(acceptedFileUrl, 'must begin with https://'),
	}),
	z.object({ type: z.literal('asset_id'), asset_id: idSchema }),
	z.object({ type: z.literal('binary'), field: z.string().min(1) }),
]);

/**
 * Converts the value of a file field for a request that expects a plain asset ID. A file in a
 * binary field gets its asset ID later, when it is uploaded.
 */
export const toAssetId = (file: AssetFieldValue) =>
	file.type === 'asset_id' ? file.asset_id : { ...file, as: 'id' };

const assetLookUp: IdLookUp = { line: 'GET /v3/assets/{asset_id}' };

/**
 * Form field for an image, which can be a public URL, an asset in the service, or a binary field of
 * the item.
 */
export const imageField = {
	displayName: 'Image',
	name: 'image',
	type: 'resourceLocator',
	default: { mode: 'url', value: '' },
	required: true,
	description: 'The image: a public URL, an asset in the service, or a binary field of the item',
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
			displayName: 'Binary',
			name: 'binary',
			type: 'string',
			hint: 'The name (not the path) of the field that contains the file',
			placeholder: 'e.g. data',
		},
	],
	schema: fileFieldSchema,
	asset: true,
	lookUp: assetLookUp,
	search: { searchImages },
} as const satisfies Field;

const [byUrl, fromList, ...byIdOrField] = imageField.modes;

/**
 * Builds the choices that a file field offers: URL, list, asset ID and binary field.
 *
 * @param example file name for the placeholder of the URL input
 * @param list definition of the list, which determines the assets that users can select
 */
const buildAssetModes = (example: string, list: INodePropertyMode) =>
	({
		modes: [{ ...byUrl, placeholder: `e.g. https://example.com/${example}` }, list, ...byIdOrField],
	}) as const;

/**
 * Builds the choices that an image field offers: URL, list of images, asset ID and binary field.
 *
 * @param example file name for the placeholder of the URL input
 */
export const buildImageLocatorModes = (example: string) => buildAssetModes(example, fromList);

/**
 * Builds a form field for a file.
 *
 * @param example file name for the placeholder of the URL input
 * @param what beginning of the field description, such as `The recording`
 * @param searchListMethod function that fills the list, which determines the types of its files
 */
export const buildFileField = (
	example: string,
	what = 'The file',
	searchListMethod: AssetSearchName = 'searchAssets',
) =>
	({
		...imageField,
		...buildAssetModes(example, {
			...fromList,
			...(videoSearches.includes(searchListMethod) && { hint: finishedVideoHint }),
			typeOptions: { searchListMethod, searchable: true },
		}),
		displayName: 'File',
		name: 'file',
		description: `${what}: a public URL, an asset in the service, or a binary field of the item`,
		search: { [searchListMethod]: assetSearches[searchListMethod] },
	}) as const satisfies Field;

/**
 * Schema for a form field where users add several files. Converts the entries to a plain list of
 * files.
 */
export const fileListSchema = z.array(
	z.object({ file: fileFieldSchema }).transform((entry) => entry.file),
);

const { files: agentFiles } = apiLimits['POST /v3/video-agents'];

/** Form field for the files that the video agent may use (service.md, Limits). */
export const agentFilesField = {
	displayName: 'Files',
	name: 'files',
	collection: 'lookAndSound',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	placeholder: 'Add File',
	description: `Files for the agent to use, at most ${agentFiles.max}: PNG, JPEG, MP4, WebM, MP3, WAV or PDF, up to ${otherLimits.agentFileMegabytes} MB each`,
	options: [{ displayName: 'File', name: 'file', values: [buildFileField('brief.pdf')] }],
	schema: fileListSchema.max(agentFiles.max),
} as const satisfies Field;

/** Form field for selecting an asset from a list or by ID. */
export const assetField = {
	displayName: 'Asset',
	name: 'asset_id',
	...buildResourceLocator('searchAssets', 'asset_id', searchAssets, assetLookUp),
} as const satisfies Field;

/** Form field for the name of the binary field that contains the file to upload. */
export const inputBinaryField = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	hint: 'The name of the input binary field containing the file to be uploaded',
	description: 'The name of the binary field that contains the file',
	schema: z
		.string()
		.min(1)
		.transform((field): BinaryInput => ({ type: 'binary', field })),
	in: 'local',
} as const satisfies Field;
