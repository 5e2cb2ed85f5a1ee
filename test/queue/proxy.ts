/** The proxy that users have in front of their webhook processes. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** Passes requests to the targets in turn. A target that does not answer is a response of 502. */
export async function startProxy(targets: readonly string[]) {
	let next = 0;
	const server = createServer((incoming, response) => {
		const target = new URL(incoming.url ?? '/', targets[next++ % targets.length]);
		const { method, headers } = incoming;
		const outgoing = request(target, { method, headers, agent: false }, (answer) => {
			// The sender may have hung up in the meantime.
			if (response.destroyed) return void answer.destroy();
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			pipeline(answer, response, () => undefined);
		});
		outgoing.on('error', () => {
			if (response.headersSent) response.destroy();
			else response.writeHead(502).end();
		});
		pipeline(incoming, outgoing, () => undefined);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
