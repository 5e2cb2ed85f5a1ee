/** Files that go to a storage outside the service, and files that cannot come from it. */
import { Readable } from 'node:stream';
import type {
	IBinaryData,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	NodeError,
} from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import {
	createDownloadFailure,
	createN8nStorageFailure,
	createTransferFailure,
	getBinaryLength,
	pauseBeforeTransferRetry,
	tryRequestWithoutCredential,
} from '../../../nodes/core/files/transfer';
import { prepareFileToUpload, putFile } from '../../../nodes/shared/upload';
import type { Client } from '../../../nodes/core/http/client';

const node = { name: 'Node' } as INode;
const stop = new AbortController();
const client = {
	...{ node, signal: stop.signal },
	runTransfer: async (send: () => Promise<unknown>) => await send(),
} as unknown as Client;

let pauses: number[] = [];
beforeEach(() => {
	pauses = [];
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
	jest.spyOn(clock, 'sleep').mockImplementation(async (time) => void pauses.push(time));
});
afterEach(() => jest.restoreAllMocks());

const failWith = (code: string) => Object.assign(new Error(`Failed: ${code}`), { code });

/** A host whose requests get these statuses or error codes, the last one again and again. */
function createHost(...answers: Array<number | string>) {
	const requests: IHttpRequestOptions[] = [];
	const httpRequest = async (request: IHttpRequestOptions) => {
		requests.push(request);
		const answer = answers.length > 1 ? answers.shift() : answers[0];
		if (typeof answer === 'string') throw failWith(answer);
		return { statusCode: answer, headers: {}, body: '' };
	};
	const getBinaryMetadata = async () => ({ fileSize: 12 });
	const getBinaryStream = async () => Readable.from(['stored']);
	const helpers = { httpRequest, getBinaryMetadata, getBinaryStream };
	return { host: { helpers } as unknown as IExecuteFunctions, requests };
}

const readError = ({ message, description, context }: NodeError) => [
	...[message, description?.split('\n')[0]],
	(context.details as { code?: string; status?: number }).code ??
		(context.details as { status?: number }).status,
];

test.each([1, 2, 3])('after attempt %i, the pause is longer and random', async (attempts) => {
	await pauseBeforeTransferRetry(attempts, stop.signal);
	expect(pauses).toStrictEqual([500 * 2 ** attempts * 0.75]);
	jest.spyOn(clock, 'sleep').mockRejectedValue(new Error('aborted'));
	expect(await pauseBeforeTransferRetry(1, stop.signal)).toBeUndefined();
});

describe('an upload', () => {
	const target = {
		upload_url: 'https://storage.example/a',
		upload_headers: { 'Content-Type': 'video/mp4' },
		max_bytes: 3,
	};
	const upload = async (
		host: IExecuteFunctions,
		file: Partial<Parameters<typeof putFile>[2]> = {},
		to: object = target,
	) =>
		await putFile(
			host,
			client,
			{
				...{ name: 'a.mp4', mimeType: 'video/mp4', bytes: 3 },
				open: async () => Buffer.from('abc'),
				...file,
			},
			to as typeof target,
		).then(() => 'done', readError);

	test('sends the headers of the service and the length, follows no redirect, and has no limit', async () => {
		const { host, requests } = createHost(204);
		expect(await upload(host)).toBe('done');
		expect(requests).toStrictEqual([
			{
				...{ method: 'PUT', url: target.upload_url, body: Buffer.from('abc') },
				headers: { 'Content-Type': 'video/mp4', 'Content-Length': 3 },
				...{ disableFollowRedirect: true, timeout: 3_600_000, returnFullResponse: true },
				...{
					encoding: 'stream',
					ignoreHttpStatusErrors: true,
					abortSignal: expect.any(AbortSignal),
				},
			},
		]);
		expect(await upload(host, { bytes: 9e15 }, { ...target, max_bytes: undefined })).toBe('done');
	});

	test('of a file that is too large sends nothing', async () => {
		const { host, requests } = createHost(200);
		expect(await upload(host, { bytes: 4 })).toStrictEqual([
			'"a.mp4" has 4 bytes, more than the 3 that the service accepts',
			...['Use a smaller file.', 'file_too_large'],
		]);
		expect(requests).toHaveLength(0);
	});

	test.each<[number | string, number]>([
		[199, 1],
		[300, 1],
		[403, 1],
		[429, 4],
		[499, 1],
		[500, 4],
		[503, 4],
		['ECONNRESET', 4],
		['ERR_INVALID_URL', 1],
	])('that gets %s is tried %i times', async (answer, count) => {
		const { host, requests } = createHost(answer);
		const failure = await upload(host);
		expect(requests).toHaveLength(count);
		if (typeof answer !== 'number') return;
		const message = `The service's storage did not accept "a.mp4" (HTTP status ${answer})`;
		expect(failure).toStrictEqual([message, 'Try again later.', answer]);
	});

	test.each([200, 299])('that succeeds with %i at the last attempt succeeds', async (status) => {
		expect(await upload(createHost(503, 503, 503, status).host)).toBe('done');
	});

	test('closes its file, also if the storage has not read it', async () => {
		const files: Readable[] = [];
		const open = async () => {
			files.push(Readable.from(['abc']));
			return files.at(-1) as never;
		};
		await upload(createHost(429, 200).host, { open });
		expect(files.map(({ destroyed }) => destroyed)).toStrictEqual([true, true]);
	});
});

