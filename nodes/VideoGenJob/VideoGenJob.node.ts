import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenJob implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Job Status',
		name: 'videoGenJob',
		icon: { light: 'file:VideoGenJob.svg', dark: 'file:VideoGenJob.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description:
			'Wait for videos and other jobs that earlier nodes have created, or get their status',
		defaults: { name: 'VideoGen Job Status' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
