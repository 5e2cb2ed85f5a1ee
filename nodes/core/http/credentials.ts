/**
 * Defines the credentials that every node offers, and reads the account that they give access to.
 */
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

/** Context of n8n that can send requests: a node run, a list search, a webhook or a poll. */
export type RequestHost =
	IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions | IPollFunctions;

export const authenticationField: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'API Key', value: 'apiKey' },
		{ name: 'OAuth2', value: 'oAuth2' },
	],
	default: 'apiKey',
	description: 'How the node signs in to the service',
};

export const credentialDescriptions: INodeCredentialDescription[] = [
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

/** Returns the signal of the Stop button, or `undefined` outside of an execution. */
export const getCancelSignal = (host: RequestHost): AbortSignal | undefined =>
	'getExecutionCancelSignal' in host ? host.getExecutionCancelSignal() : undefined;

/** Returns the credential type that is selected in the node. */
function readCredentialType(host: RequestHost): string {
	const chosen =
		'getInputData' in host
			? (host as IExecuteFunctions).getNodeParameter('authentication', 0, 'apiKey')
			: (host as ILoadOptionsFunctions).getNodeParameter('authentication', 'apiKey');
	return chosen === 'oAuth2' ? 'videoGenOAuth2Api' : 'videoGenApi';
}

/** Header that contains the API key. */
export const apiKeyHeader = 'X-Api-Key';

/**
 * Returns the base URL of the service without a trailing slash and without `/v3`, with which all
 * paths begin. `undefined` if the text is not a web URL.
 */
export function parseBaseUrl(text: unknown): string | undefined {
	const url = String(text ?? '')
		.trim()
		.replace(/\/+$/, '')
		.replace(/(?<=[^/:])\/+v3$/i, '');
	return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
}

/** Minimum length of a secret to mask. Shorter strings also occur in ordinary words. */
const minSecretLength = 6;

/**
 * Creates a function that masks secrets in a text, ignoring case because codes are shown in lower
 * case.
 */
function createSecretMask(secrets: readonly string[]): (text: string) => string {
	if (secrets.length === 0) return (text) => text;
	const escape = (secret: string) => secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	const pattern = new RegExp(secrets.map(escape).join('|'), 'gi');
	return (text) => text.replace(pattern, '***');
}

/** Account that the credential of a node gives access to. */
export interface Account {
	/** Name that identifies the account. Contains no secret. */
	name: string;
	credentialType: string;
	isOAuth: boolean;
	/** URL of the service without a trailing slash. */
	baseUrl: string;
	/** URL at which n8n renews the token of an OAuth credential. */
	tokenUrl?: string;
	/** Masks the secrets of the credential in a text. */
	removeSecrets: (text: string) => string;
}

/**
 * Reads the account of the node's credential. Throws a readable error if the credential is
 * incomplete.
 */
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
			'Open the credential and enter the URL of the service. It begins with https://',
		);
	}
	// An OAuth credential can be saved before it is connected.
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
