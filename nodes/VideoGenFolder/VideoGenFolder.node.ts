import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenFolder implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Folder',
		name: 'videoGenFolder',
		icon: { light: 'file:VideoGenFolder.svg', dark: 'file:VideoGenFolder.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Create and get folders for videos',
		defaults: { name: 'VideoGen Folder' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
