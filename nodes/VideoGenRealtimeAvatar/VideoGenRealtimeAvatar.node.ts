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

export class VideoGenRealtimeAvatar implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Realtime Avatar',
		name: 'videoGenRealtimeAvatar',
		icon: { light: 'file:../videogen.svg', dark: 'file:../videogen.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] }}',
		description:
			'Let an avatar speak in a live stream, from text, a recording, or text that goes on',
		defaults: { name: 'VideoGen Realtime Avatar' },
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
