import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import type { Field, ListSearch } from '../core/form/field';
import { createListItem, filterEntries } from '../core/form/listSearch';
import { resourceLocator } from '../core/form/resourceLocator';
import { createClient } from '../core/http/client';
import { readObject } from '../core/json';

/** Videos that one look at the list goes through to find folders. */
const maxVideoPages = 3;

/**
 * The service lists no folders. Those that hold recent videos are found through the videos, and
 * their names are read one by one; any other folder is given by its ID.
 */
const searchFolders: ListSearch = async function (this: ILoadOptionsFunctions, filter) {
	const client = await createClient(this);
	const ids = new Set<string>();
	let pages = 0;
	for await (const page of client.fetchPages({ line: 'GET /v3/videos' }, 100)) {
		for (const { folder_id: id } of page.rows) if (typeof id === 'string' && id) ids.add(id);
		if (++pages >= maxVideoPages) break;
	}
	const folders = await Promise.all(
		[...ids].map(async (folder_id): Promise<IDataObject> => {
			const outcome = await client.tryRequest({
				line: 'GET /v3/folders/{folder_id}',
				path: { folder_id },
			});
			// A folder that cannot be read can still be chosen by its ID.
			return outcome.ok ? readObject(outcome.reply.data) : { folder_id };
		}),
	);
	const entries = folders.map((folder) => createListItem(folder.folder_id, folder.name));
	return { results: filterEntries(entries, filter) };
};

/** Folder, by list or ID. */
export const folder = {
	displayName: 'Folder',
	name: 'folder_id',
	description:
		'The folder for the result. The list shows the folders that hold your recent videos; use the ID for any other.',
	...resourceLocator('searchFolders', 'folder_id', searchFolders),
} as const satisfies Field;
