/** Reads resources of the service that several items of a run refer to. */
import type { Client, RequestOutcome } from './client';

/** Reads a resource with a GET request that all items of the node run share. */
export const readOncePerRun = async (
	client: Client,
	line: string,
	path: Readonly<Record<string, string>>,
): Promise<RequestOutcome> =>
	await client.shareInRun(
		JSON.stringify([line, path]),
		async () => await client.tryRequest({ line, path }),
	);
