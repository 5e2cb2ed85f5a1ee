import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { folderField } from '../../fields/folder';
import { simplifiedVideoKeys } from '../../fields/video';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many videos',
	description: 'List videos, optionally filtered by folder or title',
	request: 'GET /v3/videos',
	options: [
		{
			...folderField,
			description: 'Only videos in this folder. If not set, all videos are listed.',
		},
		{
			displayName: 'Title Contains',
			name: 'title',
			type: 'string',
			default: '',
			description: 'Only videos whose titles contain this text. If not set, all videos are listed.',
		},
	],
	list: { pageSize: apiLimits['GET /v3/videos'].limit.max, dated: true },
	simple: simplifiedVideoKeys,
});
