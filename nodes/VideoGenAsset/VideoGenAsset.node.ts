import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenAsset implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Asset',
		name: 'videoGenAsset',
		icon: { light: 'file:VideoGenAsset.svg', dark: 'file:VideoGenAsset.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Upload, find, get, download and delete files (assets)',
		defaults: { name: 'VideoGen Asset' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
