/**
 * Makes one attempt to send a request, through n8n's HTTP helper. The helper adds the credential,
 * uses n8n's proxy and refuses hosts that n8n protects.
 */
import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { clock } from '../clock';
import { getCancelSignal, type Account, type RequestHost } from './credentials';
import {
	findErrorCode,
	findErrorMessage,
	isStream,
	readRefusalBody,
	readBody,
	findTokenRenewalFailure,
	parseReply,
	findThrownResponse,
	type Reply,
} from './reply';

/** Milliseconds for which a request that starts a job may continue after the Stop button. */
const stopGracePeriod = 15_000;

/** Request for n8n's HTTP helper, and how to read its response. */
export interface PreparedRequest {
	request: IHttpRequestOptions & Required<Pick<IHttpRequestOptions, 'method' | 'timeout'>>;
	/** Whether the request is for a v1 route, whose responses have a different envelope. */
	legacy: boolean;
	/** Whether the body of a successful response is left unread. */
	streamed: boolean;
	/** Whether the request may finish after the Stop button, because its response names a job. */
	survivesStop: boolean;
}

async function sendThroughN8n(
	host: RequestHost,
	account: Account,
	request: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> {
	const helper = host.helpers.httpRequestWithAuthentication;
	const send = async (options: IHttpRequestOptions) =>
		(await helper.call(
			host as IExecuteFunctions,
			account.credentialType,
			options,
		)) as IN8nHttpFullResponse;
	const response = await send(request);
	if (!account.isOAuth || response.statusCode !== 401) return response;
	// n8n 1 ignores `except`, and renews a token only if every error status throws.
	return await send({ ...request, ignoreHttpStatusErrors: false });
}

/**
 * Sends a request that may continue for some seconds after the Stop button, so that its response
 * can name the job that it started. n8n reads the abort signal of a request from its host, so this
 * host has a delayed signal.
 */
async function sendDespiteStop(
	host: RequestHost,
	account: Account,
	request: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> {
	const cancelled = getCancelSignal(host);
	const lateStop = new AbortController();
	const stop = () => void clock.sleep(stopGracePeriod).then(() => lateStop.abort());
	const lateHost: RequestHost = Object.create(host, {
		getExecutionCancelSignal: { value: () => lateStop.signal },
	});
	cancelled?.addEventListener('abort', stop);
	try {
		return await sendThroughN8n(lateHost, account, request);
	} finally {
		cancelled?.removeEventListener('abort', stop);
	}
}

/** Reads a response. Only the beginning of a refusal is read, even if a stream was requested. */
async function readReply(
	response: IN8nHttpFullResponse,
	prepared: PreparedRequest,
): Promise<Reply> {
	const { statusCode: status } = response;
	const { request, legacy, streamed } = prepared;
	const body: unknown = response.body;
	if (!isStream(body)) return parseReply(response, legacy);
	if (status < 200 || status >= 300) {
		return parseReply({ ...response, body: await readRefusalBody(body) }, legacy);
	}
	if (streamed) return { kind: 'stream', status, stream: body };
	try {
		return parseReply({ ...response, body: await readBody(body, request.timeout) }, legacy);
	} catch {
		return { kind: 'unreadable', status, isTruncated: true };
	}
}

/** Sends a request once. Never throws: a failure is a kind of reply. */
export async function sendOnce(
	host: RequestHost,
	account: Account,
	prepared: PreparedRequest,
): Promise<Reply> {
	// With OAuth, n8n would renew the token of a refused request and send it again after the stop.
	const send = prepared.survivesStop && !account.isOAuth ? sendDespiteStop : sendThroughN8n;
	try {
		return await readReply(await send(host, account, prepared.request), prepared);
	} catch (error) {
		const failure = account.isOAuth ? findTokenRenewalFailure(error, account.tokenUrl) : undefined;
		if (failure) {
			return { kind: 'accessLost', ...failure, reason: account.removeSecrets(failure.reason) };
		}
		const response = findThrownResponse(error);
		if (response) return await readReply(response, prepared);
		const detail = account.removeSecrets(findErrorMessage(error));
		return { kind: 'unconnected', code: findErrorCode(error) ?? 'unknown', detail };
	}
}
