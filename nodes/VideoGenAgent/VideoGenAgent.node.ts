import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { hints } from '../core/form/hints';
import { methods, properties } from '../core/form/properties';
import { subtitle } from '../core/form/subtitle';
import { authentication, credentials } from '../core/http/credentials';
import { run } from '../core/run/run';
import { ports } from '../fields/ports';
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
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		hints: hints(resources),
		properties: [authentication, ...properties(resources)],
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, ports);
	}
}
