/** The request of a file or its rest, and the slot that it occupies. */
import { requestFile } from '../../../nodes/core/files/resumableDownload';
import { answer, createBody, createClient, createCodedError, createFileHost } from './fileHost';

afterEach(() => jest.restoreAllMocks());

test('a request occupies its slot until its response is closed, or until it fails', async () => {
	const body = createBody(['ab']);
	const { host, requests } = createFileHost(answer(200, {}, body), createCodedError('ECONNRESET'));
	const { client, slots } = createClient();
	await requestFile(host, client, 'https://files.example/a');
	let isFree = false;
	const end = slots[0]?.then(() => (isFree = true));
	await new Promise((resolve) => setImmediate(resolve));
	expect(isFree).toBe(false);
	body.destroy();
	await end;
	expect(isFree).toBe(true);
	const result = await requestFile(host, client, 'https://files.example/b', { Range: 'bytes=1-' });
	expect([slots[1], 'error' in result]).toStrictEqual([undefined, true]);
	expect(requests[1]).toMatchObject({
		...{ method: 'GET', url: 'https://files.example/b', encoding: 'stream' },
		headers: { 'Accept-Encoding': 'identity', Range: 'bytes=1-' },
	});
});
