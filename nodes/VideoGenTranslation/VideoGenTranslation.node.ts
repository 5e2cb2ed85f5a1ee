import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenTranslation implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Translation',
		name: 'videoGenTranslation',
		icon: { light: 'file:VideoGenTranslation.svg', dark: 'file:VideoGenTranslation.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Translate videos, and correct translations before they are spoken',
		defaults: { name: 'VideoGen Translation' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
