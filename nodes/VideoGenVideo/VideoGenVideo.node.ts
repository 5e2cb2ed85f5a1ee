import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenVideo implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Video',
		name: 'videoGenVideo',
		icon: { light: 'file:VideoGenVideo.svg', dark: 'file:VideoGenVideo.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description:
			'Make videos with an avatar, a picture or scenes of your own, and manage them; for a video from a prompt alone, see VideoGen Video Agent',
		defaults: { name: 'VideoGen Video' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
