/**
 * Detects jobs that the service returns for several items although each of them was to get its own,
 * as happens behind a proxy that caches replies. Nobody knows which of these items such a job
 * belongs to.
 */
import { describeJob, type Job } from '../jobs/types';

/** Create request whose reply names jobs. */
export interface JobSource {
	/** Index of the first input item of the request. */
	item: number;
	/** Idempotency key of the request, if it has one. */
	key?: string;
	/**
	 * Text that is equal only for requests that may have the same job, such as those with the same
	 * idempotency key.
	 */
	origin: string;
}

/** Jobs of an item that other items claim too, and the idempotency key of the item's request. */
export interface SharedJobs {
	jobs: readonly Job[];
	key?: string;
}

/**
 * Creates an empty record of the jobs that the replies to create requests named, for one attempt of
 * a node run.
 */
export function createSharedJobDetector() {
	/** Origins of the requests that name a job, by the description of the job. */
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
		/** Returns the jobs of an item that other items claim too, or undefined if there are none. */
		findShared(item: number): SharedJobs | undefined {
			const shared = (jobsByItem.get(item) ?? []).filter(
				({ job }) => (originsByJob.get(describeJob(job))?.size ?? 0) > 1,
			);
			const [first] = shared;
			return first && { key: first.key, jobs: shared.map(({ job }) => job) };
		},
	};
}
