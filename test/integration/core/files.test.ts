/** Files in storage outside the API. */
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId, readContent, runNode } from '../support/engine';
import { useServers } from '../support/servers';

const listening = useServers();

/** A service with one video, whose files have these URLs. */
const withFiles = async (urls: (own: string) => IDataObject, file?: Buffer) => {
	const server = createServer((request, response) => {
		if (request.url?.startsWith('/v3/videos')) {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ data: { id: 'v', status: 'completed', ...urls(own) } }));
			return;
		}
		// Compressed whatever the request accepts, as some storages do.
		const packed = gzipSync(file ?? '');
		response.writeHead(200, {
			'content-type': 'application/x-subrip',
			'content-encoding': 'gzip',
			'content-length': packed.length,
			'x-asked': request.headers['accept-encoding'],
		});
		response.end(packed);
	});
	const own = await listening(server);
	return { baseUrl: own, apiKey: 'key-of-the-test' };
};
const download: INodeParameters = {
	operation: 'download',
	video_id: byId('v'),
	binaryPropertyName: 'data',
};

test('a file that arrives compressed is the whole file', async () => {
	const text = Buffer.from('1\n00:00:00,000 --> 00:00:01,000\nHello\n\n'.repeat(200));
	const odd = await withFiles((own) => ({ subtitle_url: `${own}/words.srt` }), text);
	const { items: out, error } = await runNode(odd, 'VideoGenVideo', {
		...download,
		files: ['subtitle'],
	});
	expect(error).toBeUndefined();
	expect((await readContent(out[0])).equals(text)).toBe(true);
});

test('a host that cannot be reached is not blamed on the Base URL', async () => {
	const odd = await withFiles(() => ({ video_url: 'http://127.0.0.1:1/v.mp4?signed=secret' }));
	const { error } = await runNode(odd, 'VideoGenVideo', download);
	expect(error?.message).toBe('The host of the file cannot be reached');
	expect(error?.description).toContain('127.0.0.1:1 cannot be reached from this n8n');
	expect(error?.description).not.toMatch(/Base URL|signed=/);
}, 60_000);
