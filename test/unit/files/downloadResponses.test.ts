/** Which responses are the requested file, how often it is requested, and what n8n stores. */
import type { IDataObject } from 'n8n-workflow';
import { downloadFile, type DownloadSource } from '../../../nodes/core/files/download';
import {
	answer,
	createBody,
	createClient,
	createCodedError,
	createFileHost,
	describeFailure,
} from './fileHost';

afterEach(() => jest.restoreAllMocks());

interface Response {
	headers?: IDataObject;
	content?: string;
	status?: number;
}

/** Downloads a file for which the host always has this response, and n8n stores what arrives. */
function download(
	{ headers = {}, content = 'abc', status = 200 }: Response,
	source: Partial<DownloadSource> = {},
	storageFailure?: Error,
) {
	const bodies = Array.from({ length: 5 }, () => createBody(content === '' ? [] : [content]));
	const { host, requests } = createFileHost(...bodies.map((body) => answer(status, headers, body)));
	const prepareBinaryData = async (
		stream: AsyncIterable<Buffer>,
		fileName: string,
		type: string,
	) => {
		if (storageFailure) throw storageFailure;
		const chunks: Buffer[] = [];
		for await (const chunk of stream) chunks.push(chunk);
		const data = Buffer.concat(chunks).toString();
		return { data, fileName, mimeType: type, bytes: data.length };
	};
	Object.assign(host.helpers, { prepareBinaryData });
	const { client } = createClient();
	const getSource = jest.fn(async () => {
		const name = { id: 'v1', kind: 'video' };
		const file = { url: `https://files.example/${requests.length}`, name };
		return await Promise.resolve({ ...file, mimeType: 'video/mp4', extension: 'mp4', ...source });
	});
	return { task: downloadFile(host, client, getSource), requests, bodies };
}

test.each([
	['Text/HTML ;charset=utf-8', 'text/vtt', 'a web page (text/html)'],
	['application/xhtml+xml', 'image/png', 'a web page (application/xhtml+xml)'],
	['application/problem+json', 'audio/wav', 'a message (application/problem+json)'],
])('a response of the type %s is no file of the type %s', async (type, mimeType, what) => {
	const { task, requests, bodies } = download({ headers: { 'content-type': type } }, { mimeType });
	expect(await describeFailure(task)).toStrictEqual({
		message: `The file URL returns ${what}`,
		description:
			'The URL may have expired or may require a login. Check the URL, or get a new one.',
		details: { code: 'not_a_file' },
	});
	expect(requests.map(({ url }) => url)).toStrictEqual(
		[0, 1, 2, 3].map((n) => `https://files.example/${n}`),
	);
	expect(bodies.slice(0, 4)).toMatchObject(Array(4).fill({ destroyed: true }));
});

test.each([
	['text/html', 'text/html', 'v1.mp4'],
	['application/json', 'text/vtt', 'v1.json'],
	['video/webm', 'video/mp4', 'v1.webm'],
	['text/plain', 'video/mp4', 'v1.mp4'],
])('a response of the type %s may be a file of the type %s', async (type, mimeType, fileName) => {
	const { task, requests } = download({ headers: { 'content-type': type } }, { mimeType });
	expect(await task).toMatchObject({ data: 'abc', fileName, bytes: 3 });
	expect(requests).toHaveLength(1);
});

test.each<[string, Response, object]>([
	[
		'empty',
		{ content: '' },
		{
			...{ message: 'The downloaded file is empty', description: 'Try again later.' },
			details: { code: 'empty_file' },
		},
	],
	[
		'shorter than announced',
		{ headers: { 'content-length': '4', 'accept-ranges': 'none' } },
		{
			message: 'The downloaded file is incomplete: 3 of 4 bytes',
			...{ description: 'Try again later.', details: { code: 'incomplete_file' } },
		},
	],
])('a file that is always %s is requested four times', async (_, response, failure) => {
	const { task, requests } = download(response);
	expect(await describeFailure(task)).toStrictEqual(failure);
	expect(requests).toHaveLength(4);
});

test.each(['3', '2', undefined])(
	'a file of 3 bytes is complete if %s are announced',
	async (length) => {
		const headers = { 'content-length': length, 'accept-ranges': 'none' };
		const { task, requests } = download({ headers });
		expect(await task).toMatchObject({ data: 'abc', bytes: 3 });
		expect(requests).toHaveLength(1);
	},
);

test.each([
	[
		'the code ENOSPC',
		createCodedError('ENOSPC'),
		'n8n could not store the file: its disk is full',
		1,
	],
	[
		'no code',
		new Error('gone'),
		expect.stringMatching(/^The connection to the file host was lost/),
		4,
	],
	['the code EPROTO', createCodedError('EPROTO'), 'The request could not be sent', 1],
])('a failure to store with %s ends or repeats the download', async (_, error, message, count) => {
	const { task, requests, bodies } = download({}, {}, error);
	expect(await describeFailure(task)).toMatchObject({ message });
	expect(requests).toHaveLength(count);
	expect(bodies.filter(({ destroyed }) => destroyed)).toHaveLength(count);
});

test('a rejected request is closed, and is repeated only for another URL', async () => {
	for (const [fixed, count] of [
		[true, 1],
		[false, 4],
	] as const) {
		const { task, requests, bodies } = download({ status: 404 }, { fixed });
		expect(await describeFailure(task)).toMatchObject({ details: { status: 404 } });
		expect(requests).toHaveLength(count);
		expect(bodies.filter(({ destroyed }) => destroyed)).toHaveLength(count);
	}
});
