import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { invalid, missing } from '../errors';
import { ok, route } from '../route';
import { add, newId, type Folder, type Service } from '../store';

export function registerFolders(app: FastifyInstance, service: Service) {
	const view = (folder: Folder) => ({
		folder_id: folder.id,
		name: folder.name,
		type: folder.type,
		is_trash: folder.trashed,
		created_at: Math.floor(folder.created),
		updated_at: Math.floor(folder.updated),
		parent_id: folder.parentId,
		creator_username: 'demo',
	});

	const find = (id: string | undefined | null, param: string | null = null) => {
		const folder = service.state.folders.get(id ?? '');
		if (!folder) throw missing('resource_not_found', `Folder ${id}`, param);
		return folder;
	};

	route(
		app,
		service,
		'POST /v3/folders',
		{
			scope: 'videos:write',
			idempotent: true,
			body: z
				.object({
					name: z.string().min(1).max(256),
					parent_id: z.string().nullish(),
					type: z.enum(['mixed', 'video', 'video_translate']).optional(),
				})
				.strict(),
		},
		({ body, now }) => {
			const parent = body.parent_id ? find(body.parent_id, 'parent_id') : null;
			if (parent?.trashed || parent?.type === 'asset') {
				throw invalid('parent_id', 'Folders cannot be made in this folder');
			}
			const folder = add<Folder>(service.state, service.state.folders, {
				id: newId('folder_'),
				name: body.name,
				type: body.type ?? 'mixed',
				parentId: parent?.id ?? null,
				trashed: false,
				created: now,
				updated: now,
			});
			return ok(view(folder));
		},
	);

	route(app, service, 'GET /v3/folders/{folder_id}', { scope: 'videos:read' }, ({ params }) =>
		ok(view(find(params.folder_id))),
	);
}
