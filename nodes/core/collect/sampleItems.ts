/** Creates sample output for Check Only, in the format of real results. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { storeSampleFile } from '../files/sampleFiles';
import type { Client } from '../http/client';
import { createFinishedJobItem } from '../jobs/finishedItem';
import {
	createSampleJob,
	createSampleJobOutcome,
	insertItemNumberIntoSample,
} from '../jobs/sampleJobs';
import { decideJobState } from '../jobs/jobState';
import { toJobReference, type Job } from '../jobs/types';
import type { SampleReply } from '../operation';
import { listBatchRows, planItemRequest, type ItemOperation } from '../plan/groupRequests';
import { finishItems } from './finishItems';
import { outcomeOfState, isItemFailure, type ItemResult } from './itemResult';

interface SampleContext {
	n8n: IExecuteFunctions;
	client: Client;
}

function findSampleJobs(
	{ operation: { starts }, values }: ItemOperation,
	{ reply = {}, starts: kind }: SampleReply,
): Job[] {
	if (kind) return [createSampleJob(kind)];
	if (starts === undefined) return [];
	const kindOrJobs = typeof starts === 'function' ? starts(reply, values) : starts;
	return Array.isArray(kindOrJobs) ? kindOrJobs : [createSampleJob(kindOrJobs)];
}

/** As if the jobs had ended. */
function buildSampleResults(item: number, plan: ItemOperation, sample: SampleReply): ItemResult[] {
	const { operation, values } = plan;
	const { reply = {} } = sample;
	const jobs = findSampleJobs(plan, sample);
	const [first] = jobs;
	if (!first) return [{ item, output: { json: reply } }];
	const createResult = (started: Job, job: Job, base: IDataObject, more = {}): ItemResult => {
		if (values.waitForCompletion !== true) {
			return { item, output: { json: { ...base, job: toJobReference(started) }, ...more } };
		}
		const ended = createSampleJobOutcome(job);
		const outcome = outcomeOfState[decideJobState(job.kind, ended.data)];
		const { output, result } = createFinishedJobItem({ [job.kind.id]: job.id, ...base }, ended);
		return { item, outcome, output: { ...output, ...more }, result };
	};
	const { rows } = operation.combine ?? {};
	if (!rows) return jobs.map((job) => createResult(job, job, { [job.kind.id]: job.id, ...reply }));
	return listBatchRows(planItemRequest(item, plan)).rows.map(({ index }) => {
		const job = createSampleJob(rows, index === 0 ? '' : `_${index + 1}`);
		const base = { [first.kind.id]: first.id, item_index: item + index };
		return createResult(first, job, base, { pairedItem: { item } });
	});
}

/**
 * Returns sample output as if the request had been sent and its jobs had ended, with placeholder
 * files if the user has chosen to download files.
 */
export async function createSampleItems(
	{ n8n, client }: SampleContext,
	item: number,
	plan: ItemOperation,
): Promise<ItemResult[]> {
	const { operation, values } = plan;
	const storeOwnFile = async (file: SampleReply['file']) => {
		if (!file) return {};
		const { field, name, type } = file;
		const stored = await storeSampleFile(n8n, client, async () => ({ ...type, url: '', name }));
		return { binary: { ...n8n.getInputData()[item]?.binary, [field]: stored } };
	};
	const sample =
		typeof operation.sample === 'function' ? operation.sample(values) : (operation.sample ?? {});
	const isPending = operation.starts !== undefined && values.waitForCompletion !== true;
	const results = insertItemNumberIntoSample(buildSampleResults(item, plan, sample), item).map(
		(result): ItemResult => ({
			...(isPending && { outcome: 'running' }),
			creation: 'created',
			...result,
		}),
	);
	const finished = await finishItems(
		{ n8n, client, download: storeSampleFile },
		{ ...planItemRequest(item, plan), results },
	);
	const binary = await storeOwnFile(insertItemNumberIntoSample(sample.file, item));
	return finished.map((result): ItemResult => {
		if (isItemFailure(result)) return result;
		const output = { ...result.output, ...binary };
		return { ...result, output: { ...output, json: { ...output.json, simulated: true } } };
	});
}
