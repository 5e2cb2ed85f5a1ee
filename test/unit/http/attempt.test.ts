/** What n8n's HTTP helper is called with. */
import type { IHttpRequestOptions } from 'n8n-workflow';
import { sendAttempt, type PreparedRequest } from '../../../nodes/core/http/attempt';
import type { Account, N8nContext } from '../../../nodes/core/http/credentials';

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
