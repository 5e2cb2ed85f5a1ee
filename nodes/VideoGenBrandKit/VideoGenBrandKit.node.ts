import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenBrandKit implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Brand Kit',
		name: 'videoGenBrandKit',
		icon: { light: 'file:VideoGenBrandKit.svg', dark: 'file:VideoGenBrandKit.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Import colors, logos and fonts of a brand from its website, and manage them',
		defaults: { name: 'VideoGen Brand Kit' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
