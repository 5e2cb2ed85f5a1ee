import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

export class VideoGenOAuth2Api implements ICredentialType {
	name = 'videoGenOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'VideoGen OAuth2 API';

	icon: Icon = { light: 'file:../nodes/videogen.svg', dark: 'file:../nodes/videogen.dark.svg' };

	documentationUrl = 'https://docs.n8n.io/credentials';

	// The user enters URLs and scopes: the specification does not name them.
	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: "The URL of the service's API, from its dashboard or documentation",
			hint: "The URL of the service's API, from its dashboard or documentation, with or without /v3 at the end",
		},
		{
			displayName: 'Grant Type',
			name: 'grantType',
			type: 'hidden',
			default: 'pkce',
		},
		{
			displayName: 'Authorization URL',
			name: 'authUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'https://auth.example.com/oauth/authorize',
			description: 'The URL at which users grant access, from the documentation of the service',
		},
		{
			displayName: 'Access Token URL',
			name: 'accessTokenUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'https://auth.example.com/oauth/token',
			description: 'The URL that issues and renews tokens, from the documentation of the service',
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'The secret of the client. Leave empty for a public client, which has only a Client ID.',
		},
		{
			displayName: 'Scopes',
			name: 'scopes',
			type: 'string',
			default: '',
			placeholder: 'openid profile email',
			description: 'The scopes to request, separated by spaces',
		},
		{
			// n8n 1.x drops the value of a field with this name, but keeps its default.
			displayName: 'Scope',
			name: 'scope',
			type: 'hidden',
			default: '={{$self["scopes"]}}',
		},
		{
			displayName: 'Auth URI Query Parameters',
			name: 'authQueryParameters',
			type: 'hidden',
			default: '',
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'hidden',
			default: 'body',
		},
	];
}
