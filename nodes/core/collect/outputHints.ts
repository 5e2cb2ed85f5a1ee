/** What stands in the output pane after a run: what was made and is charged, and how to find it again. */
import { describeKind, type Job } from '../jobs/types';

/** Jobs that are listed by id in a hint; more are counted. */
const maxListedJobs = 10;
/** Seconds after which a run counts as long. */
const longRunSeconds = 60;

const chargedAgainText =
	'Running this node again makes, and charges, anew; an operation Get reads what is there.';

/**
 * The hint of a run that has cost something, if one is needed.
 *
 * @param items how many it has paid for
 * @param started the jobs that exist
 * @param seconds that it took
 */
export function createCostHint(
	items: number,
	started: readonly Job[],
	seconds: number,
): string | undefined {
	const single = started.filter(({ kind: job }) => !job.name.endsWith('_batch'));
	const jobs = single.length > 0 ? single : started;
	const count = Math.max(items, single.length);
	const names = jobs
		.slice(0, maxListedJobs)
		.map(({ kind: job, id }) => `${describeKind(job)} ${id}`);
	const more = jobs.length > maxListedJobs ? ` and ${jobs.length - maxListedJobs} more` : '';
	const list = `${names.join(', ')}${more}`;
	if (count > 1) {
		const which = list === '' ? '' : `: ${list}`;
		return `This run made ${count} results, and each is charged${which}. ${chargedAgainText}`;
	}
	if (jobs.length === 0 || seconds < longRunSeconds) return undefined;
	const minutes = Math.round(seconds / 60);
	const time = minutes === 1 ? 'a minute' : `${minutes} minutes`;
	return `This run took ${time} for ${list}. ${chargedAgainText}`;
}
