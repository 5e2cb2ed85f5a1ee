import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenRealtimeAvatar implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Realtime Avatar',
		name: 'videoGenRealtimeAvatar',
		icon: {
			light: 'file:VideoGenRealtimeAvatar.svg',
			dark: 'file:VideoGenRealtimeAvatar.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Stream a live avatar driven by audio, a script, or text sent in parts',
		defaults: { name: 'VideoGen Realtime Avatar' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
