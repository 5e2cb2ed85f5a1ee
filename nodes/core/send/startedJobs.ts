/**
 * Jobs that exist by now, so that every outcome names them: errors, n8n's log, and the outcomes of
 * later tries of the same node.
 */
import type { IExecuteFunctions } from 'n8n-workflow';
import { describeJob, type Job } from '../jobs/types';
import type { RetryState } from '../memory';

export type StartedJobs = ReturnType<typeof createStartedJobs>;

/** The ledger of one try of a run; it begins with the jobs of the tries before. */
export function createStartedJobs(n8n: IExecuteFunctions, { jobs }: Pick<RetryState, 'jobs'>) {
	const cancelled = n8n.getExecutionCancelSignal();
	const place = `execution ${n8n.getExecutionId()}, workflow ${n8n.getWorkflow().id}, node "${n8n.getNode().name}"`;

	/** n8n keeps nothing that a stopped node gives out. */
	const logStopped = (some: readonly Job[]) => {
		if (some.length === 0) return;
		const names = some.map(describeJob).join(', ');
		n8n.logger.warn(`Stopped while these jobs exist at the service, where they go on: ${names}`);
	};
	const logAll = () => logStopped(jobs.flat());
	cancelled?.addEventListener('abort', logAll, { once: true });

	return {
		/**
		 * Notes what is about to be asked for: should n8n be killed before the answer comes, the key
		 * finds what was made.
		 */
		asks(item: number, line: string, key?: string) {
			const known = key === undefined ? '' : `key ${key}, `;
			n8n.logger.info(`VideoGen asks ${line} (${known}${place}, item ${item})`);
		},
		/** Notes jobs as soon as they exist: what happens next, even to n8n itself, cannot lose them. */
		add(item: number, more: readonly Job[]) {
			const own = (jobs[item] ??= []);
			const fresh = more.filter((one) =>
				own.every((other) => describeJob(other) !== describeJob(one)),
			);
			own.push(...fresh);
			for (const one of fresh) {
				n8n.logger.info(`VideoGen started ${describeJob(one)} (${place}, item ${item})`);
			}
			// A request that was on its way when the stop came.
			if (cancelled?.aborted) logStopped(fresh);
		},
		all: (): readonly Job[] => jobs.flat().filter((one) => one !== undefined),
		of: (item: number): readonly Job[] => jobs[item] ?? [],
		others: (item: number) =>
			[...jobs.entries()]
				.filter(([other]) => other !== item)
				.map(([other, own]) => ({ item: other, jobs: own ?? [] })),
		close: () => cancelled?.removeEventListener('abort', logAll),
	};
}
