/**
 * Jobs that were still running when the trigger read their list. Lists are sorted by creation and do
 * not show what has ended since, so the trigger reads these jobs at every poll until they end.
 */
import type { IDataObject } from 'n8n-workflow';
import { boundedMap } from '../core/boundedMap';
import { clock } from '../core/clock';
import { isNotFound } from '../core/errors/errorDetails';
import type { Client } from '../core/http/client';
import { readJobs, type JobCheck } from '../core/jobs/readJobs';
import type { JobKind } from '../core/jobs/types';

/** Jobs by ID, with the time of their creation (Unix seconds). */
export type PendingJobs = Readonly<Record<string, number>>;

/** Share of the age of a job that lies between two reads of it: a chat may rest for weeks. */
const checkInterval = 0.05;

/** When a job was last read (Unix milliseconds), by trigger and job. */
const lastChecks = boundedMap<number>(10_000, 30 * 24 * 3600);

/** Whether a job without a batched lookup should be read at this poll. */
function isDue(key: string, created: number): boolean {
	const last = lastChecks.get(key);
	const now = clock.now();
	if (last !== undefined && now - last < checkInterval * (now - created * 1000)) return false;
	lastChecks.set(key, now);
	return true;
}

/** The response of a job that has ended; undefined while it is pending, null if it was deleted. */
function toEndedResponse(check: JobCheck): IDataObject | undefined | null {
	const { outcome, parent } = check;
	switch (outcome) {
		case 'pending':
			return undefined;
		case 'unreadable':
			// The session has ended, even if its video cannot be read.
			if (parent) return parent;
			if (isNotFound(check.error)) return null;
			throw check.error;
		case 'failed': {
			if (!parent) return check.data;
			const { video_url, completed_at, failure_code, failure_message } = check.data;
			return {
				...parent,
				video_url,
				completed_at,
				status: 'failed',
				failure_code,
				failure_message,
			};
		}
		default: {
			// A session has ended when its video has.
			const { completed_at } = check.result?.data ?? check.data;
			return { ...check.data, completed_at };
		}
	}
}

/** Reads jobs. Returns the responses of those that have ended, by ID; null for deleted jobs. */
export async function readEndedJobs(
	client: Client,
	kind: JobKind,
	ids: readonly string[],
): Promise<Map<string, IDataObject | null>> {
	const jobs = ids.map((id) => ({ kind, id }));
	const checks = await readJobs(client, jobs, { attempt: Infinity, requiresLookup: true });
	const ended = new Map<string, IDataObject | null>();
	for (const [i, check] of checks.entries()) {
		const response = toEndedResponse(check);
		if (response !== undefined) ended.set(ids[i] ?? '', response);
	}
	return ended;
}

/** Reads the pending jobs of a trigger that are due. @param place of the trigger */
export async function checkPendingJobs(
	client: Client,
	kind: JobKind,
	place: string,
	pending: PendingJobs,
): Promise<Map<string, IDataObject | null>> {
	const ids = Object.keys(pending);
	const due = kind.batchedStatus
		? ids
		: ids.filter((id) => isDue(`${place} ${id}`, pending[id] ?? 0));
	return await readEndedJobs(client, kind, due);
}
