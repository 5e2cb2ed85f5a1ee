import type { AddressInfo, Server } from 'node:net';

/**
 * Starts servers with responses that the simulator cannot send. Each start returns the URL. Servers are
 * closed after each test.
 */
export function useServers() {
	const open: Server[] = [];
	afterEach(async () => {
		await Promise.all(
			open.splice(0).map(async (one) => await new Promise((resolve) => one.close(resolve))),
		);
	});
	return async (server: Server): Promise<string> => {
		open.push(server);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	};
}
