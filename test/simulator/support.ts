import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator';

export interface Reply {
	status: number;
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	body: any;
	headers: IncomingHttpHeaders;
}

/** Sends a request: `call('POST /v3/videos', {...})`. The default headers carry the API key. */
export const createCaller =
	(simulator: Pick<Simulator, 'apiKey' | 'baseUrl'>) =>
	async (
		line: string,
		body?: unknown,
		headers: Record<string, string> = { 'x-api-key': simulator.apiKey },
	): Promise<Reply> => {
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
			// The storage and some faults respond with plain text.
		}
		return { status: response.statusCode, body: parsed, headers: response.headers };
	};

/** Starts a new simulator for each test of the file, and closes it afterwards. */
export function useSimulator(options: SimulatorOptions = {}) {
	let running: Simulator | undefined;
	const get = () => {
		if (!running) throw new Error('The simulator runs only during a test');
		return running;
	};
	const close = async () => {
		await running?.close();
		running = undefined;
	};
	const restart = async (changes: SimulatorOptions = {}) => {
		await close();
		running = await startSimulator({ checkResponses: true, ...options, ...changes });
	};
	beforeEach(() => restart());
	afterEach(close);
	const call: ReturnType<typeof createCaller> = (...args) => createCaller(get())(...args);
	return {
		get baseUrl() {
			return get().baseUrl;
		},
		get apiKey() {
			return get().apiKey;
		},
		get accessToken() {
			return get().accessToken;
		},
		get control() {
			return get().control;
		},
		restart,
		call,
		/** Returns `data` of a successful response. */
		async data(line: string, body?: unknown) {
			const reply = await call(line, body);
			expect([line, reply.body.error, reply.status < 300]).toEqual([line, undefined, true]);
			return reply.body.data;
		},
		/** Returns status, code and param of an error response. */
		async rejection(line: string, body?: unknown) {
			const reply = await call(line, body);
			return [reply.status, reply.body.error?.code, reply.body.error?.param];
		},
	};
}

export interface Received {
	path: string;
	headers: IncomingHttpHeaders;
	text: string;
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	json: any;
}

/** Starts a web server that records requests and responds with a status, or with none for `null`. */
export async function startReceiver(getStatus: (count: number) => number | null = () => 200) {
	const received: Received[] = [];
	const server = createServer((incoming, outgoing) => {
		const pieces: Buffer[] = [];
		incoming.on('data', (piece: Buffer) => pieces.push(piece));
		incoming.on('end', () => {
			const text = Buffer.concat(pieces).toString();
			const path = incoming.url ?? '';
			received.push({ path, headers: incoming.headers, text, json: JSON.parse(text) });
			const status = getStatus(received.length);
			if (status !== null) outgoing.writeHead(status).end('seen');
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

export async function waitUntil(condition: () => boolean, what = 'condition', limitMs = 10_000) {
	const end = Date.now() + limitMs;
	while (!condition()) {
		if (Date.now() > end) throw new Error(`Waited in vain for: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}

/** The smallest body of an avatar video. */
export const avatarVideo = {
	type: 'avatar',
	avatar_id: 'look_001_1',
	script: 'Good morning to everybody.',
};
export const videoInput = { type: 'url', url: 'https://files.example/video.mp4' };
export const audioInput = { type: 'url', url: 'https://files.example/speech.mp3' };
