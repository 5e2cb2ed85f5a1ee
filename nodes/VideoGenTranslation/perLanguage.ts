import type { IDataObject } from 'n8n-workflow';
import type { JobKind, Job } from '../core/jobs/types';
import { readText } from '../core/json';

/** The jobs of a reply that names one for each language, as a list under the plural of the id. */
function findLanguageJobs(job: JobKind, reply: IDataObject): Job[] {
	const ids = [reply[`${job.id}s`] ?? reply[job.id]].flat().map(readText);
	const jobs = ids.filter((id) => id !== undefined).map((id) => ({ kind: job, id }));
	if (jobs.length > 0) return jobs;
	throw new Error(
		`The service accepted the request but named no ${job.name}. Something may have been created: look for it in the list of the service before you run again.`,
	);
}

/** What creates share that start a job for each language. */
export const perLanguage = (job: JobKind) =>
	({
		idempotent: true,
		durationHint: job.durationHint,
		starts: (reply: IDataObject) => findLanguageJobs(job, reply),
		countJobs: (values: { output_languages?: string[] }) => values.output_languages?.length ?? 1,
	}) as const;
