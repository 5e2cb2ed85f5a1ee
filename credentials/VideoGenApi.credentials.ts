import type { IAuthenticateGeneric, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

export class VideoGenApi implements ICredentialType {
	name = 'videoGenApi';

	displayName = 'VideoGen API';

	icon: Icon = { light: 'file:../nodes/videogen.svg', dark: 'file:../nodes/videogen.dark.svg' };

	documentationUrl = 'https://docs.n8n.io/credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'A key that you made in the web dashboard of the service',
			hint: 'Made in the web dashboard of the service. Paste the whole key.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: 'The web address of the API of the service, from its dashboard or documentation',
			hint: 'The web address of the service, from its dashboard or documentation. With or without /v3 at its end.',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		// Written out: n8n loads this file at its start, with all that it imports.
		properties: { headers: { 'X-Api-Key': '={{$credentials.apiKey}}' } },
	};
}
