/**
 * Records the jobs that a run has started, for output items, errors and n8n's log, and stops them
 * if the user stops the execution.
 */
import type { IExecuteFunctions } from 'n8n-workflow';
import { clock } from '../clock';
import { createClient, type Client } from '../http/client';
import { replaceCancelSignal } from '../http/credentials';
import { formatIdempotencyKeyForLog } from '../http/sendWithRetries';
import { describeJob, type Job } from '../jobs/types';
import type { NodeRun } from '../ledger/ledger';
import type { JsonRequest } from './buildRequest';

interface JobSource {
	item: number;
	key?: string;
	/** Identifies a job's source. Equal for two requests only if both may get the same job. */
	origin: string;
}

export type StartedJobTracker = ReturnType<typeof createStartedJobTracker>;

/** Tracks the jobs of a run, including those that earlier attempts have started. */
export function createStartedJobTracker(
	n8n: IExecuteFunctions,
	nodeRun: Pick<NodeRun, 'jobs' | 'isStopHandled'>,
) {
	const { jobs } = nodeRun;
	const sourcesByJob = new Map<string, Array<JobSource & { job: Job }>>();
	const stopped = n8n.getExecutionCancelSignal();
	const place = `execution ${n8n.getExecutionId()}, workflow ${n8n.getWorkflow().id}, node "${n8n.getNode().name}"`;

	const getJobsByItem = () => [...jobs].sort(([a], [b]) => a - b);
	const ended = new Set<string>();
	const stopping: Array<Promise<void>> = [];
	let stoppedItems: ReadonlySet<number> = new Set();
	/** Logs what happened to jobs after the user's stop, because n8n discards the node's output. */
	const logStopped = (some: readonly Job[], fate: string, advice = '') => {
		if (some.length === 0) return;
		const names = some.map(describeJob).join(', ');
		n8n.logger.warn(`Stopped. These jobs ${fate}: ${names}${advice}`);
	};
	const stopOrLog = (some: ReadonlyArray<{ item: number; job: Job }>) => {
		const [finished, toStop, running]: [Job[], Job[], Job[]] = [[], [], []];
		for (const { item, job } of some) {
			if (ended.has(describeJob(job))) finished.push(job);
			else if (stoppedItems.has(item)) toStop.push(job);
			else running.push(job);
		}
		logStopped(finished, 'have ended in the service');
		logStopped(running, 'exist and continue to run in the service', describeHowToStopJobs(running));
		if (toStop.length > 0) stopping.push(stopJobs(n8n, toStop));
	};
	const endAll = () => {
		nodeRun.isStopHandled = true;
		stopOrLog(getJobsByItem().flatMap(([item, started]) => started.map((job) => ({ item, job }))));
	};
	stopped?.addEventListener('abort', endAll, { once: true });

	return {
		/** Logs a paid request with its key. Helps find its job if n8n is killed before the reply. */
		logPaidRequest(item: number, { line, idempotencyKey: key }: JsonRequest) {
			const known = key === undefined ? '' : `key ${formatIdempotencyKeyForLog(key)}, `;
			n8n.logger.info(`VideoGen sends ${line} (${known}${place}, item ${item})`);
		},
		addSource(source: JobSource, returned: readonly Job[]): void {
			for (const job of returned) {
				const name = describeJob(job);
				const earlier = sourcesByJob.get(name) ?? [];
				sourcesByJob.set(name, [...earlier, { ...source, job }]);
			}
		},
		/**
		 * Returns the jobs of the given items that the service has also returned for other requests,
		 * for example because a proxy caches responses. Removes these jobs from all items, because it
		 * is unclear which item they belong to.
		 */
		takeShared(items: readonly number[]) {
			const shared = [...sourcesByJob.values()]
				.filter(([first, ...others]) => others.some(({ origin }) => origin !== first?.origin))
				.flat()
				.filter(({ item }) => items.includes(item));
			const [first] = shared;
			if (!first) return undefined;
			const names = new Set(shared.map(({ job }) => describeJob(job)));
			for (const [item, started] of jobs) {
				const isOwn = (job: Job) => !names.has(describeJob(job));
				jobs.set(item, started.filter(isOwn));
			}
			const list = [...names].join(', ');
			n8n.logger.warn(`VideoGen received ${list} for several items (${place}, item ${items[0]})`);
			return { key: first.key, jobs: shared.map(({ job }) => job) };
		},
		add(item: number, started: readonly Job[]) {
			const earlier = jobs.get(item) ?? [];
			const names = new Set(earlier.map(describeJob));
			const fresh = started.filter((job) => !names.has(describeJob(job)));
			jobs.set(item, [...earlier, ...fresh]);
			for (const job of fresh) {
				n8n.logger.info(`VideoGen started ${describeJob(job)} (${place}, item ${item})`);
			}
			// The request was in flight when the execution was stopped.
			if (stopped?.aborted) stopOrLog(fresh.map((job) => ({ item, job })));
		},
		/** Sets the items whose jobs are to be stopped when the user stops the execution. */
		stopWithExecution(items: ReadonlySet<number>) {
			stoppedItems = items;
			// The user stopped the execution between two attempts.
			if (stopped?.aborted && !nodeRun.isStopHandled) endAll();
		},
		/** Records that a job has ended and need not be stopped when the user stops the execution. */
		end: (job: Job) => void ended.add(describeJob(job)),
		all: (): readonly Job[] => getJobsByItem().flatMap(([, started]) => started),
		of: (item: number): readonly Job[] => jobs.get(item) ?? [],
		others: (item: number) =>
			getJobsByItem()
				.filter(([other]) => other !== item)
				.map(([other, started]) => ({ item: other, jobs: started })),
		/** Waits for the requests that stop jobs, because they need the run's credential. */
		close: async () => {
			stopped?.removeEventListener('abort', endAll);
			await Promise.all(stopping);
		},
	};
}

