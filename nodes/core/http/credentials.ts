/** The credentials that every node offers, the choice between them, and what they hold. */
import type {
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	INodeCredentialDescription,
	INodeProperties,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { createOperationError, createNotConnectedError } from '../errors/nodeErrors';
import { readObject, readText } from '../json';

/** Where a request can come from. */
export type RequestHost =
	IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions | IPollFunctions;

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

/** The signal of the stop button, where there is one. */
export const getCancelSignal = (host: RequestHost): AbortSignal | undefined =>
	'getExecutionCancelSignal' in host ? host.getExecutionCancelSignal() : undefined;

/** Name of the credential type that the node is set to. */
function readCredentialType(host: RequestHost): string {
	const chosen =
		'getInputData' in host
			? (host as IExecuteFunctions).getNodeParameter('authentication', 0, 'apiKey')
			: (host as ILoadOptionsFunctions).getNodeParameter('authentication', 'apiKey');
	return chosen === 'oAuth2' ? 'videoGenOAuth2Api' : 'videoGenApi';
}

/** Carries the API key. */
export const apiKeyHeader = 'X-Api-Key';

/**
 * The address of the service from what somebody entered as Base URL, which may end in `/` and in
 * the `/v3` that all our paths begin with; undefined where it is no web address.
 */
export function parseBaseUrl(entered: unknown): string | undefined {
	const address = String(entered ?? '')
		.trim()
		.replace(/\/+$/, '')
		.replace(/(?<=[^/:])\/+v3$/i, '');
	return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : undefined;
}

/** Shorter texts are no secrets, and would be found everywhere. */
const minSecretLength = 6;

/** Takes secrets out of a text, in whatever case: codes are told in lower case. */
function createSecretMask(secrets: readonly string[]): (text: string) => string {
	if (secrets.length === 0) return (text) => text;
	const literal = (secret: string) => secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	const any = new RegExp(secrets.map(literal).join('|'), 'gi');
	return (text) => text.replace(any, '***');
}

/** The account that a node works with. */
export interface Account {
	/** Tells accounts apart; holds no secret. */
	name: string;
	credentialType: string;
	isOAuth: boolean;
	/** Address of the service, without a slash at its end. */
	baseUrl: string;
	/** Where n8n renews the access of an OAuth credential. */
	tokenUrl?: string;
	/** The text without the secrets of the credential. */
	removeSecrets: (text: string) => string;
}

/** Reads the credential of the node. Throws in words when it cannot be used. */
export async function readAccount(host: RequestHost): Promise<Account> {
	const node = host.getNode();
	const credentialType = readCredentialType(host);
	const isOAuth = credentialType === 'videoGenOAuth2Api';
	const saved = await host.getCredentials(credentialType);
	const token = readObject(saved.oauthTokenData);
	const baseUrl = parseBaseUrl(saved.baseUrl);
	if (baseUrl === undefined) {
		throw createOperationError(
			node,
			'The credential has no valid Base URL',
			'Open the credential and enter the address of the service, beginning with https://',
		);
	}
	// An OAuth credential is saved before it is connected.
	if (isOAuth && Object.keys(token).length === 0)
		throw createNotConnectedError(node, credentialType);
	const secrets = [saved.apiKey, saved.clientSecret, token.access_token, token.refresh_token]
		.map((secret) => readText(secret) ?? '')
		.filter((secret) => secret.length >= minSecretLength);
	return {
		name: `${baseUrl} ${credentialType} ${node.credentials?.[credentialType]?.id ?? ''}`,
		credentialType,
		isOAuth,
		baseUrl,
		tokenUrl: readText(saved.accessTokenUrl),
		removeSecrets: createSecretMask(secrets),
	};
}
