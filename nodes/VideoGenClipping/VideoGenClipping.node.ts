import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenClipping implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Clipping',
		name: 'videoGenClipping',
		icon: { light: 'file:VideoGenClipping.svg', dark: 'file:VideoGenClipping.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Turn long videos into short clips with captions',
		defaults: { name: 'VideoGen Clipping' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
