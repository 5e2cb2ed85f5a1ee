import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenClipping implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Clipping',
		name: 'videoGenClipping',
		icon: { light: 'file:VideoGenClipping.svg', dark: 'file:VideoGenClipping.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Turn long videos into short clips with captions',
		defaults: { name: 'VideoGen Clipping' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
