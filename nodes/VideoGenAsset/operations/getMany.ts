import { operation } from '../../core/operation';

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many assets',
	description: 'List the files of the account, newest first',
	request: 'GET /v3/assets',
	options: [
		{
			displayName: 'Folder ID',
			name: 'folder_id',
			type: 'string',
			default: '',
			placeholder: 'e.g. folder_5a3c',
			description: 'Only assets in this folder of the assets library',
		},
		{
			displayName: 'Username',
			name: 'username',
			type: 'string',
			default: '',
			placeholder: 'e.g. jane',
			description: 'Whose assets to list; without it those of the account of the credential',
		},
	],
	list: { pageSize: 100 },
	simple: ['name', 'type', 'uploaded_at', 'folder_id'],
	async query({ values: { folder_id, username } }, client) {
		// The list wants a name while it is in beta (docs/service.md, Resources).
		const own = async () => await client.fetchData({ line: 'GET /v3/users/me' });
		return {
			username: username ?? (await client.shareInRun('account', own)).username,
			...(folder_id === undefined ? {} : { folder_id }),
		};
	},
});
