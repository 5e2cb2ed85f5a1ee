/** Whether a credential with an API key works, in the words that its form shows. */
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { explain, type Explanation, type Explanations } from '../errors/advice';
import { connectionState, isHandshake } from '../errors/connection';
import { isObject } from '../json';
import { apiKeyHeader, baseUrlOf } from './credentials';
import { codeOf, detailOf, replyOf, type Reply } from './reply';

/** The most time for the answer, in milliseconds: somebody looks at the form meanwhile. */
const timeout = 15_000;

const works: INodeCredentialTestResult = { status: 'OK', message: 'Connection successful' };

const otherKey: Explanation = {
	what: 'The service does not accept this API key',
	then: 'Copy it once more from the web dashboard of the service: keys expire and can be replaced',
};
const otherAddress: Explanation = {
	what: 'The Video Generation Service is not at this Base URL',
	then: 'Enter the address of its API as its web dashboard or documentation shows it',
};
const inTheForm: Explanations = {
	unauthorized: otherKey,
	authentication_failed: otherKey,
	status_401: otherKey,
	status_404: otherAddress,
	status_405: otherAddress,
	status_429: { what: 'The service gets too many requests', then: 'Try again in a minute' },
};
const serviceTrouble: Explanation = {
	what: 'The service has a problem of its own',
	then: 'Try again later',
};

/** Why no answer came. */
function unconnected(origin: string, code: string, detail: string): Explanation {
	const checkAddress = 'Check the Base URL, and that this n8n can reach it';
	if (isHandshake(code)) {
		return {
			what: `No safe connection to ${origin} can be made`,
			then: 'Check whether the Base URL has to begin with https:// or http://, and whether n8n trusts its certificate',
		};
	}
	if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code)) {
		return { what: `No server is known at ${origin}`, then: 'Check how the Base URL is written' };
	}
	switch (connectionState(code)) {
		case 'unsent':
			return { what: `Nothing answers at ${origin}`, then: checkAddress };
		case 'broken':
			return { what: `${origin} gives no answer`, then: `${checkAddress}, or try again later` };
		case 'impossible':
			return { what: `${origin} could not be asked`, then: `The reason: ${detail}` };
	}
}

/** What is wrong, or nothing. */
function faultIn(origin: string, reply: Reply): Explanation | undefined {
	switch (reply.kind) {
		case 'success':
			return isObject(reply.body.data) ? undefined : otherAddress;
		case 'refusal':
			// The service knows the key, which may not read the account and other things may.
			if (reply.facts.code === 'insufficient_api_key_scope') return undefined;
			return reply.status >= 500 ? serviceTrouble : explain(reply.facts, inTheForm);
		case 'unconnected':
			return unconnected(origin, reply.code, reply.detail);
		default:
			return otherAddress;
	}
}

/** For n8n's `methods.credentialTest`: reads the account with the key. */
export async function testApiKey(
	this: ICredentialTestFunctions,
	{ data: saved = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const baseUrl = baseUrlOf(saved.baseUrl);
	if (baseUrl === undefined) {
		return { status: 'Error', message: 'The Base URL is no web address: it begins with https://' };
	}
	const { what, then } = faultIn(new URL(baseUrl).origin, await ask(this, baseUrl, saved)) ?? {};
	return what === undefined ? works : { status: 'Error', message: `${what}. ${then}.` };
}

async function ask(
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
			timeout,
		})) as IN8nHttpFullResponse;
		return replyOf({ ...response, body: response.body ?? '' }, false);
	} catch (error) {
		return { kind: 'unconnected', code: codeOf(error) ?? 'unknown', detail: detailOf(error) };
	}
}
