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
