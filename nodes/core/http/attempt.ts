/**
 * Sends a request once through n8n's HTTP helper. The helper adds the credential, uses n8n's proxy
 * settings and rejects hosts that n8n does not allow.
 */
import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { clock } from '../clock';
import { getCancelSignal, type Account, type N8nContext } from './credentials';
import {
	findThrownErrorCode,
	findThrownErrorMessage,
	isStream,
	readErrorBody,
	readResponseBody,
	findTokenRenewalFailure,
	parseReply,
	findThrownResponse,
	type AttemptOutcome,
} from './reply';

/**
 * How long a request may continue after the user stops the execution, in milliseconds. Without this
 * extra time, a response with a new job's ID could be lost.
 */
const stopGracePeriod = 15_000;

/** Request in the format of n8n's HTTP helper, with information about how to read the response. */
export interface PreparedRequest {
	request: IHttpRequestOptions & Required<Pick<IHttpRequestOptions, 'method' | 'timeout'>>;
	/**
	 * Whether the request is for an endpoint of API version 1, whose responses have a different
	 * format.
	 */
	legacy: boolean;
	/** Whether to return the body of a successful response as a stream instead of reading it. */
	streamed: boolean;
	/**
	 * Whether the request may continue after the user stops the execution, because its response
	 * contains a new job's ID.
	 */
	survivesStop: boolean;
}

async function sendThroughN8n(
	host: N8nContext,
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
 * Sends a request that may continue for a few seconds after the user stops the execution, so that a
 * response with a new job's ID is not lost. n8n takes the abort signal from the execution context,
 * so the request is sent with a copy of the context whose signal aborts later.
 */
async function sendDespiteStop(
	host: N8nContext,
	account: Account,
	request: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> {
	const cancelled = getCancelSignal(host);
	const lateStop = new AbortController();
	const stop = () => void clock.sleep(stopGracePeriod).then(() => lateStop.abort());
	const lateHost: N8nContext = Object.create(host, {
		getExecutionCancelSignal: { value: () => lateStop.signal },
	});
	cancelled?.addEventListener('abort', stop);
	try {
		return await sendThroughN8n(lateHost, account, request);
	} finally {
		cancelled?.removeEventListener('abort', stop);
	}
}

/**
 * Reads an HTTP response and converts it to a reply. Reads only the beginning of an error response,
 * even if the caller requested a stream.
 */
async function readReply(
	response: IN8nHttpFullResponse,
	prepared: PreparedRequest,
): Promise<AttemptOutcome> {
	const { statusCode: status } = response;
	const { request, legacy, streamed } = prepared;
	const body: unknown = response.body;
	if (!isStream(body)) return parseReply(response, legacy);
	if (status < 200 || status >= 300) {
		return parseReply({ ...response, body: await readErrorBody(body) }, legacy);
	}
	if (streamed) return { kind: 'stream', status, stream: body };
	const read = await readResponseBody(body, request.timeout);
	return 'unreadable' in read
		? { kind: 'unreadable', status, reason: read.unreadable }
		: parseReply({ ...response, body: read.content }, legacy);
}

/**
 * Sends a request once and returns the outcome. Never throws: the outcome also describes failures.
 */
export async function sendAttempt(
	host: N8nContext,
	account: Account,
	prepared: PreparedRequest,
): Promise<AttemptOutcome> {
	// With OAuth, n8n would renew the token of a rejected request and send it again after the stop.
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
		const detail = account.removeSecrets(findThrownErrorMessage(error));
		return { kind: 'unconnected', code: findThrownErrorCode(error) ?? 'unknown', detail };
	}
}
