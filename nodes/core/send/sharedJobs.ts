/**
 * Detects jobs that the service returns for several items, although each item should get its own
 * job. This can happen behind a proxy that caches responses. It is then unclear which item a job
 * belongs to.
 */
import { describeJob, type Job } from '../jobs/types';

/** Request for which the service returned a job. */
export interface JobOrigin {
	/** Index of the first input item of the request. */
	item: number;
	/** Idempotency key of the request, if it has one. */
	key?: string;
	/**
	 * Identifier of the job's origin. It is the same for two requests only if the service may
	 * return the same job for both, for example because they have the same idempotency key.
	 */
	origin: string;
}

/**
 * Jobs of one item that the service also returned for other items, with the idempotency key of that
 * item's request.
 */
export interface WronglySharedJobs {
	jobs: readonly Job[];
	key?: string;
}

/**
 * Creates a detector that notices when the service returns the same job for several items during one
 * attempt of the node.
 */
export function createSharedJobDetector() {
	/**
	 * Origins of each job, keyed by the job's kind and ID. An origin identifies the request for
	 * which the service returned the job, for example by its idempotency key. A job with more than
	 * one origin is shared by several items.
	 */
	const originsByJob = new Map<string, Set<string>>();
	const jobsByItem = new Map<number, Array<JobOrigin & { job: Job }>>();
	return {
		add(source: JobOrigin, returned: readonly Job[]): void {
			const earlierJobs = jobsByItem.get(source.item) ?? [];
			jobsByItem.set(source.item, [...earlierJobs, ...returned.map((job) => ({ ...source, job }))]);
			for (const job of returned) {
				const name = describeJob(job);
				originsByJob.set(name, (originsByJob.get(name) ?? new Set()).add(source.origin));
			}
		},
		/**
		 * Returns an item's jobs that the service has also returned for other items, or `undefined`
		 * if there are none.
		 */
		findShared(item: number): WronglySharedJobs | undefined {
			const shared = (jobsByItem.get(item) ?? []).filter(
				({ job }) => (originsByJob.get(describeJob(job))?.size ?? 0) > 1,
			);
			const [first] = shared;
			return first && { key: first.key, jobs: shared.map(({ job }) => job) };
		},
	};
}
