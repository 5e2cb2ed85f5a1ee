import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenBackgroundRemoval implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Background Removal',
		name: 'videoGenBackgroundRemoval',
		icon: {
			light: 'file:VideoGenBackgroundRemoval.svg',
			dark: 'file:VideoGenBackgroundRemoval.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Separate the people in a video from the background',
		defaults: { name: 'VideoGen Background Removal' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
