import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenAsset implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Asset',
		name: 'videoGenAsset',
		icon: { light: 'file:VideoGenAsset.svg', dark: 'file:VideoGenAsset.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Upload, find, read, download and delete files of the service',
		defaults: { name: 'VideoGen Asset' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
