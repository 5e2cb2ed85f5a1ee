import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenBrandKit implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Brand Kit',
		name: 'videoGenBrandKit',
		icon: { light: 'file:VideoGenBrandKit.svg', dark: 'file:VideoGenBrandKit.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: "Import a brand's colors, logos and fonts from its website, and manage them",
		defaults: { name: 'VideoGen Brand Kit' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
