import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenFolder implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Folder',
		name: 'videoGenFolder',
		icon: { light: 'file:VideoGenFolder.svg', dark: 'file:VideoGenFolder.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Create and read folders for videos',
		defaults: { name: 'VideoGen Folder' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
