import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenAgent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Video Agent',
		name: 'videoGenAgent',
		icon: { light: 'file:VideoGenAgent.svg', dark: 'file:VideoGenAgent.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Turn a prompt into a finished video, and work on it in a chat',
		defaults: { name: 'VideoGen Video Agent' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
