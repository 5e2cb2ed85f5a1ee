import { fetchJobStatus } from '../../core/jobs/readJobs';
import { toJobReference } from '../../core/jobs/types';
import { defineOperation } from '../../core/operation';
import { jobFields } from '../fields';
import { findSelectedJobs } from '../inputJobs';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get job',
	description: 'Get the current status of jobs and, for finished jobs, fresh file URLs',
	request: 'GET /v3/{kind}/{job_id}',
	returns: ['job', 'status'],
	itemId: null,
	fields: jobFields,
	async execute({ n8n, client, values, input }) {
		const jobs = await findSelectedJobs(n8n, client, values, input);
		if (jobs.length === 0) return [input];
		return await Promise.all(
			jobs.map(async (job) => ({
				json: {
					...(await fetchJobStatus(client, job)),
					[job.kind.id]: job.id,
					job: toJobReference(job),
				},
			})),
		);
	},
});
