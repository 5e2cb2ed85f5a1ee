import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { methods, properties } from '../core/form/properties';
import { authentication, credentials } from '../core/http/credentials';
import { run } from '../core/run/run';
import { ports } from '../fields/ports';
import { resources } from './operations';

export class VideoGenAgent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Agent',
		name: 'videoGenAgent',
		icon: { light: 'file:../videogen.svg', dark: 'file:../videogen.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Turn prompts into videos, and work on them in a chat with the agent',
		defaults: { name: 'VideoGen Agent' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		properties: [authentication, ...properties(resources)],
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, ports);
	}
}
