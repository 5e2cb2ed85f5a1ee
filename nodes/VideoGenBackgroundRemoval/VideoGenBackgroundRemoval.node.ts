import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenBackgroundRemoval implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Background Removal',
		name: 'videoGenBackgroundRemoval',
		icon: {
			light: 'file:VideoGenBackgroundRemoval.svg',
			dark: 'file:VideoGenBackgroundRemoval.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Separate the people of a video from its background',
		defaults: { name: 'VideoGen Background Removal' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
