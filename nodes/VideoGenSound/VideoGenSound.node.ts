import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenSound implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Sound',
		name: 'videoGenSound',
		icon: { light: 'file:VideoGenSound.svg', dark: 'file:VideoGenSound.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Search and download music and sound effects',
		defaults: { name: 'VideoGen Sound' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
