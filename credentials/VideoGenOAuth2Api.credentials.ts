import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

export class VideoGenOAuth2Api implements ICredentialType {
	name = 'videoGenOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'VideoGen OAuth2 API';

	icon: Icon = { light: 'file:../nodes/videogen.svg', dark: 'file:../nodes/videogen.dark.svg' };

	documentationUrl = 'https://docs.n8n.io/credentials';

	// The addresses and scopes are the user's to give: the specification does not name them.
	properties: INodeProperties[] = [
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
			description: 'Where the user allows the access, as the service tells you',
		},
		{
			displayName: 'Access Token URL',
			name: 'accessTokenUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'https://auth.example.com/oauth/token',
			description: 'Where tokens are given out and renewed, as the service tells you',
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Leave empty if the service gave you a Client ID alone, for a public client',
		},
		{
			displayName: 'Scopes',
			name: 'scopes',
			type: 'string',
			default: '',
			placeholder: 'openid profile email',
			description: 'The scopes to ask for, separated by spaces',
		},
		{
			// n8n 1.x drops what users write into a field of this name, but keeps its default.
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
