import { defineOperation } from '../../core/operation';
import { stylesPerPage } from '../style';

export const getManyStyles = defineOperation({
	value: 'getMany',
	name: 'Get Many Styles',
	action: 'Get many video styles',
	description: 'List the curated visual styles for videos',
	request: 'GET /v3/video-agents/styles',
	options: [
		{
			displayName: 'Tag',
			name: 'tag',
			type: 'string',
			default: '',
			placeholder: 'e.g. cinematic',
			description:
				'Tag of the styles to list, such as cinematic, retro-tech, iconic-artist, pop-culture, handmade or print. If not set, all styles are listed.',
		},
	],
	list: { pageSize: stylesPerPage },
	simple: ['name', 'tags', 'aspect_ratio'],
});
