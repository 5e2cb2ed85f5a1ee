import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
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
		subtitle: subtitle(resources),
		description:
			'Let an avatar speak in a live stream, from text, a recording, or text that goes on',
		defaults: { name: 'VideoGen Realtime Avatar' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
