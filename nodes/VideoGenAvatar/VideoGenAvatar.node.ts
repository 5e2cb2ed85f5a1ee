import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenAvatar implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Avatar',
		name: 'videoGenAvatar',
		icon: { light: 'file:VideoGenAvatar.svg', dark: 'file:VideoGenAvatar.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Create and manage avatars and their looks',
		defaults: { name: 'VideoGen Avatar' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
