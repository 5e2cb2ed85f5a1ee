import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenSpeech implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Speech',
		name: 'videoGenSpeech',
		icon: { light: 'file:VideoGenSpeech.svg', dark: 'file:VideoGenSpeech.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Turn text into speech',
		defaults: { name: 'VideoGen Speech' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
