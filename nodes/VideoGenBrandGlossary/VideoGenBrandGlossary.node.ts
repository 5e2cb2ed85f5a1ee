import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenBrandGlossary implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Brand Glossary',
		name: 'videoGenBrandGlossary',
		icon: { light: 'file:VideoGenBrandGlossary.svg', dark: 'file:VideoGenBrandGlossary.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Manage how the words of a brand are pronounced and translated',
		defaults: { name: 'VideoGen Brand Glossary' },
		usableAsTool: true,
		...commonDescription(resources),
	};

	methods = methods(resources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
