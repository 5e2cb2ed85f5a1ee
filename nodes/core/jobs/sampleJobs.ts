/**
 * Creates the fake jobs in sample results. Users get sample results if they set Check Only to
 * Sample Result. Contains only pure functions.
 */
import type { IDataObject } from 'n8n-workflow';
import { mapStrings } from '../json';
import { addFollowUpJobResult } from './jobState';
import type { Job, JobKind, SuccessfulOutcome } from './types';

/** ID prefix that identifies fake (sample) jobs. */
const idPrefix = 'sample_';

/** @param part suffix of the ID, if an item has several jobs */
export const createSampleJob = (kind: JobKind, part = ''): Job => ({
	kind,
	id: `${idPrefix}${kind.name}_{n}${part}`,
});

/** Whether an ID from an item identifies a fake (sample) job, which the service does not know. */
export const isSampleJob = (json: IDataObject, id: string) =>
	json.simulated === true && id.startsWith(idPrefix);

/** Replaces `{n}` in every string of a sample result with the item number, counted from 1. */
export const insertItemNumberIntoSample = <T>(sample: T, item: number): T =>
	mapStrings(sample, (text) => text.replaceAll('{n}', String(item + 1)));

/**
 * Returns the successful outcome of a fake (sample) job, including its follow-up job's result.
 *
 * @param item index of the input item, which is part of the values
 */
export function createSampleJobOutcome({ kind, id, row }: Job, item: number): SuccessfulOutcome {
	const job = row !== undefined && kind.rows ? createSampleJob(kind.rows) : { kind, id };
	return insertItemNumberIntoSample(createOutcome(job), item);
}

function createOutcome(job: Job): SuccessfulOutcome {
	const { kind, id } = job;
	const response: IDataObject = { id, ...kind.sample };
	const data = { ...response, ...kind.extract?.(response) };
	const outcome: SuccessfulOutcome = {
		outcome: 'completed',
		job,
		data,
		result: { ...job, data, isSample: true },
	};
	if (!kind.next || response.video_id === null) return outcome;
	return addFollowUpJobResult(outcome, createOutcome(createSampleJob(kind.next.job)));
}
