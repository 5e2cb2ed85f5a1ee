/**
 * Tests whether the service accepts an API key. n8n runs the test when the credential is saved, and
 * shows the result in the credential form.
 */
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { explainError, type ErrorExplanation, type ErrorExplanations } from '../core/errors/advice';
import { getRequestSendState } from '../core/errors/errorDetails';
import { explainConnectionError } from '../core/errors/nodeErrors';
import { isObject } from '../core/json';
import { apiKeyHeader, parseBaseUrl } from '../core/http/credentials';
import { receivedDataLimits } from '../core/http/receivedDataLimits';
import {
	findThrownErrorCode,
	findThrownErrorMessage,
	readReply,
	type AttemptOutcome,
} from '../core/http/reply';

const successResult: INodeCredentialTestResult = { status: 'OK', message: 'Connection successful' };

const wrongKey: ErrorExplanation = {
	message: 'The service does not accept this API key',
	advice:
		"Copy the key again from the service's web dashboard. The key may have expired or been replaced",
};
const wrongBaseUrl: ErrorExplanation = {
	message: 'The Video Generation Service was not found at this Base URL',
	advice: "Enter the URL of the service's API, as shown in its web dashboard or documentation",
};
const formExplanations: ErrorExplanations = {
	unauthorized: wrongKey,
	authentication_failed: wrongKey,
	status_401: wrongKey,
	status_404: wrongBaseUrl,
	status_405: wrongBaseUrl,
	status_429: {
		message: 'The service is receiving too many requests',
		advice: 'Try again in a minute',
	},
};
const serviceOutage: ErrorExplanation = {
	message: 'The service encountered an error',
	advice: 'Try again later',
};

function explainUnconnectedTest(origin: string, code: string, detail: string): ErrorExplanation {
	const unreachableAdvice = 'Check that the Base URL is correct and that n8n can reach it';
	if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code)) {
		return { message: `There is no server at ${origin}`, advice: 'Check the Base URL for typos' };
	}
	if (getRequestSendState(code) === 'broken') {
		const advice = `${unreachableAdvice}, or try again later`;
		return { message: `${origin} is not responding`, advice };
	}
	return explainConnectionError(code, {
		name: origin,
		unreachableAdvice,
		handshakeAdvice:
			"Check whether the Base URL should begin with https:// or http://, and whether n8n trusts the server's certificate",
		unsendableAdvice: `Reason: ${detail}`,
	});
}

/**
 * Explains why the service did not accept the credential. Returns `undefined` if the credential
 * works.
 */
function explainFailedTest(origin: string, reply: AttemptOutcome): ErrorExplanation | undefined {
	switch (reply.kind) {
		case 'success':
			return isObject(reply.body.data) ? undefined : wrongBaseUrl;
		case 'rejection':
			// The key is valid. It lacks the scope to read the account, but may have others.
			if (reply.details.code === 'insufficient_api_key_scope') return undefined;
			return reply.status >= 500 ? serviceOutage : explainError(reply.details, formExplanations);
		case 'unconnected':
			return explainUnconnectedTest(origin, reply.code, reply.detail);
		default:
			return wrongBaseUrl;
	}
}

/** Tests an API key. n8n calls this function through `methods.credentialTest`. */
export async function testApiKey(
	this: ICredentialTestFunctions,
	{ data: saved = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const baseUrl = parseBaseUrl(saved.baseUrl);
	if (baseUrl === undefined) {
		const message = 'The Base URL is not valid. It must begin with https:// or http://';
		return { status: 'Error', message };
	}
	const reply = await requestAccount(this, baseUrl, saved);
	const fault = explainFailedTest(new URL(baseUrl).origin, reply);
	if (!fault) return successResult;
	// n8n adds a period.
	return { status: 'Error', message: `${fault.message}. ${fault.advice.replace(/\.$/, '')}` };
}

async function requestAccount(
	{ helpers: { request } }: ICredentialTestFunctions,
	baseUrl: string,
	{ apiKey }: ICredentialDataDecryptedObject,
): Promise<AttemptOutcome> {
	const { seconds } = receivedDataLimits.credentialTest;
	try {
		// The only request helper that n8n offers to a credential test.
		const response = (await request({
			uri: `${baseUrl}/v3/users/me`,
			headers: { [apiKeyHeader]: apiKey },
			json: true,
			simple: false,
			// Otherwise, n8n would read the whole response body, however long it is.
			useStream: true,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout: seconds * 1000,
		})) as IN8nHttpFullResponse;
		const options = { legacy: false, seconds, mask: (text: string) => text };
		return await readReply({ ...response, body: response.body ?? '' }, options);
	} catch (error) {
		return {
			kind: 'unconnected',
			code: findThrownErrorCode(error) ?? 'unknown',
			detail: findThrownErrorMessage(error),
		};
	}
}
