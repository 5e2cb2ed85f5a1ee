import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { methods, properties } from '../core/form/properties';
import { subtitle } from '../core/form/subtitle';
import { authentication, credentials } from '../core/http/credentials';
import { run } from '../core/run/run';
import { ports } from '../fields/ports';
import { resources } from './operations';

export class VideoGenAccount implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Account',
		name: 'videoGenAccount',
		icon: { light: 'file:VideoGenAccount.svg', dark: 'file:VideoGenAccount.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Read the account, its credit and the API key in use',
		defaults: { name: 'VideoGen Account' },
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
