import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenSound implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Sound',
		name: 'videoGenSound',
		icon: { light: 'file:VideoGenSound.svg', dark: 'file:VideoGenSound.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Search and download music and sound effects',
		defaults: { name: 'VideoGen Sound' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
