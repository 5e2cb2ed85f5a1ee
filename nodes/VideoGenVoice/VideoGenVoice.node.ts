import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenVoice implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Voice',
		name: 'videoGenVoice',
		icon: { light: 'file:VideoGenVoice.svg', dark: 'file:VideoGenVoice.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Train, clone, find and delete voices',
		defaults: { name: 'VideoGen Voice' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
