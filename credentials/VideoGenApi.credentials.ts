import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

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
			description:
				"An API key from the service's web dashboard. Never use it in code that runs in a browser.",
			hint: "Create a key in the service's web dashboard, then paste the whole key here",
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
	];

	// A function, because n8n takes much longer to evaluate an expression for each request. Repeats
	// the header's name, because n8n loads this file and all its imports at startup.
	authenticate = async (
		{ apiKey }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...request,
		headers: { ...request.headers, 'X-Api-Key': apiKey },
	});
}
