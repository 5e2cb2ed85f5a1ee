import type { IDataObject } from 'n8n-workflow';
import type { Job, StartedJob } from '../core/jobs/job';
import { textOf } from '../core/json';

/** The jobs of a reply that names one for each language, as a list under the plural of the id. */
function startedJobs(job: Job, reply: IDataObject): StartedJob[] {
	const ids = [reply[`${job.id}s`] ?? reply[job.id]].flat().map(textOf);
	const jobs = ids.filter((id) => id !== undefined).map((id) => ({ job, id }));
	if (jobs.length > 0) return jobs;
	throw new Error(
		`The service accepted the request but named no ${job.kind}. Something may have been created: look for it in the list of the service before you run again.`,
	);
}

/** What creates share that start a job for each language. */
export const perLanguage = (job: Job) =>
	({
		idempotent: true,
		takes: job.takes,
		starts: (reply: IDataObject) => startedJobs(job, reply),
		makes: (values: { output_languages?: string[] }) => values.output_languages?.length ?? 1,
	}) as const;
