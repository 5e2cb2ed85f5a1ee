/** One try of one request through n8n's HTTP helper, which signs in, proxies and guards. */
import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { clock } from '../clock';
import { getCancelSignal, type Account, type RequestHost } from './credentials';
import {
	findErrorCode,
	findErrorMessage,
	isStream,
	readRefusalBody,
	readBody,
	findRenewalFailure,
	parseReply,
	findThrownResponse,
	type Reply,
} from './reply';

/** How long a request that starts a job may go on after the stop button (milliseconds). */
const stopGracePeriod = 15_000;

/** A request as n8n's helper takes it, and how it is to be treated. */
export interface PreparedRequest {
	request: IHttpRequestOptions & Required<Pick<IHttpRequestOptions, 'method' | 'timeout'>>;
	/** It went to a route of v1, with an envelope of its own. */
	legacy: boolean;
	/** The body of a good reply is left unread. */
	streamed: boolean;
	/** It is not cut by the stop button at once: its answer names a job. */
	survivesStop: boolean;
}

async function sendThroughN8n(
	host: RequestHost,
	account: Account,
	request: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> {
	const helper = host.helpers.httpRequestWithAuthentication;
	const ask = async (more: Partial<IHttpRequestOptions> = {}) =>
		(await helper.call(host as IExecuteFunctions, account.credentialType, {
			...request,
			...more,
		})) as IN8nHttpFullResponse;
	const response = await ask();
	if (!account.isOAuth || response.statusCode !== 401) return response;
	// n8n 1 knows no exceptions from what it lets pass, and renews a token only where nothing passes.
	return await ask({ ignoreHttpStatusErrors: false });
}

/**
 * n8n cuts all requests of an execution that is stopped, by a signal that it asks its host for.
 * This request is cut only some time later, so that its answer can name the job that it started.
 */
async function sendDespiteStop(
	host: RequestHost,
	account: Account,
	request: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> {
	const cancelled = getCancelSignal(host);
	const late = new AbortController();
	const stop = () => void clock.sleep(stopGracePeriod).then(() => late.abort());
	const patient: RequestHost = Object.create(host, {
		getExecutionCancelSignal: { value: () => late.signal },
	});
	cancelled?.addEventListener('abort', stop);
	try {
		return await sendThroughN8n(patient, account, request);
	} finally {
		cancelled?.removeEventListener('abort', stop);
	}
}

/** What came of an answer. Of a refusal the beginning is read, also where a stream was wanted. */
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
		const whole = await readBody(body, request.timeout);
		return parseReply({ ...response, body: whole }, legacy);
	} catch {
		return { kind: 'unreadable', status, cut: true };
	}
}

/** Sends a request once. Never throws: what went wrong is a kind of reply. */
export async function sendOnce(
	host: RequestHost,
	account: Account,
	prepared: PreparedRequest,
): Promise<Reply> {
	// With OAuth, a request that was refused would go out again with a new token after the stop.
	const patient = prepared.survivesStop && !account.isOAuth;
	try {
		const response = await (patient ? sendDespiteStop : sendThroughN8n)(
			host,
			account,
			prepared.request,
		);
		return await readReply(response, prepared);
	} catch (error) {
		const unrenewed = account.isOAuth ? findRenewalFailure(error, account.tokenUrl) : undefined;
		if (unrenewed) {
			return { kind: 'unrenewed', ...unrenewed, renewal: account.removeSecrets(unrenewed.renewal) };
		}
		const response = findThrownResponse(error);
		if (response) return await readReply(response, prepared);
		const detail = account.removeSecrets(findErrorMessage(error));
		return { kind: 'unconnected', code: findErrorCode(error) ?? 'unknown', detail };
	}
}
