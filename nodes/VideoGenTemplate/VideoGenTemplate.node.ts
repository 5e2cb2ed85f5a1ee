import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenTemplate implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Template',
		name: 'videoGenTemplate',
		icon: { light: 'file:VideoGenTemplate.svg', dark: 'file:VideoGenTemplate.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Make personal videos from a template by filling its variables',
		defaults: { name: 'VideoGen Template' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
