/** Defines the credential settings that all nodes share, and reads the selected credential. */
import type {
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	INodeCredentialDescription,
	INodeProperties,
	IPollFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { createDigest } from '../digest';
import { createOperationError, createCredentialNotConnectedError } from '../errors/nodeErrors';
import { readObject, readText, toText } from '../json';

/** n8n's context of an execution, a list search, a webhook or a poll. */
export type N8nContext =
	| IExecuteFunctions
	| ILoadOptionsFunctions
	| IHookFunctions
	| IWebhookFunctions
	| IPollFunctions
	| ITriggerFunctions;

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

/** Returns a signal that aborts when the user stops the execution. Undefined outside executions. */
export const getCancelSignal = (host: N8nContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in host ? host.getExecutionCancelSignal() : undefined;

/** Returns a copy of the context with another cancel signal, which n8n's HTTP helpers then use. */
export const replaceCancelSignal = <T extends N8nContext>(host: T, signal: AbortSignal): T =>
	Object.create(host, { getExecutionCancelSignal: { value: () => signal } }) as T;

function readCredentialType(host: N8nContext): string {
	const chosen =
		'getInputData' in host
			? (host as IExecuteFunctions).getNodeParameter('authentication', 0, 'apiKey')
			: (host as ILoadOptionsFunctions).getNodeParameter('authentication', 'apiKey');
	return chosen === 'oAuth2' ? 'videoGenOAuth2Api' : 'videoGenApi';
}

export const apiKeyHeader = 'X-Api-Key';

/** Maximum length of a Base URL. Every browser and proxy supports URLs of this length. */
const maxBaseUrlLength = 2_048;

/**
 * Returns a Base URL without trailing slashes and without `/v3` at the end, because request paths
 * begin with the version. Returns `undefined` if the text is not a web URL or is too long.
 */
export function parseBaseUrl(text: unknown): string | undefined {
	const entered = readText(text)?.trim() ?? '';
	if (entered.length > maxBaseUrlLength) return undefined;
	const url = entered.replace(/(?<!\/)\/+$/, '').replace(/(?<=[^/:])\/+v3$/i, '');
	return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
}

/** Minimum length of secrets to mask. A shorter text could be part of a normal word. */
const minSecretLength = 6;

/** Minimum length of secrets to mask in responses. A shorter text could be part of a value. */
const minEchoedSecretLength = 16;

/**
 * Returns the three Base64 encodings that a secret can have inside a longer text, without the
 * characters that depend on the rest of the text. Base64 encodes three bytes at a time.
 */
const encodeAtEachPosition = (secret: string): string[] =>
	[0, 1, 2].map((offset) => {
		const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
		const first = Math.ceil((offset * 8) / 6);
		const last = Math.floor((bytes.length * 8) / 6);
		return bytes.toString('base64').slice(first, last);
	});

/**
 * Returns a function that masks secrets and their Base64 encodings in text. It ignores case,
 * because error codes are converted to lower case.
 */
function createSecretMask(secrets: readonly string[]): (text: string) => string {
	if (secrets.length === 0) return (text) => text;
	const escape = (secret: string) => secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	const forms = secrets.flatMap((secret) => [secret, ...encodeAtEachPosition(secret)]).map(escape);
	// A slash may be escaped in JSON. Base64 in URLs has other characters for plus and slash.
	const patterns = forms.map((form) =>
		form.replace(/\//g, '(?:\\\\?/|_)').replace(/\\\+/g, '[+-]'),
	);
	const pattern = new RegExp(patterns.join('|'), 'gi');
	return (text) => text.replace(pattern, '***');
}

/** Settings for connecting to the service with a node's credential. */
export type Account = Awaited<ReturnType<typeof readAccount>>;

/** Reads the selected credential. Throws a readable error if it is incomplete. */
export async function readAccount(host: N8nContext) {
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
			"Open the credential and enter the service's URL. It begins with https:// or http://",
		);
	}
	// An OAuth credential can be saved before it is connected.
	if (isOAuth && Object.keys(token).length === 0)
		throw createCredentialNotConnectedError(node, credentialType);
	const secrets = [saved.apiKey, saved.clientSecret, token.access_token, token.refresh_token]
		.map((secret) => readText(secret) ?? '')
		.filter((secret) => secret.length >= minSecretLength);
	const name = `${baseUrl} ${credentialType} ${node.credentials?.[credentialType]?.id ?? ''}`;
	return {
		/** Name of the account, which contains no secrets. */
		name,
		/** Hash of the credential and its API key. Changes if the user changes either of them. */
		signIn: createDigest(JSON.stringify([name, isOAuth ? '' : saved.apiKey])),
		...(isOAuth && {
			/** Hash of the access token. Changes when n8n renews the token or another user signs in. */
			tokenDigest: createDigest(toText(token.access_token)),
			/** URL that n8n calls to renew an access token. */
			tokenUrl: readText(saved.accessTokenUrl),
		}),
		credentialType,
		isOAuth,
		/** Base URL of the service, without a trailing slash. */
		baseUrl,
		/** Replaces all secrets in a message with `***`. */
		removeSecrets: createSecretMask(secrets),
		/** Replaces long secrets in a whole response with `***`. */
		removeEchoedSecrets: createSecretMask(
			secrets.filter((secret) => secret.length >= minEchoedSecretLength),
		),
	};
}
