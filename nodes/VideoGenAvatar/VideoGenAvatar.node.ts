import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenAvatar implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Avatar',
		name: 'videoGenAvatar',
		icon: { light: 'file:VideoGenAvatar.svg', dark: 'file:VideoGenAvatar.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Create avatars and their looks, and manage them',
		defaults: { name: 'VideoGen Avatar' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
