/**
 * Jobs that exist by now, so that every outcome names them: errors, n8n's log, and the outcomes of
 * later tries of the same node.
 */
import type { IExecuteFunctions } from 'n8n-workflow';
import type { StartedJob } from '../jobs/job';
import { earlierTries, type EarlierTries } from '../memory';
import { isTool, runOf } from './keys';
import type { Task } from './plan';

const none: EarlierTries = { jobs: [], gathered: [] };

/** What the earlier tries of this node's run have done, if n8n repeats it (Retry On Fail). */
export const triesOf = (n8n: IExecuteFunctions): EarlierTries =>
	mayComeAgain(n8n) ? (earlierTries.get(runOf(n8n)) ?? none) : none;

const mayComeAgain = (n8n: IExecuteFunctions) => n8n.getNode().retryOnFail === true || isTool(n8n);

const remember = (n8n: IExecuteFunctions, more: Partial<EarlierTries>) => {
	if (mayComeAgain(n8n)) earlierTries.set(runOf(n8n), { ...triesOf(n8n), ...more });
};

/** Remembers which items go together, so that a later try leaves them together. */
export function rememberGathered(n8n: IExecuteFunctions, tasks: readonly Task[]): void {
	const gathered = tasks.filter(({ operation }) => operation.gather).map(({ items }) => items);
	if (gathered.length > 0) remember(n8n, { gathered });
}

export type JobLedger = ReturnType<typeof jobLedger>;

const named = ({ job, id }: StartedJob) => `${job.kind} ${id}`;

/** The ledger of one try of a run; it begins with the jobs of the tries before. */
export function jobLedger(n8n: IExecuteFunctions, items: number) {
	const before = triesOf(n8n).jobs;
	const jobs = Array.from({ length: items }, (_, item) => [...(before[item] ?? [])]);
	const cancelled = n8n.getExecutionCancelSignal();
	const place = `execution ${n8n.getExecutionId()}, workflow ${n8n.getWorkflow().id}, node "${n8n.getNode().name}"`;

	/** n8n keeps nothing that a stopped node gives out. */
	const logStopped = (some: readonly StartedJob[]) => {
		if (some.length === 0) return;
		const names = some.map(named).join(', ');
		n8n.logger.warn(`Stopped while these jobs exist at the service, where they go on: ${names}`);
	};
	const logAll = () => logStopped(jobs.flat());
	cancelled?.addEventListener('abort', logAll, { once: true });

	return {
		/** Notes jobs as soon as they exist: what happens next, even to n8n itself, cannot lose them. */
		add(item: number, more: readonly StartedJob[]) {
			const own = jobs[item] ?? [];
			const fresh = more.filter((one) => own.every((other) => named(other) !== named(one)));
			own.push(...fresh);
			for (const one of fresh) {
				n8n.logger.info(`VideoGen started ${named(one)} (${place}, item ${item})`);
			}
			remember(n8n, { jobs: jobs.map((each) => [...each]) });
			// A request that was on its way when the stop came.
			if (cancelled?.aborted) logStopped(fresh);
		},
		of: (item: number): readonly StartedJob[] => jobs[item] ?? [],
		others: (item: number) =>
			jobs.map((own, i) => ({ item: i, jobs: own })).filter((one) => one.item !== item),
		close: () => cancelled?.removeEventListener('abort', logAll),
		/** When all went well, no later try comes. */
		forgetTries: () => earlierTries.delete(runOf(n8n)),
	};
}
