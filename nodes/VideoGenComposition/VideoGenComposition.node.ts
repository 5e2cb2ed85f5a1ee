import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenComposition implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Composition',
		name: 'videoGenComposition',
		icon: { light: 'file:VideoGenComposition.svg', dark: 'file:VideoGenComposition.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Render composition projects into videos',
		defaults: { name: 'VideoGen Composition' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
