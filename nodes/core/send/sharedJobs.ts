/**
 * Detects jobs that the service returns for several items, although each item should get its own
 * job. This can happen behind a proxy that caches responses, and makes it unclear which item a job
 * belongs to.
 */
import { describeJob, type Job } from '../jobs/types';

/** Request for which the service returned a job. */
export interface JobSource {
	/** Index of the first input item of the request. */
	item: number;
	/** Idempotency key of the request, if it has one. */
	key?: string;
	/**
	 * Identifier for where a job comes from. Two requests have the same origin only if both may
	 * return the same job, for example because they have the same idempotency key.
	 */
	origin: string;
}

/**
 * An item's jobs that the service has also returned for other items, and the idempotency key of the
 * item's request.
 */
export interface SharedJobs {
	jobs: readonly Job[];
	key?: string;
}

/**
 * Creates a detector that finds jobs returned for several items during one attempt of a node run.
 */
export function createSharedJobDetector() {
	/**
	 * Origins of each job, keyed by the job's kind and ID. A job with more than one origin is shared
	 * by several items.
	 */
	const originsByJob = new Map<string, Set<string>>();
	const jobsByItem = new Map<number, Array<JobSource & { job: Job }>>();
	return {
		add(source: JobSource, returned: readonly Job[]): void {
			const own = jobsByItem.get(source.item) ?? [];
			jobsByItem.set(source.item, [...own, ...returned.map((job) => ({ ...source, job }))]);
			for (const job of returned) {
				const name = describeJob(job);
				originsByJob.set(name, (originsByJob.get(name) ?? new Set()).add(source.origin));
			}
		},
		/**
		 * Returns an item's jobs that the service has also returned for other items, or `undefined`
		 * if there are none.
		 */
		findShared(item: number): SharedJobs | undefined {
			const shared = (jobsByItem.get(item) ?? []).filter(
				({ job }) => (originsByJob.get(describeJob(job))?.size ?? 0) > 1,
			);
			const [first] = shared;
			return first && { key: first.key, jobs: shared.map(({ job }) => job) };
		},
	};
}
