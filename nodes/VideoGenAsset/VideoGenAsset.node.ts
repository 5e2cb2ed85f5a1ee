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

export class VideoGenAsset implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Asset',
		name: 'videoGenAsset',
		icon: { light: 'file:../videogen.svg', dark: 'file:../videogen.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] }}',
		description: 'Upload, find, read, download and delete files of the service',
		defaults: { name: 'VideoGen Asset' },
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
