import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { apiLimits } from '../apiLimits';
import type { Field, ListSearchMethod } from '../core/form/field';
import {
	createListItem,
	disambiguateEntries,
	filterBySearchText,
	buildResourceLocator,
} from './listSearch';
import { createClient } from '../core/http/client';
import { readObject } from '../core/json';

/** Maximum number of pages of videos to load when looking for folders. */
const maxVideoPages = 3;

/**
 * Fills a dropdown with the folders that contain recent videos. The service has no endpoint that
 * lists folders, so the name of each folder is fetched separately. Users can select other folders
 * by ID.
 */
const searchFolders: ListSearchMethod = async function (this: ILoadOptionsFunctions, filter) {
	const client = await createClient(this);
	const ids = new Set<string>();
	let pages = 0;
	const { max } = apiLimits['GET /v3/videos'].limit;
	for await (const page of client.fetchPages({ line: 'GET /v3/videos' }, max)) {
		for (const { folder_id: id } of page.rows) if (typeof id === 'string' && id) ids.add(id);
		if (++pages >= maxVideoPages) break;
	}
	const folders = await Promise.all(
		[...ids].map(async (folder_id): Promise<IDataObject> => {
			const outcome = await client.tryRequest({
				line: 'GET /v3/folders/{folder_id}',
				path: { folder_id },
			});
			// A folder that cannot be read can still be selected by its ID.
			return outcome.ok ? readObject(outcome.reply.data) : { folder_id };
		}),
	);
	const entries = folders.map((folder) => createListItem(folder.folder_id, folder.name));
	return { results: filterBySearchText(disambiguateEntries(entries), filter) };
};

/** Form field for selecting a folder from a list or by ID. */
export const folderField = {
	displayName: 'Folder',
	name: 'folder_id',
	description:
		'The folder for the result. If not set, the result is not put into a folder. The list shows the folders of your recent videos. For any other folder in the workspace, enter its ID.',
	...buildResourceLocator('searchFolders', 'folder_id', searchFolders, {
		line: 'GET /v3/folders/{folder_id}',
	}),
} as const satisfies Field;
