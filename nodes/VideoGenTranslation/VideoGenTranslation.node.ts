import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenTranslation implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Translation',
		name: 'videoGenTranslation',
		icon: { light: 'file:VideoGenTranslation.svg', dark: 'file:VideoGenTranslation.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Translate videos, and correct translations before dubbing',
		defaults: { name: 'VideoGen Translation' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
