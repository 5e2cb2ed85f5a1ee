import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenVideo implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Video',
		name: 'videoGenVideo',
		icon: { light: 'file:VideoGenVideo.svg', dark: 'file:VideoGenVideo.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description:
			'Create and manage videos with an avatar, an image or your own scenes; to create a video from a prompt alone, use VideoGen Agent',
		defaults: { name: 'VideoGen Video' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
