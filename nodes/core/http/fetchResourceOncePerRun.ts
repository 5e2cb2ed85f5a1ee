/** Fetches a resource from the service only once for all items of a node run. */
import type { Client, RequestOutcome } from './client';

export const fetchResourceOncePerRun = async (
	client: Client,
	line: string,
	path: Readonly<Record<string, string>>,
): Promise<RequestOutcome> =>
	await client.shareInRun(
		JSON.stringify([line, path]),
		async () => await client.tryRequest({ line, path }),
	);
