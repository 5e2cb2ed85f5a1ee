import type {
	IAuthenticateGeneric,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

export class VideoGenApi implements ICredentialType {
	name = 'videoGenApi';

	displayName = 'VideoGen API';

	icon: Icon = { light: 'file:../nodes/videogen.svg', dark: 'file:../nodes/videogen.dark.svg' };

	documentationUrl = 'https://n8n-nodes-videogen.example/credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'https://api.example.com',
			description: 'The address of the service, without /v3 at its end',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'A key from the web dashboard of the service',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { 'X-Api-Key': '={{$credentials.apiKey}}' } },
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl.trim().replace(new RegExp("/+$"), "")}}',
			url: '/v3/users/me',
		},
	};
}
