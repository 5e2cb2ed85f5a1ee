import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenWebhook implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Webhook',
		name: 'videoGenWebhook',
		icon: { light: 'file:VideoGenWebhook.svg', dark: 'file:VideoGenWebhook.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Register URLs for events and list the delivered events',
		defaults: { name: 'VideoGen Webhook' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
