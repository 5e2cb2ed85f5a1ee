import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenLipsync implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Lipsync',
		name: 'videoGenLipsync',
		icon: { light: 'file:VideoGenLipsync.svg', dark: 'file:VideoGenLipsync.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Give videos new speech, with lips that follow it',
		defaults: { name: 'VideoGen Lipsync' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
