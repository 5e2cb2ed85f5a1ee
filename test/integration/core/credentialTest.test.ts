/** The test of a credential when it is saved, and the Base URLs that it accepts. */
import { createServer } from 'node:http';
import { CredentialTestContext } from 'n8n-core';
import type { ICredentialTestFunctions, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { getVideo } from '../support/calls';
import { loadNodeType, runNode } from '../support/engine';
import { useServers } from '../support/servers';
import { useService } from '../support/service';

const service = useService();
const listening = useServers();

/** Runs the test as n8n finds it: by the name in `testedBy` of a node. */
async function tested(data: { baseUrl?: string; apiKey?: string } = {}) {
	const { description, methods } = loadNodeType('VideoGenAccount');
	const name = description.credentials?.find((one) => one.name === 'videoGenApi')?.testedBy;
	const test = methods?.credentialTest?.[String(name)];
	if (!test) throw new Error('No node tests the API key');
	const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	return await test.call(context as unknown as ICredentialTestFunctions, {
		id: '1',
		name: 'Service',
		type: 'videoGenApi',
		data: { baseUrl: service.baseUrl, apiKey: service.apiKey, ...data },
	});
}

/** A server that sends this response to every request. */
const answering = async (status: number, body: string, headers = {}) =>
	await listening(createServer((_, response) => response.writeHead(status, headers).end(body)));

const ok = expect.objectContaining({ status: 'OK' });
/** n8n adds a period to the message. */
const problem = (words: string) => ({
	status: 'Error',
	message: expect.stringMatching(new RegExp(`${words}.*[^.]$`)),
});

describe('the Base URL is accepted', () => {
	test.each(['', '/', '/v3', '/v3/', '//v3//', '/V3', ' '])('with "%s" at its end', async (end) => {
		const baseUrl = service.baseUrl + end;
		expect(await tested({ baseUrl })).toEqual(ok);
		await runNode({ baseUrl, apiKey: service.apiKey }, 'VideoGenVideo', getVideo('nothing'));
		expect(service.control.requests()).toMatchObject([
			{ path: '/v3/users/me' },
			{ path: '/v3/videos/nothing' },
		]);
	});

	test('with a path before /v3', async () => {
		const seen: string[] = [];
		const server = createServer(({ url = '' }, response) => {
			seen.push(url);
			response.setHeader('content-type', 'application/json').end('{"data":{}}');
		});
		expect(await tested({ baseUrl: `${await listening(server)}/gateway/v3` })).toEqual(ok);
		expect(seen).toEqual(['/gateway/v3/users/me']);
	});
});

test('a key without the scope to read the account is accepted', async () => {
	const apiKey = service.control.addKey({ scopes: ['videos:write'] });
	expect(await tested({ apiKey })).toEqual(ok);
});

describe('the test names the problem:', () => {
	test.each([
		['a wrong key', () => 'wrong key'],
		['an expired key', () => service.control.addKey({ expired: true })],
	])('%s', async (_, createKey) => {
		expect(await tested({ apiKey: createKey() })).toEqual(
			problem("does not accept this API key. Copy the key again from the service's web dashboard"),
		);
	});

	test.each(['', 'api.example.com', 'ftp://api.example.com', 'https://', 'https:// a'])(
		'not a web URL: "%s"',
		async (baseUrl) => {
			expect(await tested({ baseUrl })).toEqual(
				problem('The Base URL is not valid. It must begin with https:// or http'),
			);
		},
	);

	const notTheService = 'The Video Generation Service was not found at this Base URL.';
	test.each([
		['a page', 200, '<html>Welcome</html>', notTheService],
		['nothing', 200, '', notTheService],
		['other JSON', 200, '{"ok":true}', notTheService],
		['a page that is not there', 404, '<html>no</html>', notTheService],
		['JSON that is not there', 404, '{"message":"no such route"}', notTheService],
		['status 429', 429, '', 'The service is receiving too many requests'],
		['status 500', 500, '', 'The service encountered an error'],
		['status 503', 503, '', 'The service encountered an error'],
		['status 403', 403, '', 'The account is not allowed to perform this operation'],
	])('a URL that returns %s', async (_, status, body, words) => {
		const headers = { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' };
		const baseUrl = await answering(status, body, headers);
		const outcome = await tested({ baseUrl });
		expect(outcome).toEqual(problem(words));
		// The form of a credential shows no request ID.
		expect(outcome.message).not.toContain('request ID');
	});

	test('a redirect, whose target does not get the key', async () => {
		const baseUrl = await answering(301, '', { location: `${service.baseUrl}/v3/users/me` });
		expect(await tested({ baseUrl })).toEqual(problem('redirect'));
		expect(service.control.requests()).toEqual([]);
	});

	test.each([
		['no server', async () => 'http://127.0.0.1:1', 'http://127.0.0.1:1 cannot be reached'],
		[
			'an unknown host name',
			async () => 'https://api.invalid',
			'There is no server at https://api.invalid',
		],
		[
			'https to an http server',
			async () => service.baseUrl.replace('http:', 'https:'),
			'whether the Base URL should begin with https:// or http://',
		],
		[
			'a connection that ends without a response',
			async () => await listening(createServer(({ socket }) => socket.destroy())),
			'is not responding',
		],
	])('%s', async (_, address, words) => {
		const outcome = await tested({ baseUrl: await address() });
		expect(outcome).toEqual(problem(words));
		expect(outcome.message).not.toMatch(/\bE[A-Z]{4,}\b/);
	});

	test('an invalid key is not in the message', async () => {
		const { status, message } = await tested({ apiKey: 'key-of-the-test\nwith a line too many' });
		expect(status).toBe('Error');
		expect(message).not.toContain('key-of-the-test');
	});
});
