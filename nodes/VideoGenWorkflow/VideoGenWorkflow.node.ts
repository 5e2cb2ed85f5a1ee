import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { authentication, credentials } from '../core/credentials';
import { methods, properties } from '../core/operation';
import { run } from '../core/run';
import { operations } from './operations';

export class VideoGenWorkflow implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Workflow',
		name: 'videoGenWorkflow',
		icon: { light: 'file:../videogen.svg', dark: 'file:../videogen.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] }}',
		description: 'Build, publish and run workflows of the service',
		defaults: { name: 'VideoGen Workflow' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		properties: [authentication, ...properties(operations)],
	};

	methods = methods(operations);

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, operations);
	}
}
