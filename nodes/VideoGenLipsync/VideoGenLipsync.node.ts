import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenLipsync implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Lipsync',
		name: 'videoGenLipsync',
		icon: { light: 'file:VideoGenLipsync.svg', dark: 'file:VideoGenLipsync.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Sync the lips in videos to new speech',
		defaults: { name: 'VideoGen Lipsync' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
