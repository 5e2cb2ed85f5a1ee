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

export class VideoGenTranslation implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Translation',
		name: 'videoGenTranslation',
		icon: { light: 'file:VideoGenTranslation.svg', dark: 'file:VideoGenTranslation.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Translate videos, and correct translations before they are spoken',
		defaults: { name: 'VideoGen Translation' },
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
