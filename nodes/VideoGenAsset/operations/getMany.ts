import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many assets',
	description: "List the account's assets, newest first",
	request: 'GET /v3/assets',
	options: [
		{
			displayName: 'Folder ID',
			name: 'folder_id',
			type: 'string',
			default: '',
			placeholder: 'e.g. folder_5a3c',
			description: 'Folder in the asset library to list assets from',
		},
		{
			displayName: 'Username',
			name: 'username',
			type: 'string',
			default: '',
			placeholder: 'e.g. jane',
			description: "User whose assets are listed. If not set, the credential's user.",
		},
	],
	list: { pageSize: apiLimits['GET /v3/assets'].limit.max },
	simple: ['name', 'type', 'uploaded_at', 'folder_id'],
	async query({ values: { folder_id, username } }, client) {
		// While the list is in beta, it requires a username (service.md, Resources).
		const fetchUser = async () => await client.fetchData({ line: 'GET /v3/users/me' });
		return {
			username: username ?? (await client.shareInRun('account', fetchUser)).username,
			...(folder_id === undefined ? {} : { folder_id }),
		};
	},
});
