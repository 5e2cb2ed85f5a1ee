import { operation } from '../../core/operation';

export const getManyStyles = operation({
	value: 'getMany',
	name: 'Get Many Styles',
	action: 'Get many video styles',
	description: 'List the curated styles for the look of a video',
	request: 'GET /v3/video-agents/styles',
	options: [
		{
			displayName: 'Tag',
			name: 'tag',
			type: 'string',
			default: '',
			placeholder: 'e.g. cinematic',
			description:
				'Only styles with this tag, such as cinematic, retro-tech, iconic-artist, pop-culture, handmade or print',
		},
	],
	// One example of the specification refuses larger pages (docs/service.md, Conventions).
	list: { pageSize: 50 },
	simple: ['name', 'tags', 'aspect_ratio'],
});
