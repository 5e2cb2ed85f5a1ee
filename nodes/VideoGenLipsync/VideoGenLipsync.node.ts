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

export class VideoGenLipsync implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Lipsync',
		name: 'videoGenLipsync',
		icon: { light: 'file:../videogen.svg', dark: 'file:../videogen.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] }}',
		description: 'Give videos new speech, with lips that follow it',
		defaults: { name: 'VideoGen Lipsync' },
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
