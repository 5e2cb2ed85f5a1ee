/** The test of a credential when it is saved, and the Base URLs that it accepts. */
import { createServer } from 'node:http';
import { CredentialTestContext } from 'n8n-core';
import type { ICredentialTestFunctions, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { byId, loadNodeType, runNode } from '../support/engine';
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

describe('the Base URL is accepted', () => {
	test.each(['', '/', '/v3', '/v3/', '//v3//', '/V3', ' '])('with "%s" at its end', async (end) => {
		const baseUrl = service.baseUrl + end;
		expect(await tested({ baseUrl })).toMatchObject({ status: 'OK' });
		const { error } = await runNode({ baseUrl, apiKey: service.apiKey }, 'VideoGenVideo', {
			operation: 'get',
			video_id: byId('nothing'),
		});
		expect(error?.message).toContain('The service cannot find this');
		expect(service.control.requests().map(({ path }) => path)).toEqual([
			'/v3/users/me',
			'/v3/videos/nothing',
		]);
	});

	test('with a path before /v3', async () => {
		const seen: string[] = [];
		const server = createServer(({ url = '' }, response) => {
			seen.push(url);
			response.setHeader('content-type', 'application/json').end('{"data":{}}');
		});
		const baseUrl = `${await listening(server)}/gateway/v3`;
		expect(await tested({ baseUrl })).toMatchObject({ status: 'OK' });
		expect(seen).toEqual(['/gateway/v3/users/me']);
	});
});

test('a key without the scope to read the account is accepted', async () => {
	const apiKey = service.control.addKey({ scopes: ['videos:write'] });
	expect(await tested({ apiKey })).toMatchObject({ status: 'OK' });
});

describe('the test names the problem:', () => {
	test.each([['wrong key'], ['expired key']])('a %s', async (kind) => {
		const apiKey = kind === 'wrong key' ? kind : service.control.addKey({ expired: true });
		expect(await tested({ apiKey })).toEqual({
			status: 'Error',
			message:
				'The service does not accept this API key. Copy it again from the web dashboard of the service. Keys expire and can be replaced.',
		});
	});

	test.each(['', 'api.example.com', 'ftp://api.example.com', 'https://', 'https:// a'])(
		'not a web URL: "%s"',
		async (baseUrl) => {
			const { status, message } = await tested({ baseUrl });
			expect(status).toBe('Error');
			expect(message).toContain('The Base URL is not valid');
		},
	);

	test.each([
		['a page', 200, '<html>Welcome</html>'],
		['nothing', 200, ''],
		['other JSON', 200, '{"ok":true}'],
		['a page that is not there', 404, '<html>no</html>'],
		['JSON that is not there', 404, '{"message":"no such route"}'],
	])('a URL that returns %s', async (_, status, body) => {
		const headers = { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' };
		const { message } = await tested({ baseUrl: await answering(status, body, headers) });
		expect(message).toBe(
			'The Video Generation Service is not at this Base URL. Enter the URL of its API as its web dashboard or documentation shows it.',
		);
	});

	test('a redirect, whose target does not get the key', async () => {
		const baseUrl = await answering(301, '', { location: `${service.baseUrl}/v3/users/me` });
		const { status, message } = await tested({ baseUrl });
		expect(status).toBe('Error');
		expect(message).toContain('redirect');
		expect(service.control.requests()).toEqual([]);
	});

	test.each([
		[429, 'The service receives too many requests'],
		[500, 'The service has a problem of its own'],
		[503, 'The service has a problem of its own'],
		[403, 'The service does not allow this for the account'],
	])('status %i', async (status, words) => {
		const { message } = await tested({ baseUrl: await answering(status, '') });
		expect(message).toContain(words);
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
			'whether the Base URL has to begin with https:// or http://',
		],
		[
			'a connection that ends without a response',
			async () => await listening(createServer(({ socket }) => socket.destroy())),
			'does not respond',
		],
	])('%s', async (_, address, words) => {
		const { status, message } = await tested({ baseUrl: await address() });
		expect(status).toBe('Error');
		expect(message).toContain(words);
		expect(message).not.toMatch(/\bE[A-Z]{4,}\b/);
	});

	test('an invalid key is not in the message', async () => {
		const apiKey = 'key-of-the-test\nwith a line too many';
		const { status, message } = await tested({ apiKey });
		expect(status).toBe('Error');
		expect(message).not.toContain('key-of-the-test');
	});
});
