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

export class VideoGenBackgroundRemoval implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Background Removal',
		name: 'videoGenBackgroundRemoval',
		icon: { light: 'file:../videogen.svg', dark: 'file:../videogen.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] }}',
		description: 'Separate the people of a video from its background',
		defaults: { name: 'VideoGen Background Removal' },
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
