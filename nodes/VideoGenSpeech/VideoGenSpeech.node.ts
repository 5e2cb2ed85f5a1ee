import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenSpeech implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Speech',
		name: 'videoGenSpeech',
		icon: { light: 'file:VideoGenSpeech.svg', dark: 'file:VideoGenSpeech.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Turn text into speech',
		defaults: { name: 'VideoGen Speech' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
