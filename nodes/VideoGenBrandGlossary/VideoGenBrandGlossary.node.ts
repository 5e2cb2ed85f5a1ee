import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { resources } from './operations';

export class VideoGenBrandGlossary implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Brand Glossary',
		name: 'videoGenBrandGlossary',
		icon: { light: 'file:VideoGenBrandGlossary.svg', dark: 'file:VideoGenBrandGlossary.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Manage how brand terms are pronounced and translated',
		defaults: { name: 'VideoGen Brand Glossary' },
		usableAsTool: true,
		...buildCommonDescription(resources),
	};

	methods = collectNodeMethods(resources);

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
