/** Stops jobs in the service after the execution that started them has been stopped. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { clock } from '../clock';
import { createClient, type Client } from '../http/client';
import { describeJob, type Job } from '../jobs/types';

/** Maximum time to spend on stopping jobs, in milliseconds. */
const stopTimeout = 15_000;

/**
 * Returns text for a log message that names the operations with which users can stop the given
 * jobs. Returns an empty string if the service cannot stop any of these jobs.
 */
export function describeHowToStop(jobs: readonly Job[]): string {
	const operations = new Set(jobs.flatMap((job) => (job.partOf ?? job).kind.stop?.operation ?? []));
	return operations.size === 0 ? '' : `. To end them, use ${[...operations].join(', ')}`;
}

/**
 * Sends the request that stops a job. Returns why the job could not be stopped, or undefined on
 * success.
 */
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

/**
 * Tries once to stop each job in the service. Never throws: writes the outcome to n8n's log,
 * because the execution is already over.
 */
export async function stopJobs(n8n: IExecuteFunctions, jobs: readonly Job[]): Promise<void> {
	const timeUp = new AbortController();
	const finished = new AbortController();
	clock.sleep(stopTimeout, finished.signal).then(
		() => timeUp.abort(),
		() => undefined,
	);
	// n8n's helpers send nothing after the abort signal of their execution context has fired.
	const host = Object.create(n8n, {
		getExecutionCancelSignal: { value: () => timeUp.signal },
	}) as IExecuteFunctions;
	const logFailure = (some: readonly Job[], reason: string) =>
		n8n.logger.warn(
			`Stopped, but these jobs continue to run in the service: ${some.map(describeJob).join(', ')}. They could not be stopped: ${reason}${describeHowToStop(some)}`,
		);
	try {
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
