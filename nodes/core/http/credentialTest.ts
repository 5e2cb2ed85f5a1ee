/** Whether a credential with an API key works, in the words that its form shows. */
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { explainError, type Explanation, type Explanations } from '../errors/advice';
import { classifyConnectionError, isHandshakeError } from '../errors/connection';
import { isObject } from '../json';
import { apiKeyHeader, parseBaseUrl } from './credentials';
import { findErrorCode, findErrorMessage, parseReply, type Reply } from './reply';

/** The most time for the answer, in milliseconds: somebody looks at the form meanwhile. */
const testTimeout = 15_000;

const successResult: INodeCredentialTestResult = { status: 'OK', message: 'Connection successful' };

const wrongKey: Explanation = {
	message: 'The service does not accept this API key',
	advice:
		'Copy it once more from the web dashboard of the service: keys expire and can be replaced',
};
const wrongBaseUrl: Explanation = {
	message: 'The Video Generation Service is not at this Base URL',
	advice: 'Enter the address of its API as its web dashboard or documentation shows it',
};
const formExplanations: Explanations = {
	unauthorized: wrongKey,
	authentication_failed: wrongKey,
	status_401: wrongKey,
	status_404: wrongBaseUrl,
	status_405: wrongBaseUrl,
	status_429: { message: 'The service gets too many requests', advice: 'Try again in a minute' },
};
const serviceOutage: Explanation = {
	message: 'The service has a problem of its own',
	advice: 'Try again later',
};

/** Why no answer came. */
function explainConnectionError(origin: string, code: string, detail: string): Explanation {
	const checkAddress = 'Check the Base URL, and that this n8n can reach it';
	if (isHandshakeError(code)) {
		return {
			message: `No safe connection to ${origin} can be made`,
			advice:
				'Check whether the Base URL has to begin with https:// or http://, and whether n8n trusts its certificate',
		};
	}
	if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code)) {
		return {
			message: `No server is known at ${origin}`,
			advice: 'Check how the Base URL is written',
		};
	}
	switch (classifyConnectionError(code)) {
		case 'unsent':
			return { message: `Nothing answers at ${origin}`, advice: checkAddress };
		case 'broken':
			return {
				message: `${origin} gives no answer`,
				advice: `${checkAddress}, or try again later`,
			};
		case 'impossible':
			return { message: `${origin} could not be asked`, advice: `The reason: ${detail}` };
	}
}

/** What is wrong, or nothing. */
function findFault(origin: string, reply: Reply): Explanation | undefined {
	switch (reply.kind) {
		case 'success':
			return isObject(reply.body.data) ? undefined : wrongBaseUrl;
		case 'refusal':
			// The service knows the key, which may not read the account and other things may.
			if (reply.facts.code === 'insufficient_api_key_scope') return undefined;
			return reply.status >= 500 ? serviceOutage : explainError(reply.facts, formExplanations);
		case 'unconnected':
			return explainConnectionError(origin, reply.code, reply.detail);
		default:
			return wrongBaseUrl;
	}
}

/** For n8n's `methods.credentialTest`: reads the account with the key. */
export async function testApiKey(
	this: ICredentialTestFunctions,
	{ data: saved = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const baseUrl = parseBaseUrl(saved.baseUrl);
	if (baseUrl === undefined) {
		return { status: 'Error', message: 'The Base URL is no web address: it begins with https://' };
	}
	const { message: what, advice: then } =
		findFault(new URL(baseUrl).origin, await requestAccount(this, baseUrl, saved)) ?? {};
	return what === undefined ? successResult : { status: 'Error', message: `${what}. ${then}.` };
}

async function requestAccount(
	{ helpers: { request } }: ICredentialTestFunctions,
	baseUrl: string,
	{ apiKey }: ICredentialDataDecryptedObject,
): Promise<Reply> {
	try {
		// The one helper for requests that n8n gives a test.
		const response = (await request({
			uri: `${baseUrl}/v3/users/me`,
			headers: { [apiKeyHeader]: apiKey },
			json: true,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout: testTimeout,
		})) as IN8nHttpFullResponse;
		return parseReply({ ...response, body: response.body ?? '' }, false);
	} catch (error) {
		return {
			kind: 'unconnected',
			code: findErrorCode(error) ?? 'unknown',
			detail: findErrorMessage(error),
		};
	}
}
