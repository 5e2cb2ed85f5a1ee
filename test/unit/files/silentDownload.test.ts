/** Downloads from a host that stops sending, or never does: what ends them, and what the user sees. */
import { Readable } from 'node:stream';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { downloadFile } from '../../../nodes/core/files/download';
import { receivedDataLimits } from '../../../nodes/core/http/receivedDataLimits';
import { passTime, useVirtualTime } from '../http/virtualTime';
import { answer, createClient, createFileHost, describeFailure } from './fileHost';

useVirtualTime();

const source = {
	url: 'https://files.example/a.mp4',
	name: { item: 0, id: 'a', label: '', kind: 'video' },
	mimeType: 'video/mp4',
	extension: 'mp4',
};

/** A connection that delivers these bytes, and then stays open. */
function createSilentBody(size: number): Readable {
	const body = new Readable({ read: () => undefined });
	if (size > 0) body.push(Buffer.alloc(size, 'x'));
	return body;
}

/** Downloads a file from such connections: the seconds, the requests and the failure. */
async function download(headers: IDataObject, bodies: Readable[]) {
	const { host, requests } = createFileHost(
		...bodies.map((body) => answer(200, { 'content-type': 'video/mp4', ...headers }, body)),
	);
	const prepareBinaryData = async (content: Readable) => {
		for await (const chunk of content) expect(chunk).toBeInstanceOf(Buffer);
	};
	Object.assign(host.helpers, { prepareBinaryData });
	const { client } = createClient();
	jest.restoreAllMocks();
	const n8n = host as IExecuteFunctions;
	const failure = describeFailure(
		downloadFile(n8n, client, async () => await Promise.resolve(source as never)),
	);
	const seconds = await passTime(failure);
	return { seconds, requests: requests.length, failure: await failure };
}

test('a download that stops is resumed, started over three times, and then given up', async () => {
	const bodies = Array.from({ length: 8 }, () => createSilentBody(1_000));
	const result = await download({ 'content-length': '1000000' }, bodies);
	expect(result.failure).toEqual({
		message:
			'The downloaded file is incomplete: 1000 of 1000000 bytes (no data arrived for 60 seconds)',
		description: expect.stringContaining('Try again later.'),
		details: { code: 'incomplete_file' },
	});
	expect(result.requests).toBe(8);
	expect(result.seconds).toBeGreaterThan(240);
	expect(result.seconds).toBeLessThan(300);
	expect(bodies.every(({ destroyed }) => destroyed)).toBe(true);
});

test('a download without a first byte is given up, too', async () => {
	const result = await download(
		{},
		Array.from({ length: 4 }, () => createSilentBody(0)),
	);
	expect(result.failure?.message).toBe(
		'The downloaded file is incomplete: 0 bytes (no data arrived for 60 seconds)',
	);
	expect(result.seconds).toBeLessThan(600);
});

test('a download that is too large is given up at once', async () => {
	const { bytes } = receivedDataLimits.file;
	Object.assign(receivedDataLimits.file, { bytes: 4 * 1024 * 1024 });
	async function* chunks() {
		for (;;) yield await Promise.resolve(Buffer.alloc(1024 * 1024, 'x'));
	}
	const endless = Readable.from(chunks());
	const result = await download({}, [endless]);
	Object.assign(receivedDataLimits.file, { bytes });
	expect(result).toMatchObject({
		failure: {
			message: 'The downloaded file is incomplete: 5242880 bytes (it had more than 4 MB)',
		},
		requests: 1,
	});
	expect(endless.destroyed).toBe(true);
});
