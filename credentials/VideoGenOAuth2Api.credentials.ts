import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

export class VideoGenOAuth2Api implements ICredentialType {
	name = 'videoGenOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'VideoGen OAuth2 API';

	icon: Icon = { light: 'file:../nodes/videogen.svg', dark: 'file:../nodes/videogen.dark.svg' };

	documentationUrl = 'https://docs.n8n.io/credentials';

	// The user enters the URLs: their hosts cannot be derived from the Base URL (service.md, G25).
	properties: INodeProperties[] = [
		{
			displayName:
				"You need a Client ID. To get one, send the OAuth Redirect URL above to the service's partnerships team. Without a Client ID, use the VideoGen API credential with an API key. OAuth requests may use your subscription credits, and API key requests may be charged to a wallet.",
			name: 'clientNotice',
			type: 'notice',
			default: '',
		},
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
			placeholder: 'https://app.example.com/oauth/authorize',
			description:
				"The URL where users grant access: /oauth/authorize on the host of the service's web app",
		},
		{
			displayName: 'Access Token URL',
			name: 'accessTokenUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'https://api2.example.com/v1/oauth/token',
			description:
				'The URL for getting and renewing tokens: /v1/oauth/token on an API host, which may differ from the host in the Base URL',
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'The client secret. Leave empty for a public client, which has only a Client ID.',
		},
		{
			displayName: 'Scopes',
			name: 'scopeList',
			type: 'multiOptions',
			options: [
				{ name: 'Account: Read', value: 'account:read', description: 'Account and credit' },
				{ name: 'Assets: Read', value: 'assets:read', description: 'Find and download files' },
				{ name: 'Assets: Write', value: 'assets:write', description: 'Upload and delete files' },
				{ name: 'Avatars: Read', value: 'avatars:read', description: 'Find avatars and looks' },
				{ name: 'Avatars: Write', value: 'avatars:write', description: 'Create avatars and looks' },
				{ name: 'Email', value: 'email', description: 'Your email address' },
				{ name: 'Lipsync: Read', value: 'lipsync:read', description: 'Get lipsyncs' },
				{ name: 'Lipsync: Write', value: 'lipsync:write', description: 'Create lipsyncs' },
				{ name: 'OpenID', value: 'openid', description: 'Sign in with your account' },
				{ name: 'Profile', value: 'profile', description: 'Your name' },
				{
					name: 'Realtime Avatars: Read',
					value: 'avatar_realtime:read',
					description: 'Get live streams',
				},
				{
					name: 'Realtime Avatars: Write',
					value: 'avatar_realtime:write',
					description: 'Start live streams',
				},
				{
					name: 'Video Agent: Read',
					value: 'video_agent:read',
					description: 'Get VideoGen Agent sessions',
				},
				{
					name: 'Video Agent: Write',
					value: 'video_agent:write',
					description: 'Generate videos with VideoGen Agent',
				},
				{
					name: 'Video Quality: Read',
					value: 'video_quality:read',
					description: 'Get video quality assessments',
				},
				{ name: 'Videos: Read', value: 'videos:read', description: 'Get videos and folders' },
				{
					name: 'Videos: Write',
					value: 'videos:write',
					description: 'Create and delete videos, create folders',
				},
				{ name: 'Voices: Read', value: 'voices:read', description: 'Find voices' },
				{ name: 'Voices: Write', value: 'voices:write', description: 'Clone and delete voices' },
				{
					name: 'Workflows: Read',
					value: 'workflows:read',
					description: 'Get workflows and workflow runs in the service',
				},
				{
					name: 'Workflows: Write',
					value: 'workflows:write',
					description: 'Change and run workflows in the service',
				},
			],
			default: ['openid', 'profile', 'email'],
			description:
				'What n8n is allowed to do with the account. The service does not document whether the scopes of its API keys also apply to OAuth tokens. If an error says that a scope is missing, add it here and reconnect.',
		},
		{
			displayName: 'Other Scopes',
			name: 'scopes',
			type: 'string',
			default: '',
			placeholder: 'e.g. openid profile email',
			description:
				'All the scopes you need, separated by spaces, if the service gave you scopes not listed above. They replace your selection above.',
		},
		{
			// n8n 1.x drops the value of a field with this name, but keeps its default.
			displayName: 'Scope',
			name: 'scope',
			type: 'hidden',
			default: '={{$self["scopes"] || ($self["scopeList"] || []).join(" ")}}',
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
