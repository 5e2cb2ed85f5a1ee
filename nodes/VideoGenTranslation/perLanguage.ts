import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Job, StartedJob } from '../core/jobs/job';

/** The jobs of a reply that names one for each language, as a list under the plural of the id. */
const startedAll =
	(job: Job) =>
	(reply: IDataObject): StartedJob[] => {
		const ids = [reply[`${job.id}s`] ?? reply[job.id]].flat();
		const jobs = ids.flatMap((id) => (typeof id === 'string' && id !== '' ? [{ job, id }] : []));
		if (jobs.length > 0) return jobs;
		throw new Error(
			`The service accepted the request but named no ${job.kind}. Something may have been created: look for it in the list of the service before you run again.`,
		);
	};

/** What creates share that start a job for each language: an item for each, with its own id. */
export const perLanguage = (job: Job) => ({
	starts: startedAll(job),
	makes: ({ output_languages: languages }: { output_languages?: string[] }) =>
		languages?.length ?? 1,
	reshapeItems: (items: INodeExecutionData[]) =>
		items.map((item) => {
			const started = item.json.job as unknown as { id: string } | undefined;
			// A language that failed under Continue On Fail: n8n knows such an item by its two keys.
			if (started === undefined) return item;
			return { ...item, json: { ...item.json, [job.id]: started.id } };
		}),
});
