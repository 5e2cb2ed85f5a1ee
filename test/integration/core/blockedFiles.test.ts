/** Files that n8n does not request: its own protection blocks their host (test/setup.js), or no HTTP leads to them. */
import { createServer, type RequestListener } from 'node:http';
import { getErrorDetails } from '../support/core';
import { byId, runNode } from '../support/engine';
import { useServers } from '../support/servers';

const listening = useServers();

/** Downloads a video whose file is at a URL, or is redirected to it. */
async function download(where: { at?: string; redirectsTo?: string; page?: string }) {
	let fileRequests = 0;
	const answer: RequestListener = (request, response) => {
		if (request.url?.startsWith('/v3')) {
			const video_url = where.at ?? `http://${request.headers.host}/v1.mp4`;
			const body = { data: { id: 'v1', status: 'completed', video_url } };
			response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
			return;
		}
		fileRequests++;
		if (where.page !== undefined) response.writeHead(200).end(where.page);
		else response.writeHead(302, { location: where.redirectsTo }).end();
	};
	const baseUrl = await listening(createServer(answer));
	const parameters = { operation: 'download', video_id: byId('v1'), binaryPropertyName: 'data' };
	const result = await runNode({ baseUrl, apiKey: 'key' }, 'VideoGenVideo', parameters);
	return { ...result, fileRequests };
}

test.each([
	['of a blocked IP address', { at: 'http://127.0.0.2:9/v1.mp4' }, 0],
	['of a blocked host', { at: 'http://blocked.example/v1.mp4' }, 0],
	['that redirects to a blocked IP address', { redirectsTo: 'http://127.0.0.2:9/v1.mp4' }, 1],
	['that redirects to a blocked host', { redirectsTo: 'http://blocked.example/v1.mp4' }, 1],
])('a file %s: the error says that n8n blocks it', async (_, where, requests) => {
	const { error, items, fileRequests } = await download(where);
	expect(items).toEqual([]);
	expect(error?.message).toBe('n8n itself blocked the request');
	expect(error?.description).toContain('administrator');
	expect(getErrorDetails(error).code).toBe('blocked_by_n8n');
	expect(fileRequests).toBe(requests);
});

test.each(['ftp://127.0.0.1/v1.mp4', 'file:///etc/hostname', 'data:text/plain,hello'])(
	'a file that redirects to %s: the error says so, and the request is not repeated',
	async (redirectsTo) => {
		const { error, fileRequests } = await download({ redirectsTo });
		expect(error?.message).toContain('redirects to an address that n8n cannot access');
		expect(error?.description).toContain(`Unsupported protocol ${redirectsTo.split(':')[0]}:`);
		expect(fileRequests).toBe(1);
	},
);

test.each([
	['a web page', '\uFEFF\n<!DOCTYPE html><html><body>Sign in</body></html>'],
	['a message', '{"error":{"code":"expired"}}'],
])('%s without a media type is no video', async (what, page) => {
	const { error, items } = await download({ page });
	expect(items).toEqual([]);
	expect(error?.message).toContain(`returns ${what}`);
	expect(getErrorDetails(error).code).toBe('not_a_file');
});

test('another file without a media type is stored', async () => {
	const { error, items } = await download({ page: '\0\0\0\x20ftypisom{<html>' });
	expect(error).toBeUndefined();
	expect(items[0]?.binary?.data).toMatchObject({ mimeType: 'video/mp4', bytes: 19 });
});
