import { shouldIncludeInputFields } from '../../core/collect/collectItems';
import { defineOperation } from '../../core/operation';
import { omitKeys, readObject, readText } from '../../core/json';
import { clippingJob } from '../../jobKinds/catalog';
import { splitIntoClipItems } from '../../shared/clips';
import { jobFields, allResultFiles } from '../fields';
import { findSelectedJobs } from '../inputJobs';

export const wait = defineOperation({
	value: 'wait',
	name: 'Wait',
	action: 'Wait for jobs',
	description:
		'Wait until jobs have ended, and output their results. Items without a job are passed on unchanged.',
	request: 'GET /v3/{kind}/{job_id}',
	returns: ['job', 'status'],
	itemId: null,
	awaits: true,
	fields: jobFields,
	files: allResultFiles,
	async execute({ n8n, client, values, input, itemIndex, awaitJobs }) {
		const jobs = await findSelectedJobs(n8n, client, values, input);
		awaitJobs(jobs);
		if (jobs.length === 0 || shouldIncludeInputFields(n8n, itemIndex)) {
			return [jobs.length === 0 ? input : { json: {}, binary: input.binary }];
		}
		// An error of an earlier node would count as an error of this node.
		const hasError = readText(input.json.error) !== undefined;
		const json = hasError ? omitKeys(input.json, 'error', 'details', 'message') : input.json;
		return [{ json, binary: input.binary }];
	},
	// Each clip has its own files, so selecting files splits the job as in VideoGen Clipping.
	reshapeItems: (items, { download }) =>
		items.flatMap((item) =>
			readObject(item.json.job).kind === clippingJob.name
				? splitIntoClipItems([item], { download })
				: [item],
		),
});
