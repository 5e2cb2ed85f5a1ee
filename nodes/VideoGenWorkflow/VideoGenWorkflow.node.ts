import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenWorkflow implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Workflow',
		name: 'videoGenWorkflow',
		icon: { light: 'file:VideoGenWorkflow.svg', dark: 'file:VideoGenWorkflow.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Build, publish and run workflows of the service',
		defaults: { name: 'VideoGen Workflow' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
