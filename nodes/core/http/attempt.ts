/**
 * Sends a request once through n8n's HTTP helper. The helper adds the credential, uses n8n's proxy
 * settings and rejects hosts that n8n does not allow.
 */
import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { clock } from '../clock';
import { getCancelSignal, type Account, type N8nContext } from './credentials';
import { closeConnectionOnDestroy } from './receiveLimits';
import {
	findThrownErrorCode,
	findThrownErrorMessage,
	isStream,
	readReply,
	findTokenRenewalFailure,
	findThrownResponse,
	type AttemptOutcome,
} from './reply';

/** Milliseconds after a stop in which a response with a new job's ID may still arrive. */
const stopGracePeriod = 15_000;

/** Request in the format of n8n's HTTP helper, and how to read the response. */
export interface PreparedRequest {
	request: IHttpRequestOptions & Required<Pick<IHttpRequestOptions, 'method' | 'timeout'>>;
	/** Whether the endpoint is of API version 1, whose responses have another format. */
	legacy: boolean;
	/** Whether to return the body of a successful response as a stream. */
	streamed: boolean;
	/** Whether to await the response after a stop, because it contains a new job's ID. */
	survivesStop: boolean;
}

async function sendThroughN8n(
	host: N8nContext,
	account: Account,
	request: IHttpRequestOptions,
	...signals: ReadonlyArray<AbortSignal | undefined>
): Promise<IN8nHttpFullResponse> {
	const abortSignal = AbortSignal.any(signals.filter((signal) => signal !== undefined));
	// n8n takes the abort signal from the execution context.
	const context: N8nContext = Object.create(host, {
		getExecutionCancelSignal: { value: () => abortSignal },
	});
	const helper = host.helpers.httpRequestWithAuthentication;
	const send = async (options: IHttpRequestOptions) =>
		(await helper.call(
			context as IExecuteFunctions,
			account.credentialType,
			options,
		)) as IN8nHttpFullResponse;
	const response = await send(request);
	if (!account.isOAuth || response.statusCode !== 401) return response;
	// n8n 1 ignores `except`, and renews a token only if every error status throws.
	return await send({ ...request, ignoreHttpStatusErrors: false });
}

async function sendDespiteStop(
	host: N8nContext,
	account: Account,
	request: IHttpRequestOptions,
	signal: AbortSignal,
	cancelled: AbortSignal | undefined,
): Promise<IN8nHttpFullResponse> {
	const lateStop = new AbortController();
	const stop = () => void clock.sleep(stopGracePeriod).then(() => lateStop.abort());
	cancelled?.addEventListener('abort', stop);
	try {
		return await sendThroughN8n(host, account, request, signal, lateStop.signal);
	} finally {
		cancelled?.removeEventListener('abort', stop);
	}
}

/** Never throws: the outcome also describes failures. */
export async function sendAttempt(
	host: N8nContext,
	account: Account,
	prepared: PreparedRequest,
): Promise<AttemptOutcome> {
	const { request, legacy, streamed, survivesStop } = prepared;
	const connection = new AbortController();
	const receive = async (response: IN8nHttpFullResponse): Promise<AttemptOutcome> => {
		const { statusCode: status } = response;
		const body: unknown = response.body;
		if (isStream(body)) {
			closeConnectionOnDestroy(body, connection);
			if (streamed && status >= 200 && status < 300)
				return { kind: 'stream', status, stream: body };
		}
		const seconds = request.timeout / 1000;
		return await readReply(response, { legacy, seconds, mask: account.removeEchoedSecrets });
	};
	const cancelled = getCancelSignal(host);
	try {
		// With OAuth, n8n would renew the token of a rejected request and send it again after the stop.
		const response =
			survivesStop && !account.isOAuth
				? await sendDespiteStop(host, account, request, connection.signal, cancelled)
				: await sendThroughN8n(host, account, request, connection.signal, cancelled);
		return await receive(response);
	} catch (error) {
		const failure = account.isOAuth ? findTokenRenewalFailure(error, account.tokenUrl) : undefined;
		if (failure) {
			return { kind: 'accessLost', ...failure, reason: account.removeSecrets(failure.reason) };
		}
		const response = findThrownResponse(error);
		if (response) return await receive(response);
		const detail = account.removeSecrets(findThrownErrorMessage(error));
		return { kind: 'unconnected', code: findThrownErrorCode(error) ?? 'unknown', detail };
	}
}
