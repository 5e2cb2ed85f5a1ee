/** A service that has the statuses of jobs, without HTTP. */
import type { IDataObject, INode } from 'n8n-workflow';
import type { ErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { Client } from '../../../nodes/core/http/client';
import type { ServiceRequest } from '../../../nodes/core/http/sendWithRetries';
import { readJob, withSharedStatusLookup } from '../../../nodes/core/jobs/readJobs';
import type { JobKind } from '../../../nodes/core/jobs/types';

const node = { name: 'Node' } as INode;

/** Creates the error of a failed request. */
export const fail = (details: ErrorDetails) => createOperationError(node, 'No', undefined, details);
export const missing = fail({ status: 404, code: 'not_found' });

export type Response = IDataObject | Error;
let accounts = 0;

/**
 * Creates a service with these responses to status requests by ID, the last one again and again, and
 * with this one to lookups of several jobs.
 */
export function createStatusService(
	statuses: Record<string, Response | Response[]>,
	lookup: Response = fail({ status: 404 }),
) {
	const requests: ServiceRequest[] = [];
	const answer = (response: Response | Response[] = missing) => {
		if (!Array.isArray(response)) return response;
		return (response.length > 1 ? response.shift() : response[0]) ?? missing;
	};
	const client = {
		...{ node, account: `statuses-${++accounts}`, reportJobEnd: jest.fn() },
		signal: new AbortController().signal,
		removeSecrets: (text: string) => text,
		tryRequest: async (request: ServiceRequest) => {
			requests.push(request);
			return lookup instanceof Error
				? { ok: false, error: lookup }
				: { ok: true, reply: { data: lookup.entries } };
		},
		fetchData: async (request: ServiceRequest) => {
			requests.push(request);
			const response = answer(statuses[String(Object.values(request.path ?? {})[0])]);
			if (response instanceof Error) throw response;
			return response;
		},
	} as unknown as Client;
	return { client, requests };
}

/** Reads jobs once, in parallel, and returns the outcome of each, or why it cannot be read. */
export const checkJobs = async (
	client: Client,
	kind: JobKind,
	ids: readonly string[],
	requiresLookup = false,
) =>
	await Promise.all(
		ids.map(async (id) => {
			const [reading] = await Promise.allSettled([
				withSharedStatusLookup(
					client,
					kind,
					async (lookup) => await readJob(client, { kind, id }, lookup),
					requiresLookup,
				),
			]);
			if (reading.status === 'rejected') return { outcome: 'unreadable', error: reading.reason };
			const { outcome, error, response } = reading.value;
			if (error !== undefined) return { outcome: 'unreadable', error, response };
			return outcome ?? { outcome: 'pending' };
		}),
	);
