import type { IDataObject } from 'n8n-workflow';
import type { JobKind, Job } from '../core/jobs/types';
import { readId } from '../core/json';

/** Returns the jobs started by a create request, one for each output language. */
function readLanguageJobs(kind: JobKind, response: IDataObject): Job[] {
	const ids = [response[`${kind.id}s`] ?? response[kind.id]].flat().map(readId);
	const jobs = ids.filter((id) => id !== undefined).map((id) => ({ kind, id }));
	if (jobs.length > 0) return jobs;
	throw new Error(
		`The service accepted the request but returned no ${kind.name} ID. The ${kind.name} may have been created anyway: check the list in the service before you run the workflow again.`,
	);
}

/** Returns a sample response to a request that starts the given number of jobs. */
export const createSampleJobIds = (kind: JobKind, count: number): IDataObject => ({
	[`${kind.id}s`]: Array.from({ length: count }, (_, i) => `sample_${kind.name}_{n}_${i + 1}`),
});

/** Returns the settings shared by all operations that start one job for each output language. */
export const createJobPerLanguageOperationBase = (kind: JobKind) =>
	({
		idempotent: true,
		durationHint: kind.durationHint,
		capacityLimit: kind.capacityLimit,
		starts: (response: IDataObject) => readLanguageJobs(kind, response),
		sample: ({ output_languages = [''] }: { output_languages?: string[] }) => ({
			reply: createSampleJobIds(kind, output_languages.length),
		}),
		countJobs: (values: { output_languages?: string[] }) => values.output_languages?.length ?? 1,
	}) as const;
