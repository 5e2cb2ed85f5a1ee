/** The jobs that exist by now, so that every outcome names them: items, errors and n8n's log. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { describeJob, type Job } from '../jobs/types';
import type { RetryState } from '../plan/retryState';
import type { JsonRequest } from './buildRequest';

export type StartedJobs = ReturnType<typeof createStartedJobs>;

/** Begins with the jobs that earlier attempts of the node have started. */
export function createStartedJobs(n8n: IExecuteFunctions, { jobs }: Pick<RetryState, 'jobs'>) {
	const stopped = n8n.getExecutionCancelSignal();
	const place = `execution ${n8n.getExecutionId()}, workflow ${n8n.getWorkflow().id}, node "${n8n.getNode().name}"`;

	/** n8n discards everything that a stopped node outputs. The log is the only place left. */
	const logStopped = (some: readonly Job[]) => {
		if (some.length === 0) return;
		const names = some.map(describeJob).join(', ');
		n8n.logger.warn(`Stopped. These jobs exist and continue to run in the service: ${names}`);
	};
	const logAll = () => logStopped(jobs.flat());
	stopped?.addEventListener('abort', logAll, { once: true });

	return {
		/** Logs a request before it is sent: if n8n is killed, its key finds what was created. */
		logPaidRequest(item: number, { line, idempotencyKey, keyInBody }: JsonRequest) {
			const key = idempotencyKey ?? keyInBody;
			const known = key === undefined ? '' : `key ${key}, `;
			n8n.logger.info(`VideoGen sends ${line} (${known}${place}, item ${item})`);
		},
		/** Records jobs as soon as they exist, once each. */
		add(item: number, started: readonly Job[]) {
			const own = (jobs[item] ??= []);
			const fresh = started.filter((job) =>
				own.every((other) => describeJob(other) !== describeJob(job)),
			);
			own.push(...fresh);
			for (const job of fresh) {
				n8n.logger.info(`VideoGen started ${describeJob(job)} (${place}, item ${item})`);
			}
			// The request was in flight when the execution was stopped.
			if (stopped?.aborted) logStopped(fresh);
		},
		all: (): readonly Job[] => jobs.flat().filter((job) => job !== undefined),
		of: (item: number): readonly Job[] => jobs[item] ?? [],
		others: (item: number) =>
			[...jobs.entries()]
				.filter(([other]) => other !== item)
				.map(([other, own]) => ({ item: other, jobs: own ?? [] })),
		close: () => stopped?.removeEventListener('abort', logAll),
	};
}
