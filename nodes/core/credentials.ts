/** The credentials that every node offers, and the choice between them. */
import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

export const authentication: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'API Key', value: 'apiKey' },
		{ name: 'OAuth2', value: 'oAuth2' },
	],
	default: 'apiKey',
	description: 'How the node signs in at the service',
};

export const credentials: INodeCredentialDescription[] = [
	{
		name: 'videoGenApi',
		required: true,
		displayOptions: { show: { authentication: ['apiKey'] } },
	},
	{
		name: 'videoGenOAuth2Api',
		required: true,
		displayOptions: { show: { authentication: ['oAuth2'] } },
	},
];
