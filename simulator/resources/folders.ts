import { createInvalidParameterError } from '../errors';
import { respond } from '../http/responses';
import type { Route } from '../http/route';
import type { Folder } from '../rows';
import type { Service } from '../service';
import { addRow, findRow, createId } from '../store';

export function registerFolders(route: Route, service: Service) {
	const viewFolder = (folder: Folder) => ({
		folder_id: folder.id,
		name: folder.name,
		type: folder.type,
		is_trash: folder.trashed,
		created_at: Math.floor(folder.created),
		updated_at: Math.floor(folder.updated),
		parent_id: folder.parentId,
		creator_username: 'demo',
	});

	const findFolder = (id: string | undefined, param: string | null = null) =>
		findRow(service.state.folders, id, 'Folder', 'resource_not_found', param);

	route('POST /v3/folders', ({ body, now }) => {
		const parent = body.parent_id ? findFolder(body.parent_id, 'parent_id') : null;
		if (parent?.trashed || parent?.type === 'asset') {
			throw createInvalidParameterError('parent_id', 'This folder cannot contain folders');
		}
		const folder = addRow<Folder>(service.state, service.state.folders, {
			id: createId('folder_'),
			name: body.name,
			type: body.type ?? 'mixed',
			parentId: parent?.id ?? null,
			trashed: false,
			customerKey: parent?.customerKey ?? false,
			created: now,
			updated: now,
		});
		return respond(viewFolder(folder));
	});

	route('GET /v3/folders/{folder_id}', ({ params }) =>
		respond(viewFolder(findFolder(params.folder_id))),
	);
}
