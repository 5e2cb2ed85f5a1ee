import type { INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { listFields } from '../../core/common';
import { operation } from '../../core/operation';

/** The largest page (api.md, 11). */
const pageSize = 100;

export const getMany = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many assets',
	description: 'List the files of the account, newest first',
	request: 'GET /v3/assets',
	fields: listFields,
	options: [
		{
			displayName: 'Folder ID',
			name: 'folder_id',
			type: 'string',
			default: '',
			placeholder: 'e.g. folder_5a3c',
			description: 'Only assets in this folder of the assets library',
			schema: z.string().min(1),
		},
		{
			displayName: 'Username',
			name: 'username',
			type: 'string',
			default: '',
			placeholder: 'e.g. jane',
			description: 'Whose assets to list; without it those of the account of the credential',
			schema: z.string().min(1),
		},
	],
	async execute({ client }, values) {
		const { returnAll, limit, folder_id } = values;
		// The list wants a name while it is in beta.
		const username = values.username ?? (await client.data({ line: 'GET /v3/users/me' })).username;
		const most = returnAll === true ? Infinity : Number(limit ?? 50);
		const items: INodeExecutionData[] = [];
		const query = { username, ...(folder_id === undefined ? {} : { folder_id }) };
		const call = { line: 'GET /v3/assets', query };
		for await (const { rows } of client.pages(call, Math.min(pageSize, most))) {
			items.push(...rows.map((json) => ({ json })));
			if (items.length >= most) break;
		}
		return items.slice(0, most);
	},
});
