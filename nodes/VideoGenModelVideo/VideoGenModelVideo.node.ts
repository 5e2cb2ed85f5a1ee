import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenModelVideo implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Model Video',
		name: 'videoGenModelVideo',
		icon: { light: 'file:VideoGenModelVideo.svg', dark: 'file:VideoGenModelVideo.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Use a video model to create short videos from text, images or references',
		defaults: { name: 'VideoGen Model Video' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
