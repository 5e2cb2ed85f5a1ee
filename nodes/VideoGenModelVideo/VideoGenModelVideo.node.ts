import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenModelVideo implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Model Video',
		name: 'videoGenModelVideo',
		icon: { light: 'file:VideoGenModelVideo.svg', dark: 'file:VideoGenModelVideo.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Make short videos with the video model: from text, a picture, or references',
		defaults: { name: 'VideoGen Model Video' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
