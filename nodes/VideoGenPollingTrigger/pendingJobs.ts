/**
 * Tracks jobs that were still running when the trigger read their list. Lists are sorted by
 * creation time and do not show which jobs have ended since, so polls check these jobs until they
 * end.
 */
import type { IDataObject } from 'n8n-workflow';
import { createBoundedMap } from '../core/boundedMap';
import { clock } from '../core/clock';
import { isNotFound } from '../core/errors/errorDetails';
import type { Client } from '../core/http/client';
import { readJobs, type JobCheck } from '../core/jobs/readJobs';
import type { JobKind } from '../core/jobs/types';

/** Creation time of each running job in Unix seconds, by job ID. */
export type PendingJobs = Readonly<Record<string, number>>;

/** Pause between two checks of a job, as a fraction of its age. A chat may rest for weeks. */
const checkInterval = 0.05;

/** Unix time in milliseconds at which each job was last checked, by trigger and job. */
const lastChecks = createBoundedMap<number>(10_000, 30 * 24 * 3600);

/** Whether enough time has passed since the last check of a job, which is then recorded. */
function isDue(key: string, created: number): boolean {
	const last = lastChecks.get(key);
	const now = clock.now();
	if (last !== undefined && now - last < checkInterval * (now - created * 1000)) return false;
	lastChecks.set(key, now);
	return true;
}

/**
 * Returns the status response of a job that has ended, undefined if it is pending, or null if it
 * was deleted.
 */
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
			// A session ends when its video does.
			const { completed_at } = check.result?.data ?? check.data;
			return { ...check.data, completed_at };
		}
	}
}

/**
 * Checks jobs. Returns the status responses of those that have ended, by ID, with null for deleted
 * jobs.
 */
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

/**
 * Checks the running jobs of a trigger and returns those that have ended. Without a batched lookup,
 * each job is checked less often as it grows older.
 *
 * @param place workflow and node of the trigger
 */
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
