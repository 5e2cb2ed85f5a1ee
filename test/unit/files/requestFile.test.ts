/** The request of a file or its rest. */
import { requestFile } from '../../../nodes/core/files/download';
import { answer, createBody, createClient, createCodedError, createFileHost } from './fileHost';

afterEach(() => jest.restoreAllMocks());

test('a file is requested as a stream, and an error is returned', async () => {
	const response = answer(200, {}, createBody(['ab']));
	const { host, requests } = createFileHost(response, createCodedError('ECONNRESET'));
	const { client } = createClient();
	expect(await requestFile(host, client, 'https://files.example/a')).toStrictEqual({ response });
	const result = await requestFile(host, client, 'https://files.example/b', { Range: 'bytes=1-' });
	expect('error' in result).toBe(true);
	expect(requests[1]).toMatchObject({
		...{ method: 'GET', url: 'https://files.example/b', encoding: 'stream' },
		headers: { 'Accept-Encoding': 'identity', Range: 'bytes=1-' },
	});
});
