import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenWorkflow implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Workflow',
		name: 'videoGenWorkflow',
		icon: { light: 'file:VideoGenWorkflow.svg', dark: 'file:VideoGenWorkflow.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Build, publish and run workflows in the VideoGen service',
		defaults: { name: 'VideoGen Workflow' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
