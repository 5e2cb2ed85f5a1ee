import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { commonDescription, subtitle } from '../core/form/description';
import { methods } from '../core/form/properties';
import { testApiKey } from '../core/http/credentialTest';
import { runOperations } from '../fields/run';
import { resources } from './operations';

export class VideoGenAccount implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Account',
		name: 'videoGenAccount',
		icon: { light: 'file:VideoGenAccount.svg', dark: 'file:VideoGenAccount.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Read the account, its credit and the API key in use',
		defaults: { name: 'VideoGen Account' },
		usableAsTool: true,
		...commonDescription(resources),
		// Those of all nodes. n8n lets this one test the key: the test reads the account.
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

	methods = { ...methods(resources), credentialTest: { testApiKey } };

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, resources);
	}
}
