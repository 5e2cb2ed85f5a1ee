/** Reads a resource of the service once for all items of a node run. */
import type { Client, RequestOutcome } from './client';

/**
 * Sends a GET request for a resource, unless this node run has already read it for another item.
 * All items share the response.
 */
export const readOncePerRun = async (
	client: Client,
	line: string,
	path: Readonly<Record<string, string>>,
): Promise<RequestOutcome> =>
	await client.shareInRun(
		JSON.stringify([line, path]),
		async () => await client.tryRequest({ line, path }),
	);
