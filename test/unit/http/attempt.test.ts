/** What n8n's HTTP helper is called with. */
import { Readable } from 'node:stream';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import { sendAttempt, type PreparedRequest } from '../../../nodes/core/http/sendWithRetries';
import type { Account, N8nContext } from '../../../nodes/core/http/credentials';
import { passTime, useVirtualTime } from './virtualTime';

useVirtualTime();

/** Sends a request to a service that answers with these statuses, one after another. */
async function send(isOAuth: boolean, ...statuses: number[]) {
	const requests: IHttpRequestOptions[] = [];
	const httpRequestWithAuthentication = async (_: string, request: IHttpRequestOptions) => {
		requests.push(request);
		return { statusCode: statuses[requests.length - 1], headers: {}, body: { data: { id: 'v' } } };
	};
	const host = { helpers: { httpRequestWithAuthentication } } as unknown as N8nContext;
	const request = {
		url: 'https://api.example/',
		method: 'GET',
		timeout: 1,
		ignoreHttpStatusErrors: true,
	};
	const prepared = { request, legacy: false, streamed: false, survivesStop: false };
	const account = { credentialType: 'x', isOAuth } as Account;
	const outcome = await sendAttempt(host, account, prepared as PreparedRequest);
	return { outcome, modes: requests.map((one) => one.ignoreHttpStatusErrors) };
}

test('a 401 with OAuth is sent again in the way that makes n8n 1 renew the token', async () => {
	const { outcome, modes } = await send(true, 401, 200);
	expect(outcome).toMatchObject({ kind: 'success' });
	expect(modes).toEqual([true, false]);
});

test.each([
	[true, 403],
	[false, 401],
])('other rejections are sent once (OAuth: %p, status %i)', async (isOAuth, status) => {
	const { outcome, modes } = await send(isOAuth, status, 200);
	expect(outcome).toMatchObject({ kind: 'rejection', status });
	expect(modes).toEqual([true]);
});

const account = {
	credentialType: 'x',
	isOAuth: false,
	tokenUrl: 'https://auth.example',
	removeSecrets: (text) => text.replace('secret', '***'),
	removeEchoedSecrets: (text) => text.replace('secret', '***'),
} as Account;

const prepared = {
	request: { url: 'https://api.example/', method: 'GET', timeout: 1000 },
	legacy: false,
	streamed: false,
	survivesStop: false,
} as PreparedRequest;

/** Sends a request with an HTTP helper of n8n that does this. */
async function sendWith(
	helper: (this: IExecuteFunctions) => Promise<IDataObject>,
	more: Partial<PreparedRequest> = {},
	host: object = {},
	isOAuth = false,
) {
	const n8n = { ...host, helpers: { httpRequestWithAuthentication: helper } };
	const context = n8n as unknown as N8nContext;
	return await sendAttempt(context, { ...account, isOAuth }, { ...prepared, ...more });
}

describe('a request that survives a stop', () => {
	/** How many seconds after a stop a request is aborted. */
	async function measure(survivesStop: boolean, isOAuth: boolean) {
		const stop = new AbortController();
		const { signal } = stop;
		const removed = jest.spyOn(signal, 'removeEventListener');
		let abortedAt: number | undefined;
		const helper = async function (this: IExecuteFunctions) {
			const own = this.getExecutionCancelSignal();
			own?.addEventListener('abort', () => (abortedAt = clock.now() / 1000));
			stop.abort();
			await clock.sleep(20_000);
			return { statusCode: 200, headers: {}, body: {} };
		};
		const host = { getExecutionCancelSignal: () => signal };
		await passTime(sendWith(helper, { survivesStop }, host, isOAuth));
		return { abortedAt, removed: removed.mock.calls.length };
	}

	test('is aborted 15 seconds after it', async () => {
		expect(await measure(true, false)).toEqual({ abortedAt: 15, removed: 1 });
	});

	test.each([
		[false, false],
		[true, true],
	])('is another one if it is not marked, or needs a token: %s, %s', async (marked, isOAuth) => {
		expect(await measure(marked, isOAuth)).toEqual({ abortedAt: 0, removed: 0 });
	});

	test('is sent outside an execution, too', async () => {
		const helper = async () => await Promise.resolve({ statusCode: 200, headers: {}, body: {} });
		expect(await sendWith(helper, { survivesStop: true })).toMatchObject({ kind: 'success' });
	});
});

describe('a body that arrives as a stream', () => {
	const respond = async (statusCode: number, body: Readable, streamed: boolean) =>
		await sendWith(
			async () =>
				await Promise.resolve({ statusCode, headers: {}, body: body as unknown as IDataObject }),
			{ streamed },
		);

	test.each([200, 299])(
		'is returned with status %d if the caller wants a stream',
		async (status) => {
			const stream = Readable.from(['{}']);
			expect(await respond(status, stream, true)).toEqual({ kind: 'stream', status, stream });
		},
	);

	test('is read otherwise', async () => {
		expect(await respond(200, Readable.from(['{"id":1,"key":"secret"}']), false)).toEqual({
			kind: 'success',
			status: 200,
			body: { id: 1, key: '***' },
			size: { bytes: 23, values: 3 },
		});
		const broken = Readable.from(
			(function* () {
				yield '{';
				throw new Error('cut');
			})(),
		);
		expect(await respond(200, broken, false)).toEqual({
			kind: 'unreadable',
			status: 200,
			code: 'cut_answer',
		});
	});

	test.each([199, 300, 404])('is read in any case with status %d', async (status) => {
		const body = Readable.from(['{"error":{"code":"x"}}']);
		expect(await respond(status, body, true)).toMatchObject({
			kind: 'rejection',
			status,
			details: { code: 'x' },
		});
	});
});

describe('an error that n8n throws', () => {
	const fail = async (error: object, isOAuth = false) =>
		await sendWith(async () => await Promise.reject(error as Error), {}, {}, isOAuth);

	test('is a connection error, without secrets', async () => {
		expect(await fail({ message: 'a secret', code: 'ECONNRESET' })).toEqual({
			kind: 'unconnected',
			code: 'ECONNRESET',
			detail: 'a ***',
		});
		expect(await fail({ message: 'a secret' })).toMatchObject({ code: 'unknown' });
	});

	test('is lost access if the token could not be renewed, without secrets', async () => {
		const error = { cause: { code: 'EAUTH', message: 'a secret' } };
		expect(await fail(error, true)).toEqual({ kind: 'accessLost', reason: 'a ***' });
		expect(await fail(error)).toMatchObject({ kind: 'unconnected' });
	});

	test('is a rejection if it contains one', async () => {
		const data = { error: { code: 'x' } };
		const config = { url: 'https://api.example/' };
		const error = { cause: { config, response: { status: 401, headers: {}, data } } };
		const rejection = { kind: 'rejection', status: 401, details: { code: 'x' } };
		expect(await fail(error, true)).toMatchObject(rejection);
	});
});
