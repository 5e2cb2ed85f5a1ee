/** A service on this machine whose responses never end, or are far larger than any service needs. */
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { media } from './workflows';

const videoId = 'video_1';

/** Sends text of a JSON response. */
const sendJson = (response: ServerResponse, text: string) =>
	void response.writeHead(200, { 'content-type': 'application/json' }).end(text);

/** A video with one more field, whose value is this JSON. */
const videoWith = (json: string): RequestListener => {
	const text = `{"data":{"id":"${videoId}","status":"completed","more":${json}}}`;
	return (_, response) => sendJson(response, text);
};

/** An object with these members. */
const objectOf = (count: number, member: (index: number) => string) =>
	`{${Array.from({ length: count }, (_, i) => member(i)).join(',')}}`;

/** A page of 100 rows, with a token for more. */
const page = (token: string) => {
	const data = Array.from({ length: 100 }, (_, i) => ({
		id: `${token}-${i}`,
		title: 'x'.repeat(2_000),
		created_at: 1_700_000_000,
	}));
	return JSON.stringify({ data, has_more: true, next_token: token });
};

/** Sends the same text again and again until the client closes the connection. */
const endless =
	(text: string, pauseMs = 0, start = ''): RequestListener =>
	(request, response) => {
		request.resume();
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		if (start !== '') response.write(start);
		const send = () => {
			if (response.destroyed) return;
			if (!response.write(text)) response.once('drain', send);
			else setTimeout(send, pauseMs);
		};
		send();
	};

let pages = 0;

const cases = {
	newTokens: (_, response) => sendJson(response, page(`token-${pages++}`)),
	sameToken: (_, response) => sendJson(response, page('token')),
	endlessText: endless('"more",'.repeat(10_000), 0, '{"data":['),
	speech: endless(
		`data: ${JSON.stringify({ type: 'audio', audio: media('speech.wav').toString('base64') })}\n\n`,
	),
	comments: endless(': still there\n\n', 1_000),
	stalledText: (_, response) =>
		void response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":'),
	silentSpeech: (_, response) =>
		void response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
	stalledFile: (request, response) => {
		if (request.url?.endsWith('/file')) {
			response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 1_000_000 });
			response.write(Buffer.alloc(1_000));
			return;
		}
		const video_url = `http://${request.headers.host}/stalledFile/file`;
		sendJson(response, JSON.stringify({ data: { id: videoId, status: 'completed', video_url } }));
	},
	nestedLists: videoWith('['.repeat(7_000_000) + ']'.repeat(7_000_000)),
	manyKeys: videoWith(objectOf(900_000, (index) => `"k${index}":1`)),
	manyTimes: videoWith(objectOf(300_000, (index) => `"k${index}_at":1700000000`)),
	nestedObjects: videoWith('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)),
	/** As large as a response may be: n8n has to store it, and to read it again. */
	mostValues: videoWith(objectOf(99_000, (index) => `"k${index}_at":1700000000`)),
	oddCode: (_, response) => sendJson(response, '{"code":{"toString":1,"valueOf":1},"data":{}}'),
	echo: ({ headers }, response) => {
		const key = String(headers['x-api-key']);
		const encoded = Buffer.from(`key:${key}`).toString('base64');
		sendJson(
			response,
			JSON.stringify({ data: { id: videoId, status: 'completed', key, encoded } }),
		);
	},
} satisfies Record<string, RequestListener>;

export type HostileCase = keyof typeof cases;

/** Starts the service. The first part of the path, which ends a Base URL, chooses the response. */
export async function startHostileService() {
	const server = createServer((request, response) => {
		const [, name = ''] = request.url?.split('/') ?? [];
		const answer = (cases as Record<string, RequestListener>)[name];
		if (answer) answer(request, response);
		else response.writeHead(404).end();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		videoId,
		baseUrl: (name: HostileCase) => `http://127.0.0.1:${port}/${name}`,
		close: async () =>
			await new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
