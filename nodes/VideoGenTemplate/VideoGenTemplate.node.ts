import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenTemplate implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Template',
		name: 'videoGenTemplate',
		icon: { light: 'file:VideoGenTemplate.svg', dark: 'file:VideoGenTemplate.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Create personalized videos from a template by filling in its variables',
		defaults: { name: 'VideoGen Template' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
