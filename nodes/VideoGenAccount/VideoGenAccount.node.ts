import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	buildCommonDescription,
	buildNodeSubtitle,
	collectNodeMethods,
} from '../core/describe/nodeDescription';
import { executeNode } from '../shared/executeNode';
import { testApiKey } from './credentialTest';
import { resources } from './operations';

export class VideoGenAccount implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Account',
		name: 'videoGenAccount',
		icon: { light: 'file:VideoGenAccount.svg', dark: 'file:VideoGenAccount.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildNodeSubtitle(resources),
		description: 'Get account details, remaining credit and API key details',
		defaults: { name: 'VideoGen Account' },
		usableAsTool: true,
		...buildCommonDescription(resources),
		// As in every node, but with `testedBy`: n8n tests API keys with this node.
		credentials: [
			{
				name: 'videoGenApi',
				required: true,
				testedBy: 'testApiKey',
				displayOptions: { show: { authentication: ['apiKey'] } },
			},
			{
				name: 'videoGenOAuth2Api',
				required: true,
				displayOptions: { show: { authentication: ['oAuth2'] } },
			},
		],
	};

	methods = { ...collectNodeMethods(resources), credentialTest: { testApiKey } };

	async execute(this: IExecuteFunctions) {
		return await executeNode(this, resources);
	}
}