/** Maximum milliseconds that stopping jobs may take. */
const stopTimeout = 15_000;

/** Returns advice on how to stop the given jobs. Empty if the service cannot stop them. */
export function describeHowToStopJobs(jobs: readonly Job[]): string {
	const operations = new Set(jobs.flatMap((job) => (job.partOf ?? job).kind.stop?.operation ?? []));
	return operations.size === 0 ? '' : `. To end them, use ${[...operations].join(', ')}`;
}

async function requestStop(client: Client, job: Job): Promise<string | undefined> {
	const { kind, id } = job.partOf ?? job;
	if (kind.stop === undefined) return 'the service cannot stop this kind of job';
	const outcome = await client.tryRequest({
		line: kind.stop.line,
		path: { [kind.id]: id },
		timeout: stopTimeout,
	});
	if (outcome.ok) return undefined;
	return client.signal.aborted
		? `no reply within ${stopTimeout / 1000} seconds`
		: outcome.error.message;
}

/** Makes one attempt to stop each job. Logs the outcome, because the execution is already over. */
export async function stopJobs(n8n: IExecuteFunctions, jobs: readonly Job[]): Promise<void> {
	const timeUp = new AbortController();
	const finished = new AbortController();
	clock.sleep(stopTimeout, finished.signal).then(
		() => timeUp.abort(),
		() => undefined,
	);
	const logFailure = (some: readonly Job[], reason: string) =>
		n8n.logger.warn(
			`Stopped, but these jobs continue to run in the service: ${some.map(describeJob).join(', ')}. They could not be stopped: ${reason}${describeHowToStopJobs(some)}`,
		);
	try {
		// n8n's helpers send nothing after the user's stop, so they get another cancel signal.
		const host = replaceCancelSignal(n8n, timeUp.signal);
		const client = await createClient(host, { signal: timeUp.signal });
		await Promise.all(
			jobs.map(async (job) => {
				const failure = await requestStop(client, job);
				if (failure !== undefined) logFailure([job], failure);
				else n8n.logger.warn(`Stopped. The service has also stopped ${describeJob(job)}`);
			}),
		);
	} catch (error) {
		logFailure(jobs, (error as Error).message);
	} finally {
		finished.abort();
	}
}
