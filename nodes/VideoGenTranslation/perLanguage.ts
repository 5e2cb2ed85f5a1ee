import type { IDataObject } from 'n8n-workflow';
import type { Job, StartedJob } from '../core/jobs/job';
import { textOf } from '../core/json';

/** The jobs of a reply that names one for each language, as a list under the plural of the id. */
export const perLanguage =
	(job: Job) =>
	(reply: IDataObject): StartedJob[] => {
		const ids = [reply[`${job.id}s`] ?? reply[job.id]].flat().map(textOf);
		const jobs = ids.filter((id) => id !== undefined).map((id) => ({ job, id }));
		if (jobs.length > 0) return jobs;
		throw new Error(
			`The service accepted the request but named no ${job.kind}. Something may have been created: look for it in the list of the service before you run again.`,
		);
	};

/** How many jobs a create makes that starts one for each language. */
export const makesPerLanguage = ({
	output_languages: languages,
}: {
	output_languages?: string[];
}) => languages?.length ?? 1;
