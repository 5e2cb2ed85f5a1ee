import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenVoice implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Voice',
		name: 'videoGenVoice',
		icon: { light: 'file:VideoGenVoice.svg', dark: 'file:VideoGenVoice.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Train, clone, find and delete voices',
		defaults: { name: 'VideoGen Voice' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
