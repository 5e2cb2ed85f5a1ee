import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import type { Simulator } from '../../simulator';

export interface Reply {
	status: number;
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	body: any;
	headers: IncomingHttpHeaders;
}

export type Caller = (
	line: string,
	body?: unknown,
	headers?: Record<string, string>,
) => Promise<Reply>;

/** Calls the simulator: `call('POST /v3/videos', {...})`. Sends its key unless told otherwise. */
export const caller =
	(simulator: Simulator): Caller =>
	async (line, body, headers = { 'x-api-key': simulator.apiKey }) => {
		const [method = 'GET', path = ''] = line.split(' ');
		const response = await request(simulator.baseUrl + path, {
			method: method as 'GET',
			headers: {
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
				...headers,
			},
			...(body === undefined
				? {}
				: { body: typeof body === 'string' ? body : JSON.stringify(body) }),
		});
		const text = await response.body.text();
		let parsed: unknown = text;
		try {
			parsed = JSON.parse(text);
		} catch {
			// Not JSON: the storage and some faults answer in plain text.
		}
		return { status: response.statusCode, body: parsed, headers: response.headers };
	};

export interface Received {
	path: string;
	headers: IncomingHttpHeaders;
	text: string;
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	json: any;
}

/** A local web server that keeps what it gets and answers as it is told. */
export async function startReceiver(answer: (count: number) => number | null = () => 200) {
	const received: Received[] = [];
	const server = createServer((incoming, outgoing) => {
		const pieces: Buffer[] = [];
		incoming.on('data', (piece: Buffer) => pieces.push(piece));
		incoming.on('end', () => {
			const text = Buffer.concat(pieces).toString();
			received.push({
				path: incoming.url ?? '',
				headers: incoming.headers,
				text,
				json: JSON.parse(text),
			});
			const status = answer(received.length);
			if (status === null) return;
			outgoing.writeHead(status).end('seen');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		received,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

export async function until(condition: () => boolean, what = 'condition', limitMs = 3000) {
	const end = Date.now() + limitMs;
	while (!condition()) {
		if (Date.now() > end) throw new Error(`Waited in vain for: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}

export const speaking = {
	type: 'avatar',
	avatar_id: 'look_001_1',
	script: 'Good morning to everybody.',
};