test.each([
	['ftp://files.example/a', 'ftp:'],
	['javascript:alert(1)', 'javascript:'],
	['/folder/a.mp4', '/folder/a.mp4'],
	[`${'x'.repeat(30)}://a`, 'x'.repeat(20)],
])('nothing is requested from %s', async (url, beginning) => {
	const { host, requests } = createHost(200);
	const result = await tryRequestWithoutCredential(host, client, { url });
	const { error, retryable } = result as { error: NodeError; retryable: boolean };
	expect(error.message).toContain(`begins with "${beginning}"`);
	expect([retryable, requests]).toStrictEqual([false, []]);
});

test.each<[string, boolean, string, string]>([
	['ECONNREFUSED', true, 'The file host cannot be reached', 'files.example:8443 cannot be reached'],
	['ECONNRESET', true, 'The connection to the file host was lost', 'Try again later.'],
	['ERR_INVALID_URL', false, 'The request could not be sent', 'files.example:8443 cannot'],
])('a transfer that fails with %s', (code, retryable, message, advice) => {
	const failure = createTransferFailure(
		client,
		'https://files.example:8443/a?key=b',
		failWith(code),
	);
	expect(failure.retryable).toBe(retryable);
	expect(failure.error.message).toContain(message);
	expect(failure.error.description).toContain(advice);
	expect(failure.error.description).not.toContain('key=b');
	const unknown = createTransferFailure(client, 'no URL', new Error('x'), code);
	expect([unknown.retryable, unknown.error.message]).toStrictEqual([
		retryable,
		expect.stringContaining(message),
	]);
});

test.each([
	['ENOSPC', 'its disk is full'],
	['EDQUOT', 'its disk quota is used up'],
	['EROFS', 'its disk is read-only'],
])('a file that n8n cannot store because of %s is not downloaded again', (code, reason) => {
	const failure = createN8nStorageFailure(client, failWith(code));
	expect(failure?.retryable).toBe(false);
	expect(readError(failure!.error)).toStrictEqual([
		`n8n could not store the file: ${reason}`,
		expect.stringMatching(/^Free up space on n8n's disk/),
		'storage_full',
	]);
	expect(createN8nStorageFailure(client, failWith('EPIPE'))).toBeUndefined();
	expect(createN8nStorageFailure(client, new Error('x'))).toBeUndefined();
});

test.each<[number, boolean | undefined, boolean, RegExp]>([
	[403, undefined, true, /used a fresh one/],
	[403, true, false, /still valid/],
	[429, true, true, /still valid/],
	[499, true, false, /still valid/],
	[500, true, true, /still valid/],
	[428, true, false, /still valid/],
	[503, true, true, /still valid/],
])('a download with status %i, fixed URL %s', (status, fixed, retryable, advice) => {
	const failure = createDownloadFailure(client, status, fixed);
	expect(failure.retryable).toBe(retryable);
	const message = `The file could not be downloaded (HTTP status ${status})`;
	expect(readError(failure.error)).toStrictEqual([message, expect.stringMatching(advice), status]);
});

describe('the file of an input item', () => {
	const read = async (binary: Partial<IBinaryData>, names: object = {}) => {
		const { host } = createHost(200);
		Object.assign(host.helpers, { assertBinaryData: () => binary });
		const { open, ...file } = await prepareFileToUpload(host, 0, 'data', names);
		const content = await open();
		return { ...file, isStream: !Buffer.isBuffer(content) };
	};
	const inMemory = { data: Buffer.from('abc').toString('base64'), mimeType: 'Video/MP4; a=b' };

	test('has the name and the type of its field, without parameters', async () => {
		const mimeType = 'video/mp4';
		const file = { mimeType, bytes: 3, isStream: false };
		expect(await read(inMemory)).toStrictEqual({ name: 'data.bin', ...file });
		const named = { ...inMemory, fileExtension: 'mp4', bytes: 7 };
		expect(await read(named)).toStrictEqual({ ...file, name: 'data.mp4', bytes: 7 });
		expect((await read({ ...named, fileName: 'b.mp4' })).name).toBe('b.mp4');
		const chosen = { name: 'c.gif', mimeType: 'IMAGE/gif' };
		expect(await read(named, chosen)).toMatchObject({ name: 'c.gif', mimeType: 'image/gif' });
	});

	test('in the storage of n8n is a stream of the stored length', async () => {
		const stored = { ...inMemory, id: 'filesystem-v2:1' };
		expect(await read(stored)).toMatchObject({ bytes: 12, isStream: true });
		const { host } = createHost(200);
		expect(await getBinaryLength(host, { ...stored, bytes: 0 } as IBinaryData)).toBe(0);
	});
});
