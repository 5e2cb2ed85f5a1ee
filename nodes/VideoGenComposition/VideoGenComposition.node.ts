import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenComposition implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Composition',
		name: 'videoGenComposition',
		icon: { light: 'file:VideoGenComposition.svg', dark: 'file:VideoGenComposition.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Render composition projects into videos',
		defaults: { name: 'VideoGen Composition' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
