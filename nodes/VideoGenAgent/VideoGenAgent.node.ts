import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenAgent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Agent',
		name: 'videoGenAgent',
		icon: { light: 'file:VideoGenAgent.svg', dark: 'file:VideoGenAgent.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Turn prompts into finished videos and refine them in chat',
		defaults: { name: 'VideoGen Agent' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
