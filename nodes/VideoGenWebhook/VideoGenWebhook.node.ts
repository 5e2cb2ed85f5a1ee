import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenWebhook implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Webhook',
		name: 'videoGenWebhook',
		icon: { light: 'file:VideoGenWebhook.svg', dark: 'file:VideoGenWebhook.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Register addresses for events and look at what was delivered',
		defaults: { name: 'VideoGen Webhook' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
